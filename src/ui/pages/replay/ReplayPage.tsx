import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconFileText, IconPresentation } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';

import { overviewAt, type ReplaySpan, replaySpan } from '../../../core/run/replay.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { useRunRecord } from '../../engine/runData.ts';
import { useClient } from '../../engine/services.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { ChartMarkContext, markOf } from '../../kit/mark.ts';
import { dim } from '../../kit/tones.ts';
import { LiveBoard } from '../live/LiveBoard.tsx';
import { EventList } from '../runs/EventList.tsx';
import { LiveStrip } from '../runs/LiveStrip.tsx';
import { RunMarkChips } from '../runs/RunMarks.tsx';
import { WorkloadTable } from '../runs/WorkloadTable.tsx';
import { fromParams, toParams } from './replayAddress.ts';
import { createReplayPlayer, type ReplayPlayer } from './replayPlayer.ts';
import { Transport } from './Transport.tsx';
import { useOverviewAt } from './useOverviewAt.ts';
import { useReplayPosition } from './useReplayPosition.ts';

/**
 * A stored run on the live board as if it went on now; the address holds run, position and speed.
 */
export function ReplayPage() {
  const { id = '' } = useParams();
  const record = useRunRecord(id);
  if (record.data === undefined)
    return record.error ? (
      <Failure title="The run cannot be replayed" error={record.error} onRetry={record.retry} />
    ) : (
      <Pending label="replay" />
    );
  const span = replaySpan(record.data.overview);
  if (span === null)
    return (
      <Nothing
        text={`${record.data.overview.name} never started: there is nothing to replay.`}
        action={
          <Button size="xs" component={Link} to={`/runs/${id}`}>
            Open run
          </Button>
        }
      />
    );
  return <Player key={id} record={record.data} span={span} />;
}

/**
 * A player that lives as long as its page, begun where the address says; the address follows it.
 */
function Player({ record, span }: { record: RunRecord; span: ReplaySpan }) {
  const client = useClient();
  const [params, setParams] = useSearchParams();
  const [player] = useState(() =>
    createReplayPlayer(client, {
      runId: record.overview.id,
      series: record.overview.series,
      span,
      ...fromParams(params, span),
    }),
  );
  useEffect(() => player.start(), [player]);
  useEffect(() => {
    let written = '';
    let beats = 0;
    const timer = setInterval(() => {
      const state = player.clock.state();
      // A moving position is written every fifth second: browsers refuse more changes of the
      // address.
      if (state.playing && beats++ % 5 !== 0) return;
      const next = toParams(state, player.clock.now());
      const text = JSON.stringify(next);
      if (text !== written) setParams(next, { replace: true });
      written = text;
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, [player, setParams]);
  return <Playing record={record} player={player} />;
}

function Playing({ record, player }: { record: RunRecord; player: ReplayPlayer }) {
  const { clock } = player;
  const reading = useSyncExternalStore(player.onReading, player.reading);
  const overview = useOverviewAt(record.overview, clock);
  const { profile, inventoryBefore } = record;
  return (
    <ChartMarkContext value={markOf(record.overview.origin, true)}>
      <Stack gap={8} style={{ minHeight: '100%' }}>
        <Header
          overview={overview}
          player={player}
          marks={
            <RunMarkChips
              overview={{ ...overview, origin: record.overview.origin }}
              replayed
              resultName={profile.resultName}
              minimumHosts={profile.minimumHosts}
              hostCount={inventoryBefore?.hosts.length ?? null}
            />
          }
        />
        {reading.error !== null && (
          <Failure
            title="Samples of the run cannot be read"
            error={reading.error.toShape()}
            onRetry={player.retry}
          />
        )}
        {reading.error === null && reading.done < reading.total && (
          <Text
            size="sm"
            c={dim}
            role="status"
          >{`Reading samples: ${reading.done} of ${reading.total} series`}</Text>
        )}
        <Tabs defaultValue="board" keepMounted={false}>
          <Tabs.List aria-label="Replay">
            <Tabs.Tab value="board">Board</Tabs.Tab>
            <Tabs.Tab value="workloads">Workloads</Tabs.Tab>
            <Tabs.Tab value="events">{`Events (${overview.events.length})`}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="board" pt={8}>
            <LiveBoard
              overview={overview}
              source="live"
              live={player.feed}
              playback={{ now: player.shownMs, group: player.group }}
              profile={profile}
            />
          </Tabs.Panel>
          <Tabs.Panel value="workloads" pt="sm">
            <Workloads record={record} player={player} />
          </Tabs.Panel>
          <Tabs.Panel value="events" pt="sm">
            <EventList overview={overview} />
          </Tabs.Panel>
        </Tabs>
        <Transport clock={clock} stored={record.overview} />
      </Stack>
    </ChartMarkContext>
  );
}

function Header({
  overview,
  player,
  marks,
}: {
  overview: RunOverview;
  player: ReplayPlayer;
  marks: ReactNode;
}) {
  const nowMs = useReplayPosition(player.clock);
  const actions = (
    <Group gap={8}>
      <Button
        size="xs"
        variant="default"
        component={Link}
        to={`/present/replay/${overview.id}`}
        leftSection={<IconPresentation size={14} aria-hidden />}
      >
        Present
      </Button>
      <Button
        size="xs"
        variant="default"
        component={Link}
        to={`/runs/${overview.id}`}
        leftSection={<IconFileText size={14} aria-hidden />}
      >
        Open run
      </Button>
    </Group>
  );
  return <LiveStrip overview={overview} nowMs={nowMs} marks={marks} actions={actions} />;
}

function Workloads({ record, player }: { record: RunRecord; player: ReplayPlayer }) {
  const nowMs = useReplayPosition(player.clock);
  return <WorkloadTable overview={overviewAt(record, nowMs)} record={record} nowMs={nowMs} />;
}
