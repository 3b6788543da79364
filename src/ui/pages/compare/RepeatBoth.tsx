import { Button, Stack, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { formatDuration } from '../../../core/base/duration.ts';
import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import type { Comparison } from '../../../core/compare/index.ts';
import { planDurationS } from '../../../core/plan/plan.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { longestPauseS, mostOfEach, repeatSpec } from '../../../core/study/repeatBoth.ts';
import {
  useAppInfoQuery,
  usePlanListQuery,
  useRunListQuery,
  useStudySaveMutation,
  useStudyStartMutation,
} from '../../engine/api.ts';
import { useRunRecords } from '../../engine/runData.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { DurationField } from '../../kit/DurationField.tsx';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { NumberField } from '../../kit/NumberField.tsx';
import { dim } from '../../kit/tones.ts';

/** Where one run stands against one: both again, so that chance can be told from a difference. */
export function RepeatBoth({ comparison }: { comparison: Comparison }) {
  const [open, setOpen] = useState(false);
  const { runs, sides, guards } = comparison;
  if (runs.length !== 2 || sides.length !== 2 || guards.length > 0) return null;
  if (runs.some(({ origin, importedFrom }) => origin === 'replay' || importedFrom !== undefined))
    return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRepeat size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Repeat both…
      </Button>
      {open && <RepeatSheet comparison={comparison} onClose={() => setOpen(false)} />}
    </>
  );
}

function RepeatSheet({ comparison, onClose }: { comparison: Comparison; onClose: () => void }) {
  const records = useRunRecords(comparison.runs.map(({ id }) => id));
  const { data: plans } = usePlanListQuery({});
  const { data: runs } = useRunListQuery({});
  const [a, b] = records.data ?? [];
  return (
    <Dialog onClose={onClose} title="Repeat both" size="lg">
      {records.error ? (
        <Failure title="The runs cannot be read" error={records.error} onRetry={records.retry} />
      ) : a === undefined || b === undefined || plans === undefined || runs === undefined ? (
        <Pending label="runs" rows={3} />
      ) : (
        <RepeatForm
          pair={[a, b]}
          names={comparison.names}
          obstacle={
            obstacleOf(
              [a, b],
              plans.map(({ id }) => id),
            ) ??
            (runs.some(({ state }) => !isEnd(state))
              ? 'Another run goes on. Repeat both when it has ended.'
              : null)
          }
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** Why two runs cannot be repeated as they were; null = they can. */
function obstacleOf(
  pair: readonly [RunRecord, RunRecord],
  planIds: readonly string[],
): string | null {
  for (const { plan, overview } of pair) {
    if (!planIds.includes(plan.id)) return `The plan of ${overview.name} does not exist any more.`;
    if (overview.origin === 'simulated' && plan.study !== null)
      return (
        `${overview.name} is a point of a study, which also sets the simulated lab. ` +
        'Give that study more repeats instead.'
      );
  }
  return null;
}

function RepeatForm({
  pair: [a, b],
  names,
  obstacle,
  onClose,
}: {
  pair: readonly [RunRecord, RunRecord];
  names: readonly string[];
  obstacle: string | null;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const { data: info } = useAppInfoQuery({});
  const [save, saving] = useStudySaveMutation();
  const [start, starting] = useStudyStartMutation();
  const [ofEach, setOfEach] = useState(3);
  const [pauseS, setPauseS] = useState(0);
  const enough = Number.isInteger(ofEach) && ofEach >= 2 && ofEach <= mostOfEach;
  const pauses = pauseS >= 0 && pauseS <= longestPauseS && Number.isInteger(pauseS);
  const valid = enough && pauses;
  const betweenMs = (ofEach * 2 - 1) * pauseS * 1_000;
  const loadMs = valid
    ? ofEach * (planDurationS(a.plan.phases) + planDurationS(b.plan.phases)) * 1_000
    : null;
  const begin = async (): Promise<void> => {
    const spec = repeatSpec(
      `repeat-${crypto.randomUUID()}`,
      [
        { id: a.overview.id, name: names[0]!, planId: a.plan.id },
        { id: b.overview.id, name: names[1]!, planId: b.plan.id },
      ],
      { ofEach, pauseS },
    );
    if ((await save(spec)).error || (await start({ id: spec.id })).error) return;
    void navigate(`/studies/${spec.id}`);
  };
  return (
    <Stack gap="sm">
      <NumberField
        label="Runs of each"
        description={`2 to ${mostOfEach}: three tell a difference from chance in most cases`}
        maw={380}
        data-autofocus
        value={ofEach}
        error={enough ? undefined : `A whole number from 2 to ${mostOfEach}.`}
        onChange={setOfEach}
      />
      <DurationField
        label="Pause between runs"
        description="Lets caches, hosts and the meter settle; 0 s: none"
        maw={380}
        value={pauseS}
        error={pauses ? undefined : `Whole seconds, at most ${formatDuration(longestPauseS)}.`}
        onChange={setPauseS}
      />
      {loadMs !== null && (
        <Text size="sm" role="status">
          <strong>
            {`${ofEach * 2} runs in turns, ${formatElapsed(loadMs)} of load` +
              (betweenMs > 0 ? ` and ${formatElapsed(betweenMs)} of pauses` : '')}
          </strong>
          {info === undefined
            ? '.'
            : `: ends at ${formatClock(info.nowMs + loadMs + betweenMs).slice(0, 5)} at the earliest, each check and start beside it.`}
        </Text>
      )}
      <Text size="sm" c={dim}>
        {`${names[0]!}, ${names[1]!}, ${names[0]!}, ${names[1]!} …: a drift of the lab meets both ` +
          'alike. Each has the plan it had, on its testbed as it is now. They go on with this ' +
          'window closed; their page pauses or ends them, and compares them at the end.'}
      </Text>
      {obstacle !== null && (
        <Text size="sm" role="alert">
          {obstacle}
        </Text>
      )}
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="filled"
          disabled={!valid || obstacle !== null}
          loading={saving.isLoading || starting.isLoading}
          onClick={() => void begin()}
        >
          Start the runs
        </Button>
      </DialogFoot>
    </Stack>
  );
}
