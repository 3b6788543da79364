import { useCallback, useEffect, useMemo, useState } from 'react';

import { replaySpan } from '../../../core/run/replay.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { steadyWindow } from '../../../core/run/windows.ts';
import { useEngineClock } from '../../charts/engineClock.ts';
import { createChartGroup } from '../../charts/group.ts';
import { useEngineRate } from '../../engine/engineTime.ts';
import { useClient } from '../../engine/services.ts';
import { useLiveRun } from '../../engine/useLiveRun.ts';
import type { Speed } from '../replay/replayClock.ts';
import { createReplayPlayer, type ReplayPlayer } from '../replay/replayPlayer.ts';
import { useOverviewAt } from '../replay/useOverviewAt.ts';
import type { RunFilm } from './RunStage.tsx';

/** A run that goes on, over its whole time so far. */
export function useLiveFilm(overview: RunOverview, record: RunRecord): RunFilm {
  const rate = useEngineRate();
  const { id } = overview;
  const { series } = useLiveRun(id);
  const [group] = useState(() => createChartGroup());
  const clock = useEngineClock(overview, series);
  // Under a fast clock an overview is minutes ahead of the newest sample: nothing is stale because
  // of that.
  const nowMs = useCallback(() => {
    const newest = series.lastMs(id);
    return rate === 1 || Number.isNaN(newest) ? clock.now() : newest;
  }, [series, id, rate, clock]);
  return useMemo(
    () => ({ overview, record, feed: series, paced: true, group, nowMs }),
    [overview, record, series, group, nowMs],
  );
}

/** Seconds a whole run takes on screen. */
const filmS = 45;
const filmSpeed = (durationMs: number): Speed =>
  durationMs / filmS / 1_000 > 300
    ? 600
    : durationMs / filmS / 1_000 > 120
      ? 300
      : durationMs / filmS / 1_000 > 60
        ? 120
        : durationMs / filmS / 1_000 > 10
          ? 60
          : 10;

/**
 * A stored run played again from its start, over its whole time; about 45 s long where its speed
 * allows.
 * From its `end` it stands still, at the end of the steady state where it has one.
 */
export function useReplayFilm(
  record: RunRecord,
  from: 'start' | 'end' = 'start',
): { film: RunFilm; player: ReplayPlayer } {
  const client = useClient();
  const [player] = useState(() => {
    const span = replaySpan(record.overview) ?? {
      startMs: record.overview.createdAtMs,
      endMs: record.overview.createdAtMs,
    };
    const made = createReplayPlayer(client, {
      runId: record.overview.id,
      series: record.overview.series,
      span,
      windowMs: null,
      speed: filmSpeed(span.endMs - span.startMs),
    });
    if (from === 'end') {
      const steady = steadyWindow(record.overview);
      made.clock.dispatch({ do: 'pause' });
      // Within it: at its very end the load has stopped.
      made.clock.dispatch({
        do: 'seek',
        toMs: steady === null ? span.endMs : Math.max(steady.startMs, steady.endMs - 1),
      });
    }
    return made;
  });
  useEffect(() => player.start(), [player]);
  const overview = useOverviewAt(record.overview, player.clock);
  const film = useMemo(
    () => ({
      overview,
      record,
      feed: player.feed,
      paced: false,
      group: player.group,
      nowMs: player.shownMs,
    }),
    [overview, record, player],
  );
  return { film, player };
}
