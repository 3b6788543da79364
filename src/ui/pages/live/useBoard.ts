import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import { planDurationS } from '../../../core/plan/plan.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { useEngineClock } from '../../charts/engineClock.ts';
import { type ChartGroup, createChartGroup } from '../../charts/group.ts';
import { useEngineRate } from '../../engine/engineTime.ts';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import type { ChartSeries } from '../../engine/series.ts';
import { useSame } from '../../kit/useSame.ts';
import { createCatalog } from './boardTargets.ts';
import { boardHeadroom, boardWarnings, meanBetween } from './headroom.ts';
import { type LoadSeries, useRunLines } from './useRunLines.ts';

export type LiveBoardProps = BoardProps &
  (
    | {
        source: 'live';
        /** The samples so far, and those to come. */
        live: LiveFeed;
        /** What was measured before is still under way: no source is called silent yet. */
        reading?: boolean;
        load?: undefined;
      }
    | {
        source: 'stored';
        live?: undefined;
        reading?: undefined;
        /** Asked once; keep its identity. */
        load: LoadSeries;
      }
  );

interface BoardProps {
  overview: RunOverview;
  /** Gives QoS limits and workload names. */
  profile?: Profile | null | undefined;
  /**
   * A stored run played again: its clock, and the charts' shared time so that the player reads
   * ahead of it.
   */
  playback?: { now: () => number; group: ChartGroup } | undefined;
  /** What asks for attention before all else. */
  alerts?: ReactNode;
  /** Asks for a note; epoch ms of the cursor, or null for now. */
  onAddNote?: ((atMs: number | null) => void) | undefined;
}

export type Board = ReturnType<typeof useBoard>;

/** What a board shows of a run; each part is the same object while nothing of it changed. */
export function useBoard(props: LiveBoardProps) {
  const { overview, profile = null, playback } = props;
  const isLive = props.source === 'live';
  const { group, nowMs } = useBoardTime(props);
  const series = useSame(overview.series, sameSeries);
  const workloads = useSame(
    overview.workloads.map(({ entityId, tile, workloadId }) => ({ entityId, tile, workloadId })),
  ) as RunOverview['workloads'];
  const lines = useRunLines(
    overview,
    series,
    props.source === 'live' ? { live: props.live, paced: playback === undefined } : props,
  );
  const { sourceOf, originMs } = lines;
  const charts = useMemo(
    () => boardCharts({ series, workloads }, profile),
    [series, workloads, profile],
  );
  const catalog = useMemo(
    () => createCatalog(charts, workloads, profile),
    [charts, workloads, profile],
  );
  const headroom = useCallback(
    () =>
      boardHeadroom(
        overview,
        profile,
        sourceOf,
        isLive ? nowMs() : (overview.endedAtMs ?? overview.nowMs),
      ),
    [overview, profile, sourceOf, isLive, nowMs],
  );
  const warnings = useCallback(
    () => boardWarnings(overview, profile, sourceOf, nowMs()),
    [overview, profile, sourceOf, nowMs],
  );
  return {
    isLive,
    /** A run that goes on now, not one that is played again. */
    isNow: isLive && playback === undefined,
    profile,
    group,
    nowMs,
    /** The clock of a run that moves; undefined where it has ended. */
    liveNow: isLive ? nowMs : undefined,
    lines,
    /** End of what is stored, run-relative. */
    endMs: isLive ? 0 : (overview.endedAtMs ?? overview.nowMs) - originMs,
    workloads,
    charts,
    catalog,
    headroom,
    warnings,
  };
}

/** Clock at the source, and the time that the charts share. */
function useBoardTime({ overview, source, live, playback }: LiveBoardProps): {
  group: ChartGroup;
  nowMs: () => number;
} {
  const rate = useEngineRate();
  // Five minutes pass in half a second of a fast clock, and a short run would leave most of them
  // empty: there the whole run is the window.
  const [ownGroup] = useState<ChartGroup>(() =>
    createChartGroup({
      windowMs:
        source === 'live' && rate === 1 && planDurationS(overview.phasesPlanned) > 600
          ? 300_000
          : null,
    }),
  );
  const clock = useEngineClock(overview, live);
  // The board of a run that has just ended stands still: nothing of it goes stale.
  const endMs = isEnd(overview.state) ? (overview.endedAtMs ?? overview.nowMs) : null;
  const now = useCallback(() => endMs ?? clock.now(), [endMs, clock]);
  return { group: playback?.group ?? ownGroup, nowMs: playback?.now ?? now };
}

/**
 * The value of a line at a glance: the last one while the run lasts, then the mean of its periods,
 * or of all of it where it has none.
 */
export function useGlance(
  { isLive, lines: { originMs } }: Board,
  { periods, endedAtMs, nowMs }: RunOverview,
): { read: (line: ChartSeries) => number; when: string } {
  const fromMs = periods[0]?.startMs ?? originMs;
  const toMs = periods.at(-1)?.endMs ?? endedAtMs ?? nowMs;
  const read = useCallback(
    (line: ChartSeries) =>
      isLive ? line.source.lastValue() : meanBetween(line.source, fromMs, toMs),
    [isLive, fromMs, toMs],
  );
  const past = periods.length === 0 ? 'mean of the run' : 'mean of the periods';
  return { read, when: isLive ? 'now' : past };
}

/** Series are only ever added, and each keeps what it is. */
const sameSeries = (a: readonly SeriesDef[], b: readonly SeriesDef[]): boolean =>
  a.length === b.length &&
  a.every(
    (s, i) => s.id === b[i]!.id && s.entity.id === b[i]!.entity.id && s.metric === b[i]!.metric,
  );
