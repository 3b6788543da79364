import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import type { RunSummary } from '../../../core/run/run.ts';
import { useRunList } from '../../engine/runData.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { useRunDiagnosis } from './diagnosisData.ts';
import { DiagnosisView } from './DiagnosisView.tsx';

/** Why one run fell short of another. */
export function TwoRunDiagnosis({ failId, passId }: { failId: string; passId: string | null }) {
  const asked = useRunDiagnosis(failId, passId);
  if (asked.data === undefined)
    return asked.error ? (
      <Failure title="No diagnosis" error={asked.error} onRetry={asked.retry} />
    ) : (
      <Pending label="diagnosis" rows={5} />
    );
  return <DiagnosisView key={`${passId} ${failId}`} diagnosis={asked.data} />;
}

/**
 * Runs a run can be held against: of its profile, ended well; those of its study first, then the
 * newest.
 */
export function comparable(runs: readonly RunSummary[], run: RunSummary): RunSummary[] {
  const ours = runs.filter(
    (one) =>
      one.id !== run.id &&
      one.state === 'passed' &&
      one.profileId === run.profileId &&
      one.origin === run.origin,
  );
  const near = (one: RunSummary): number =>
    run.study !== null && one.study?.id === run.study.id ? 0 : 1;
  return [...ours].sort((a, b) => near(a) - near(b) || (b.startedAtMs ?? 0) - (a.startedAtMs ?? 0));
}

/**
 * On the page of a run: against a run that is chosen; without a choice against the run that it is
 * scored against, or else the beginning of its own ramp-up.
 */
export function RunDiagnosis({ runId }: { runId: string }) {
  const runs = useRunList();
  const [chosen, setChosen] = useState('');
  const run = runs.data?.find((one) => one.id === runId);
  const others = run === undefined ? [] : comparable(runs.data ?? [], run).slice(0, 200);
  return (
    <Stack gap="sm" maw={1_100}>
      <NativeSelect
        size="xs"
        maw={420}
        label="Held against"
        value={chosen}
        onChange={(e) => setChosen(e.currentTarget.value)}
        data={[
          { value: '', label: 'Its reference, or else its own ramp-up' },
          ...others.map((one) => ({
            value: one.id,
            label: `${one.name}, ${one.tiles} tile${one.tiles === 1 ? '' : 's'}`,
          })),
        ]}
      />
      {chosen === '' && (
        <Text size="xs" c={dim}>
          One run alone tells less: a counter that was high from the start has nothing to be
          compared with. Choose a run that was well.
        </Text>
      )}
      <TwoRunDiagnosis failId={runId} passId={chosen === '' ? null : chosen} />
    </Stack>
  );
}
