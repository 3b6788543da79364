import { useState, useSyncExternalStore } from 'react';

import { stageHosts } from '../../../core/chart/stage/scene.ts';
import { meanCpuWords } from '../../../core/chart/stage/words.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { type ChartGroup, createChartGroup } from '../../charts/group.ts';
import { Stage } from '../../charts/stage/Stage.tsx';
import { runOrigin } from './boardModel.ts';
import type { FigureReader } from './stageFigures.ts';
import { StageTime, useStageTime } from './StageTime.tsx';
import type { Board } from './useBoard.ts';
import { useHostSamples } from './useHostSamples.ts';
import { useStageScene } from './useStageScene.ts';

/** There are several hosts: where VMs run is worth a picture. */
export const isForStage = (overview: RunOverview): boolean => stageHosts(overview).length > 1;

const heightPx = 232;
/** Beside the tiles, on the first screen. */
const liveHeightPx = 140;

/** The hosts of a board with their VMs; of a run that has ended with a slider through its time. */
export function BoardStage({ board, overview }: { board: Board; overview: RunOverview }) {
  return board.isLive ? (
    <LiveRacks board={board} overview={overview} />
  ) : (
    <StoredRacks
      overview={overview}
      profile={board.profile}
      sourceOf={board.lines.sourceOf}
      group={board.group}
    />
  );
}

function LiveRacks({ board, overview }: { board: Board; overview: RunOverview }) {
  const { profile, lines, nowMs, group } = board;
  const scene = useStageScene({
    overview,
    profile,
    sourceOf: lines.sourceOf,
    atMs: nowMs,
    live: true,
    slackMs: lines.slackMs,
  });
  const { highlight } = useSyncExternalStore(group.subscribe, group.get);
  const facts = [{ label: 'CPU of all hosts', text: meanCpuWords(scene) }];
  return <Stage scene={scene} facts={facts} tile={tileOf(highlight)} height={liveHeightPx} />;
}

/** The hosts of a run that has ended, with its VMs, and a slider through its time. */
function StoredRacks({
  overview,
  profile,
  sourceOf,
  group,
}: {
  overview: RunOverview;
  profile: Profile | null;
  sourceOf: FigureReader['sourceOf'];
  group: ChartGroup;
}) {
  const time = useStageTime(overview);
  const scene = useStageScene({
    overview: time.overview,
    profile,
    sourceOf,
    atMs: time.atMs,
    live: false,
  });
  const { highlight } = useSyncExternalStore(group.subscribe, group.get);
  return (
    <Stage
      scene={scene}
      facts={[{ label: 'CPU of all hosts', text: meanCpuWords(scene) }]}
      tile={tileOf(highlight)}
      height={heightPx}
    >
      <StageTime time={time} group={group} originMs={runOrigin(overview)} />
    </Stage>
  );
}

/**
 * The same by itself, with its own samples; nothing where there is one host, or nobody knows where
 * VMs ran.
 */
export function ResultStage({
  overview,
  profile,
}: {
  overview: RunOverview;
  profile: Profile | null;
}) {
  return overview.placement !== undefined && isForStage(overview) ? (
    <OwnRacks overview={overview} profile={profile} />
  ) : null;
}

function OwnRacks({ overview, profile }: { overview: RunOverview; profile: Profile | null }) {
  const { sourceOf } = useHostSamples(overview);
  const [group] = useState(createChartGroup);
  return <StoredRacks overview={overview} profile={profile} sourceOf={sourceOf} group={group} />;
}

/** The tile that is highlighted on the charts. */
function tileOf(highlight: string | null): number | null {
  const found = /^tile:(\d+)$/.exec(highlight ?? '');
  return found === null ? null : Number(found[1]);
}
