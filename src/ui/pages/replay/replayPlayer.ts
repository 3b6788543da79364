import { type AppError, toAppError } from '../../../core/base/errors.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import type { ReplaySpan } from '../../../core/run/replay.ts';
import type { Reader } from '../../../wire/contract.ts';
import { type ChartGroup, createChartGroup } from '../../charts/group.ts';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import { createCutSource, type Cut, type CutSource } from './cutSource.ts';
import {
  detailPoints,
  nextDetail,
  type Stretch,
  visibleStretch,
  wholePoints,
} from './detailPlan.ts';
import { createReplayClock, type ReplayClock, type Speed } from './replayClock.ts';

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
/** How far the samples of the run are read: series done of all, and what went wrong. */
export interface Reading {
  done: number;
  total: number;
  error: AppError | null;
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

/**
 * Series a call of `run.samples`: at most a million samples, so that other calls get their turn.
 */
const seriesPerCall = 100;
/** Points a series of the first pass: what the engine keeps ready of long runs. */
const quickPoints = 1_000;
/** A chart that is in sight reads at least this often. */
const lookedAtMs = 2_500;

const tenthOfSecond = (beat: () => void): (() => void) => {
  const timer = setInterval(beat, 100);
  return () => {
    clearInterval(timer);
  };
};

/**
 * Plays a stored run: reads the whole run quickly and thin, then, for the series somebody looks at,
 * the stretch around the position in full and ahead of it, then the whole run as fine as a chart
 * can show. Charts never wait: they show what is there.
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
  const finestMs = Math.min(...series.map((s) => s.periodMs), 60_000);
  const listeners = new Set<() => void>();
  const readingListeners = new Set<() => void>();
  let abort = new AbortController();
  let reading: Reading = { done: 0, total: series.length, error: null };
  let held: Stretch | null = null;
  let heldIds = new Set<number>();
  let detail: { stretch: Stretch; ids: number[] } | null = null;
  /** Series of the first, quick pass and of the second, finer one that are still to be read. */
  let quick = series.map((s) => s.id);
  let finer = series
    .filter((s) => (span.endMs - span.startMs) / s.periodMs > quickPoints)
    .map((s) => s.id);
  let busy = false;
  let beats = 0;

  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const setReading = (change: Partial<Reading>): void => {
    reading = { ...reading, ...change };
    for (const listener of readingListeners) listener();
  };
  const looked = (): number[] =>
    series.filter((s) => wallMs() - sources.get(s.id)!.readAtMs() < lookedAtMs).map((s) => s.id);
  /**
   * The stretch in full that charts need now, as a list of series still to be read; null = nothing.
   */
  const detailWanted = (): { stretch: Stretch; ids: number[] } | null => {
    const next = nextDetail(
      visibleStretch(group.get(), cut.atMs, span),
      detail?.stretch ?? held,
      span,
      clock.state().speed,
      finestMs,
    );
    if (next !== null) return { stretch: next, ids: looked() };
    if (detail !== null) return detail;
    const ids = held === null ? [] : looked().filter((id) => !heldIds.has(id));
    return held === null || ids.length === 0 ? null : { stretch: held, ids };
  };
  const ask = async (
    ids: readonly number[],
    maxPoints: number,
    stretch: Stretch | null,
  ): Promise<void> => {
    const list = await client.call(
      'run.samples',
      { runId, seriesIds: [...ids], ...(stretch ?? {}), maxPoints },
      abort.signal,
    );
    for (const data of list) {
      const source = sources.get(data.seriesId);
      if (stretch === null) source?.setWhole(data);
      else source?.setDetail(data, stretch.fromMs, stretch.toMs);
    }
    announce();
  };
  /**
   * One call: what nothing is known of first, then what is looked at in full, then the whole run
   * finer.
   */
  const readOne = async (): Promise<void> => {
    if (quick.length > 0) {
      const page = quick.slice(0, seriesPerCall);
      await ask(page, quickPoints, null);
      quick = quick.slice(page.length);
      setReading({ done: series.length - quick.length });
      return;
    }
    const wanted = detailWanted();
    if (wanted !== null && wanted.ids.length > 0) {
      const { stretch, ids } = wanted;
      const page = ids.slice(0, seriesPerCall);
      detail = { stretch, ids: ids.slice(page.length) };
      await ask(page, detailPoints, stretch);
      if (held !== stretch) {
        held = stretch;
        heldIds = new Set();
      }
      for (const id of page) heldIds.add(id);
      if (detail.ids.length === 0) detail = null;
      return;
    }
    const first = new Set(looked());
    finer.sort((a, b) => Number(first.has(b)) - Number(first.has(a)));
    const page = finer.slice(0, seriesPerCall);
    await ask(page, wholePoints, null);
    finer = finer.slice(page.length);
  };
  const readOn = async (): Promise<void> => {
    if (busy || reading.error !== null) return;
    const { signal } = abort;
    busy = true;
    try {
      while (
        !signal.aborted &&
        (quick.length > 0 || finer.length > 0 || (detailWanted()?.ids.length ?? 0) > 0)
      )
        await readOne();
    } catch (thrown) {
      detail = null;
      if (!signal.aborted) setReading({ error: toAppError(thrown) });
    } finally {
      if (signal === abort.signal) busy = false;
    }
  };
  const show = (): void => {
    const at = clock.now();
    if (at !== cut.atMs) {
      if (at < cut.atMs) cut.moves++;
      cut.atMs = at;
      announce();
    }
    void readOn();
  };
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
    reading: () => reading,
    onReading: (listener) => {
      readingListeners.add(listener);
      return () => {
        readingListeners.delete(listener);
      };
    },
    retry: () => {
      setReading({ error: null });
      void readOn();
    },
    start: () => {
      abort = new AbortController();
      busy = false;
      const stops = [clock.subscribe(show), every(beat)];
      void readOn();
      return () => {
        abort.abort();
        for (const stop of stops) stop();
      };
    },
  };
}

const nothing = createCutSource(1_000, { atMs: -Infinity, moves: 0 }, () => 0);
