import { NativeSelect, Stack, Text } from '@mantine/core';
import { use, useMemo, useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { Comparison } from '../../../core/compare/index.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { type Asked, useRunRecords } from '../../engine/runData.ts';
import { useClient } from '../../engine/services.ts';
import { Fold } from '../../kit/Fold.tsx';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { ChartMarkContext, markOfAll } from '../../kit/mark.ts';
import { StudyLink } from '../../kit/StudyLink.tsx';
import { dim } from '../../kit/tones.ts';
import { TwoRunDiagnosis } from '../diagnosis/RunDiagnosis.tsx';
import { RunSetupDiff } from '../snapshot/RunSetupDiff.tsx';
import { ActsCompared } from './ActsCompared.tsx';
import styles from './cards.module.css';
import { CompareVerdict, type Repair } from './CompareVerdict.tsx';
import { DeltaMatrix } from './DeltaMatrix.tsx';
import { DiffersCard } from './DiffersCard.tsx';
import { ForestCard } from './ForestCard.tsx';
import { Method, MetricTable } from './MetricTable.tsx';
import { Overlays } from './Overlays.tsx';
import { RowPicture } from './RowPicture.tsx';
import { ScoreCard } from './ScoreCard.tsx';
import { SetupDiff } from './SetupDiff.tsx';
import { useChosen } from './useChosen.ts';

/**
 * Runs against a baseline: the verdict, score, what differs and where it comes from, tile by tile,
 * the chosen row as a chart; then all behind it.
 */
export function CompareResult({ comparison, repair }: { comparison: Comparison; repair: Repair }) {
  const [candidate, setCandidate] = useState<string | null>(null);
  // At first a run of the other side: what repeats the baseline is no news.
  const run =
    candidate === null
      ? (comparison.sides[1]?.runs[0] ?? 1)
      : Math.max(
          1,
          comparison.runs.findIndex(({ id }) => id === candidate),
        );
  const { chosen, choose, chooseWorkload } = useChosen(comparison, run);
  const records = useNamedRecords(comparison);
  const outer = use(ChartMarkContext);
  return (
    <ChartMarkContext value={outer ?? markOfAll(comparison.runs.map((r) => r.origin))}>
      <CompareVerdict comparison={comparison} repair={repair} />
      <SharedStudy comparison={comparison} />
      {comparison.runs.length > 2 && (
        <NativeSelect
          size="xs"
          w="fit-content"
          aria-label="Run held against the baseline"
          value={comparison.runs[run]!.id}
          onChange={(e) => setCandidate(e.currentTarget.value)}
          data={comparison.runs.slice(1).map(({ id }, i) => ({
            value: id,
            label: `${comparison.names[i + 1]!} against ${comparison.names[0]!}`,
          }))}
        />
      )}
      <div className={styles.cards}>
        <ScoreCard comparison={comparison} run={run} />
        <DiffersCard comparison={comparison} />
        <ForestCard
          comparison={comparison}
          run={run}
          workloadId={chosen?.workloadId ?? null}
          onChoose={chooseWorkload}
        />
      </div>
      {chosen !== null && comparison.runs.length > 1 && (
        <DeltaMatrix comparison={comparison} run={run} chosen={chosen} onChoose={choose} />
      )}
      <RowPicture comparison={comparison} records={records} run={run} chosen={chosen} />
      {records.data && <ActsCompared records={records.data} />}
      <Folds comparison={comparison} records={records} run={run} />
    </ChartMarkContext>
  );
}

/** Records of the runs under the names that tell them apart here. */
function useNamedRecords({ runs, names }: Comparison): Asked<RunRecord[]> {
  const asked = useRunRecords(runs.map((r) => r.id));
  const { data } = asked;
  const named = useMemo(
    () =>
      data?.map((record, i) => ({
        ...record,
        overview: { ...record.overview, name: names[i] ?? record.overview.name },
      })),
    [data, names],
  );
  return { ...asked, data: named };
}

/** Points of one study leave its name away: it is named once. */
function SharedStudy({ comparison: { runs, names } }: { comparison: Comparison }) {
  const [first] = runs;
  if (first?.study == null || first.name === names[0]) return null;
  if (runs.some(({ study }) => study?.id !== first.study?.id)) return null;
  return (
    <Text size="sm" c={dim}>
      All are runs of the study{' '}
      <StudyLink
        study={first.study}
        name={first.name.slice(0, Math.max(0, first.name.lastIndexOf(': ')))}
      />
      .
    </Text>
  );
}

function Folds({
  comparison,
  records,
  run,
}: {
  comparison: Comparison;
  records: Asked<RunRecord[]>;
  run: number;
}) {
  const { setup, rows, runs, guards, baselineId } = comparison;
  return (
    <>
      <Fold title="All metrics" said={counted(rows.length, 'metric')}>
        <MetricTable comparison={comparison} run={run} />
      </Fold>
      <Fold title="Set-up that differs" said={counted(setup.length, 'setting')}>
        <Stack gap={6}>
          <SetupDiff comparison={comparison} />
          {records.data?.length === 2 && <RunSetupDiff records={records.data} />}
        </Stack>
      </Fold>
      {runs.length === 2 && guards.length === 0 && (
        <Fold title="Why" said="what the counters of hosts, storage, network and clients say">
          <Text size="xs" c={dim} mb={6}>
            The baseline is taken as the run that is well. Swap it (B) to ask the other way.
          </Text>
          <TwoRunDiagnosis
            passId={baselineId}
            failId={runs.find((one) => one.id !== baselineId)!.id}
          />
        </Fold>
      )}
      <Fold title="All charts" said="each workload of each tile, each machine">
        <AllCharts records={records} />
      </Fold>
      <Fold title="Method">
        <Method comparison={comparison} />
      </Fold>
    </>
  );
}

function AllCharts({ records }: { records: Asked<RunRecord[]> }) {
  const client = useClient();
  if (records.data) return <Overlays client={client} records={records.data} />;
  return records.error ? (
    <Failure title="Charts cannot be drawn" error={records.error} onRetry={records.retry} />
  ) : (
    <Pending label="charts" />
  );
}
