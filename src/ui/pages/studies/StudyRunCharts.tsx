import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router';

import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { chartsFor } from '../../../core/study/figureRun.ts';
import { useEngineClock } from '../../charts/engineClock.ts';
import { createChartGroup } from '../../charts/group.ts';
import { useRunOverview } from '../../engine/runData.ts';
import { useLiveRun } from '../../engine/useLiveRun.ts';
import { useNow } from '../../engine/useNow.ts';
import { LiveRunFault } from '../../kit/LiveRunFault.tsx';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { useSame } from '../../kit/useSame.ts';
import { RunChart } from '../live/RunChart.tsx';
import { useRunLines, useStoredSamples } from '../live/useRunLines.ts';
import { RunProgress } from '../runs/RunProgress.tsx';

interface Props {
  runId: string;
  measure: string;
  /** `16 tiles`. */ point: string;
  /** The first chart large: what the study is about is its time. */ large?: boolean;
}

/** One run of the study over its time: live while it goes on, as stored afterwards. */
export function StudyRunCharts({ runId, measure, point, large = false }: Props) {
  const overview = useRunOverview(runId);
  if (overview.data === undefined)
    return overview.error ? (
      <Failure title="The run cannot be shown" error={overview.error} onRetry={overview.retry} />
    ) : (
      <Pending label="run" rows={3} />
    );
  return (
    <RunCharts
      key={`${runId} ${isEnd(overview.data.state)}`}
      overview={overview.data}
      measure={measure}
      point={point}
      large={large}
    />
  );
}

function RunCharts({
  overview,
  measure,
  point,
  large,
}: {
  overview: RunOverview;
  measure: string;
  point: string;
  large: boolean;
}) {
  const live = !isEnd(overview.state);
  const nowMs = useNow(overview.nowMs, live);
  const { followed, charts, ...drawn } = useStudyRun(overview, measure, live);
  return (
    <Stack gap={8} component="section" aria-label={`Run at ${point}`}>
      <Group gap="sm">
        <Title order={2}>{`Over the run at ${point}`}</Title>
        <RunStateBadge state={overview.state} compliant={overview.verdict?.compliant ?? null} />
        <Anchor component={Link} to={`/runs/${overview.id}`} size="sm">
          {live ? 'Live board' : 'Open run'}
        </Anchor>
      </Group>
      {live && <RunProgress overview={overview} nowMs={nowMs} />}
      <LiveRunFault run={followed} />
      {charts.length === 0 ? (
        <Text size="sm">No series yet. Charts appear here when the first source reports.</Text>
      ) : (
        <Charts live={live} large={large} charts={charts} {...drawn} />
      )}
    </Stack>
  );
}

/** What the charts of a run draw: live as it comes, as stored afterwards. */
function useStudyRun(overview: RunOverview, measure: string, live: boolean) {
  // Only what is charted: a run of a study may be over in seconds and have hundreds of series.
  const charted = useCallback(
    (run: RunOverview) =>
      chartsFor(boardCharts(run, null), measure).flatMap((c) => c.defs.map((d) => d.id)),
    [measure],
  );
  const followed = useLiveRun(live ? overview.id : null, charted);
  const clock = useEngineClock(overview, followed.series);
  const series = useSame(overview.series);
  const workloads = useSame(
    overview.workloads.map(({ entityId, workloadId }) => ({ entityId, workloadId })),
  );
  const charts = useMemo(
    () =>
      chartsFor(
        boardCharts({ series, workloads: workloads as RunOverview['workloads'] }, null),
        measure,
      ),
    [series, workloads, measure],
  );
  const defs = useMemo(() => charts.flatMap((c) => c.defs), [charts]);
  const load = useStoredSamples(overview.id);
  const lines = useRunLines(
    overview,
    defs,
    live ? { live: followed.series, paced: true } : { load },
  );
  return { followed, clock, charts, lines };
}

/** The charts side by side, on one time axis. */
function Charts({
  live,
  large,
  clock,
  charts,
  lines,
}: Omit<ReturnType<typeof useStudyRun>, 'followed'> & {
  live: boolean;
  large: boolean;
}) {
  const [group] = useState(() => createChartGroup());
  return (
    <div
      style={{
        display: 'grid',
        gap: 8,
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(320px, 100%), 1fr))',
      }}
    >
      {charts.map((c, i) => (
        <div key={c.id} style={large && i === 0 ? { gridColumn: '1 / -1' } : { minWidth: 0 }}>
          <RunChart
            chart={c}
            lines={lines}
            group={group}
            height={large && i === 0 ? 320 : 150}
            nowMs={live ? clock.now : undefined}
          />
        </div>
      ))}
    </div>
  );
}
