import type { SeriesDef } from '../../../core/metric/metric.ts';
import type { ReplaySpan } from '../../../core/run/replay.ts';
import type { Reader } from '../../../wire/contract.ts';
import { type ChartGroup, createChartGroup } from '../../charts/group.ts';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import { createCutSource, type Cut, type CutSource } from './cutSource.ts';
import { visibleStretch } from './detailPlan.ts';
import { createReplayClock, type ReplayClock, type Speed } from './replayClock.ts';
import { createSampleReader, type Reading } from './sampleReader.ts';

export interface ReplayPlayer {
  readonly clock: ReplayClock;
  /** What the live board reads instead of the live store. */
  readonly feed: LiveFeed;
  readonly group: ChartGroup;
  /**
   * The moment up to which charts show samples: the clock's, as of the last beat. What is drawn is
   * measured against this.
   */
  readonly shownMs: () => number;
  /** The same object until something changed. */
  readonly reading: () => Reading;
  readonly onReading: (listener: () => void) => () => void;
  readonly retry: () => void;
  /** Reads and plays until the returned function is called; may be started again. */
  readonly start: () => () => void;
}
export interface ReplayOptions {
  runId: string;
  series: readonly SeriesDef[];
  span: ReplaySpan;
  atMs?: number;
  speed?: Speed;
  playing?: boolean;
  windowMs?: number | null;
  wallMs?: () => number;
  /** Calls back every 100 ms until the returned function is called. */
  every?: (beat: () => void) => () => void;
}

/**
 * Window a replay begins with: what passes in half a minute here at least, the whole run where it
 * is not much longer.
 */
function windowFor(speed: Speed, spanMs: number): number | null {
  const wanted = speed <= 10 ? 300_000 : speed <= 60 ? 1_800_000 : Infinity;
  return spanMs > wanted * 2 ? wanted : null;
}

const tenthOfSecond = (beat: () => void): (() => void) => {
  const timer = setInterval(beat, 100);
  return () => {
    clearInterval(timer);
  };
};

/**
 * Plays a stored run to charts as if it were live. Charts never wait: they show what the sample
 * reader has brought so far.
 */
export function createReplayPlayer(client: Reader, options: ReplayOptions): ReplayPlayer {
  const { runId, series, span, wallMs = () => performance.now(), every = tenthOfSecond } = options;
  const clock = createReplayClock(span, options, wallMs);
  const group = createChartGroup({
    windowMs:
      options.windowMs === undefined
        ? windowFor(clock.state().speed, span.endMs - span.startMs)
        : options.windowMs,
  });
  const cut: Cut = { atMs: clock.now(), moves: 0 };
  const sources = new Map<number, CutSource>(
    series.map((s) => [s.id, createCutSource(s.periodMs, cut, wallMs)]),
  );
  const listeners = new Set<() => void>();
  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const reader = createSampleReader({
    client,
    runId,
    series,
    span,
    sources,
    wallMs,
    visible: () => visibleStretch(group.get(), cut.atMs, span),
    speed: () => clock.state().speed,
    onSamples: announce,
  });
  const show = (): void => {
    const at = clock.now();
    if (at !== cut.atMs) {
      if (at < cut.atMs) cut.moves++;
      cut.atMs = at;
      announce();
    }
    reader.readOn();
  };
  let beats = 0;
  // A short window at a high speed moves its axes with every beat, which costs more than the lines:
  // fewer beats there.
  const beat = (): void => {
    if (clock.state().speed <= 60 || group.get().windowMs === null || beats++ % 3 === 0) show();
  };
  return {
    clock,
    group,
    shownMs: () => cut.atMs,
    feed: {
      source: (_runId, id) => sources.get(id) ?? nothing,
      lastMs: () => cut.atMs,
      subscribe: (_runId, listener) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    reading: reader.reading,
    onReading: reader.onReading,
    retry: reader.retry,
    start: () => {
      const stops = [reader.stop, clock.subscribe(show), every(beat)];
      reader.start();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

const nothing = createCutSource(1_000, { atMs: -Infinity, moves: 0 }, () => 0);
