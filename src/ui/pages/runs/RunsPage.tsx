import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { newestFirst } from '../../../core/run/newestFirst.ts';
import type { RunSummary } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { useRunList, useRunOverview } from '../../engine/runData.ts';
import { useNow } from '../../engine/useNow.ts';
import { Failure } from '../../kit/LoadState.tsx';
import { OriginMark } from '../../kit/OriginMark.tsx';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { dim } from '../../kit/tones.ts';
import { HistoryPage } from '../history/HistoryPage.tsx';
import { RunProgress } from './RunProgress.tsx';

/** Runs that go on now, and below them every run and study there was. */
export function RunsPage() {
  return <HistoryPage above={<ActiveRuns />} />;
}

function ActiveRuns() {
  const runs = useRunList();
  if (runs.data === undefined && runs.error)
    return <Failure title="Active runs cannot be listed" error={runs.error} onRetry={runs.retry} />;
  const active = newestFirst(runs.data ?? []).filter(({ state }) => !isEnd(state));
  return (
    active.length > 0 && (
      <Stack gap={8} component="section" aria-label="Active runs">
        {active.map((run) => (
          <ActiveRun key={run.id} run={run} />
        ))}
      </Stack>
    )
  );
}

function ActiveRun({ run }: { run: RunSummary }) {
  const overview = useRunOverview(run.id);
  const nowMs = useNow(
    overview.data?.nowMs ?? 0,
    overview.data !== undefined && !isEnd(overview.data.state),
  );
  return (
    <Paper p="sm">
      <Group gap="md" mb={8}>
        <OriginMark origin={run.origin} />
        <Anchor component={Link} to={`/runs/${run.id}`} fw={600}>
          {run.name}
        </Anchor>
        <RunStateBadge state={overview.data?.state ?? run.state} />
        <Text
          size="sm"
          c={dim}
        >{`${run.profileName}, ${counted(run.tiles, 'tile')} on ${run.testbedName}`}</Text>
      </Group>
      {overview.data && <RunProgress overview={overview.data} nowMs={nowMs} />}
    </Paper>
  );
}
