import type { Client } from '../../shared/contract.ts';
import { toAppError, type AppError } from '../../shared/errors.ts';
import type { SeriesDef } from '../../shared/metric.ts';
import type { ReplaySpan } from '../../shared/replay.ts';
import { createChartGroup, type ChartGroup } from '../charts/group.ts';
import type { LiveFeed } from '../main/liveSeries.ts';
import { createCutSource, type Cut, type CutSource } from './cutSource.ts';
import { detailPoints, nextDetail, visibleStretch, wholePoints, type Stretch } from './detailPlan.ts';
import { createReplayClock, type ReplayClock, type Speed } from './replayClock.ts';

export interface ReplayPlayer {
  readonly clock: ReplayClock;
  /** What the live board reads instead of the live store. */
  readonly feed: LiveFeed;
  readonly group: ChartGroup;
  /** The same object until something changed. */
  readonly reading: () => Reading;
  readonly onReading: (listener: () => void) => () => void;
  readonly retry: () => void;
  /** Reads and plays until the returned function is called; may be started again. */
  readonly start: () => () => void;
}
/** How far the samples of the run are read: series done of all, and what went wrong. */
export interface Reading { done: number; total: number; error: AppError | null }
export interface ReplayOptions {
  runId: string; series: readonly SeriesDef[]; span: ReplaySpan;
  atMs?: number; speed?: Speed; playing?: boolean; windowMs?: number | null;
  wallMs?: () => number;
  /** Calls back every 100 ms until the returned function is called. */
  every?: (beat: () => void) => () => void;
}

/** Series a call of `run.samples`: at most a million samples, so that other calls get their turn. */
const seriesPerCall = 100;
/** A chart that is in sight reads at least this often. */
const lookedAtMs = 2_500;

const tenthOfSecond = (beat: () => void): (() => void) => {
  const timer = setInterval(beat, 100);
  return () => { clearInterval(timer); };
};

/**
 * Plays a stored run: reads the whole run thinned to what a chart can show, then, for the series somebody looks at,
 * the stretch around the position in full and ahead of it. Charts never wait: where the detail is not there yet they show the thinner samples.
 */
export function createReplayPlayer(client: Client, options: ReplayOptions): ReplayPlayer {
  const { runId, series, span, wallMs = () => performance.now(), every = tenthOfSecond } = options;
  const clock = createReplayClock(span, options, wallMs);
  const group = createChartGroup({ windowMs: options.windowMs === undefined ? 300_000 : options.windowMs });
  const cut: Cut = { atMs: clock.now(), moves: 0 };
  const sources = new Map<number, CutSource>(series.map((s) => [s.id, createCutSource(s.periodMs, cut, wallMs)]));
  const finestMs = Math.min(...series.map((s) => s.periodMs), 60_000);
  const listeners = new Set<() => void>();
  const readingListeners = new Set<() => void>();
  let abort = new AbortController();
  let reading: Reading = { done: 0, total: series.length, error: null };
  let held: Stretch | null = null;
  let heldIds = new Set<number>();
  let busy = false;

  const announce = (): void => { for (const listener of listeners) listener(); };
  const setReading = (change: Partial<Reading>): void => {
    reading = { ...reading, ...change };
    for (const listener of readingListeners) listener();
  };
  const read = async (ids: readonly number[], stretch: Stretch | null, take: (source: CutSource, data: { tMs: Float64Array; value: Float64Array }) => void): Promise<void> => {
    for (let i = 0; i < ids.length; i += seriesPerCall) {
      const page = ids.slice(i, i + seriesPerCall);
      const list = await client.call('run.samples', { runId, seriesIds: page, ...(stretch ?? {}), maxPoints: stretch === null ? wholePoints : detailPoints }, abort.signal);
      for (const data of list) { const source = sources.get(data.seriesId); if (source !== undefined) take(source, data); }
      if (stretch === null) setReading({ done: Math.min(series.length, i + page.length) });
      announce();
    }
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    const { signal } = abort;
    if (busy) return;
    busy = true;
    try {
      await work();
      if (reading.error !== null) setReading({ error: null });
    } catch (thrown) {
      if (!signal.aborted) setReading({ error: toAppError(thrown) });
    } finally {
      if (signal === abort.signal) busy = false;
    }
  };
  const readWhole = (): Promise<void> => attempt(() => read(series.map((s) => s.id), null, (source, data) => { source.setWhole(data); }));
  const readAhead = (): void => {
    if (busy || reading.error !== null || reading.done < series.length) return;
    const looked = series.filter((s) => wallMs() - sources.get(s.id)!.readAtMs() < lookedAtMs).map((s) => s.id);
    const visible = visibleStretch(group.get(), cut.atMs, span);
    const next = nextDetail(visible, held, span, clock.state().speed, finestMs);
    const ids = next === null ? looked.filter((id) => !heldIds.has(id)) : looked;
    const stretch = next ?? held;
    if (ids.length === 0 || stretch === null) return;
    void attempt(async () => {
      await read(ids, stretch, (source, data) => { source.setDetail(data, stretch.fromMs, stretch.toMs); });
      heldIds = next === null ? new Set([...heldIds, ...ids]) : new Set(ids);
      held = stretch;
    });
  };
  const beat = (): void => {
    const at = clock.now();
    if (at !== cut.atMs) {
      if (at < cut.atMs) cut.moves++;
      cut.atMs = at;
      announce();
    }
    readAhead();
  };
  return {
    clock, group,
    feed: {
      source: (_runId, id) => sources.get(id) ?? nothing,
      lastMs: () => cut.atMs,
      subscribe: (_runId, listener) => { listeners.add(listener); return () => { listeners.delete(listener); }; },
    },
    reading: () => reading,
    onReading: (listener) => { readingListeners.add(listener); return () => { readingListeners.delete(listener); }; },
    retry: () => { void readWhole(); },
    start: () => {
      abort = new AbortController();
      busy = false;
      const stops = [clock.subscribe(beat), every(beat)];
      if (reading.done < series.length) void readWhole();
      return () => { abort.abort(); for (const stop of stops) stop(); };
    },
  };
}

const nothing = createCutSource(1_000, { atMs: -Infinity, moves: 0 }, () => 0);
