import { useCallback, useEffect, useMemo, useState } from 'react';

import { stagePlaces, type StageScene, stageScene } from '../../../core/chart/stage/scene.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import { useSame } from '../../kit/useSame.ts';
import { type FigureReader, stageFigures } from './stageFigures.ts';

/** What a stage shows of a run. Keep the identity of functions while what they read stays. */
export interface StageOf {
  overview: RunOverview;
  profile: Profile | null;
  sourceOf: FigureReader['sourceOf'];
  /** The moment on stage, epoch ms. */
  atMs: () => number;
  /** The moment is now, and moves. */
  live: boolean;
  slackMs?: number;
  /** Places to keep in each rack. */
  room?: number;
}

/** Something read each second while it is live, and whenever how to read it changes. */
function useBeating<T>(read: () => T, live: boolean): T {
  const [state, setState] = useState(() => ({ read, value: read() }));
  useEffect(
    () =>
      live
        ? onHeartbeat(() => {
            setState({ read, value: read() });
          })
        : undefined,
    [read, live],
  );
  if (state.read === read) return state.value;
  const next = { read, value: read() };
  setState(next);
  return next.value;
}

/** The scene of a run at its moment. */
export function useStageScene({
  overview,
  profile,
  sourceOf,
  atMs,
  live,
  slackMs = 0,
  room = 0,
}: StageOf): StageScene {
  const { series, workloads } = overview;
  const placement = useSame(overview.placement);
  const machines = useSame(
    workloads.map(({ tile, workloadId, vmName, entityId }) => ({
      tile,
      workloadId,
      vmName,
      entityId,
    })),
  ) as RunOverview['workloads'];
  const places = useMemo(
    () => stagePlaces({ placement, series, workloads: machines }, profile, room),
    [placement, series, machines, profile, room],
  );
  const read = useCallback(
    () =>
      stageScene(
        places,
        workloads,
        stageFigures({ series, sourceOf, live, slackMs }, atMs()),
        atMs(),
      ),
    [places, workloads, series, sourceOf, live, slackMs, atMs],
  );
  return useBeating(read, live);
}
