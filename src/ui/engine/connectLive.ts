import { type AppError, toAppError } from '../../core/base/errors.ts';
import type { SeriesData } from '../../core/metric/metric.ts';
import type { RunOverview } from '../../core/run/run.ts';
import { isEnd } from '../../core/run/states.ts';
import type { Reader } from '../../wire/contract.ts';
import type { LiveSeries } from './liveSeries.ts';
import { rawSpanMs } from './seriesRing.ts';

export interface LiveState {
  state: 'loading' | 'ready' | 'disconnected' | 'failed';
  overview: RunOverview | null;
  error: AppError | null;
}
export interface LiveConnection {
  /** The same object until something changed. */
  readonly get: () => LiveState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Loads again after a failure. */
  readonly retry: () => void;
  readonly close: () => void;
}

/**
 * After samples were dropped the window is slow: what is missing is asked for later and later, and
 * as buckets.
 */
const gapWaitMs = { first: 2_000, longest: 60_000, forgottenAfter: 120_000 };

/** Series a call of `run.samples`: 100 series of 30 min at 1 Hz are about 3 MB. */
const seriesPerCall = 100;
/** How far before the newest sample a gap may begin. */
const overlapMs = 60_000;
/** Points a series that fill a gap of a slow window. */
const gapPoints = 120;

/**
 * Follows one run: registers for events first and asks for the snapshot after, so nothing falls
 * between; the back-fill is merged under what arrived meanwhile. A lower `rev` is ignored. When the
 * port comes back, what was missed is read from the last sample on; when samples were dropped
 * because this window is slow, it is given less to do: the gap is read as buckets, and the more
 * often it happens the later.
 * `wanted`: series whose past is read; what arrives live is all kept.
 */
export function connectLive(
  client: Reader,
  live: LiveSeries,
  runId: string,
  wanted: (overview: RunOverview) => readonly number[] = allSeries,
): LiveConnection {
  let current: LiveState = { state: 'loading', overview: null, error: null };
  const listeners = new Set<() => void>();
  const abort = new AbortController();
  let loads = 0;
  const set = (change: Partial<LiveState>): void => {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  };
  const take = (overview: RunOverview): void => {
    if (
      overview.id !== runId ||
      (current.overview !== null && overview.rev <= current.overview.rev)
    )
      return;
    live.define(runId, overview.series);
    set({ overview });
  };
  let gapTimer: ReturnType<typeof setTimeout> | null = null;
  const nextWaitMs = createGapWaits();
  /**
   * What came after a gap was told of, or after the port came back, is newer than what is missing.
   */
  const missedFromMs = (): number => {
    const lastMs = live.lastMs(runId);
    return Number.isNaN(lastMs) ? -Infinity : lastMs - overlapMs;
  };
  const readGap = (): void => {
    if (gapTimer !== null) return;
    const waitMs = nextWaitMs(performance.now());
    const fromMs = missedFromMs();
    gapTimer = setTimeout(() => {
      gapTimer = null;
      void load(fromMs, gapPoints);
    }, waitMs);
  };
  const load = async (sinceMs: number, recentPoints = 0): Promise<void> => {
    const mine = ++loads;
    try {
      const overview = await client.call('run.overview', { id: runId }, abort.signal);
      take(overview);
      await backfill(client, live, overview, wanted(overview), {
        sinceMs,
        recentPoints,
        signal: abort.signal,
      });
      if (mine === loads) set({ state: 'ready', error: null });
    } catch (thrown) {
      const error = toAppError(thrown);
      if (mine === loads && !abort.signal.aborted)
        set({ state: error.kind === 'unreachable' ? 'disconnected' : 'failed', error });
    }
  };
  const stops = [
    client.on('run.samples', (event) => {
      if (event.runId === runId) live.ingest(runId, event.batch);
    }),
    client.on('run.series', (event) => {
      if (event.runId === runId) live.define(runId, event.series);
    }),
    client.on('run.changed', take),
    client.follow(runId),
    client.onGap((gapRunId) => {
      if (gapRunId === runId) readGap();
    }),
    client.onState((state) => {
      if (state !== 'open') set({ state: 'disconnected' });
      else void load(missedFromMs());
    }),
  ];
  void load(-Infinity);
  return {
    get: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    retry: () => {
      set({ state: 'loading', error: null });
      void load(-Infinity);
    },
    close: () => {
      abort.abort();
      if (gapTimer !== null) clearTimeout(gapTimer);
      for (const stop of stops) stop();
      listeners.clear();
    },
  };
}

/**
 * How long to wait after a gap at this moment: twice as long as after the one before, unless that
 * is long ago.
 */
function createGapWaits(): (nowMs: number) => number {
  let gapAtMs = -Infinity;
  let waitMs = gapWaitMs.first;
  return (nowMs) => {
    waitMs =
      nowMs - gapAtMs > gapWaitMs.forgottenAfter
        ? gapWaitMs.first
        : Math.min(gapWaitMs.longest, waitMs * 2);
    gapAtMs = nowMs;
    return waitMs;
  };
}

const allSeries = (overview: RunOverview): number[] => overview.series.map((s) => s.id);

interface Backfill {
  sinceMs: number;
  /** Points a series of the last 30 minutes; 0 = every sample. */
  recentPoints: number;
  signal: AbortSignal;
}

/**
 * Reads what lies before now: the last 30 minutes sample by sample, older time as minimum and
 * maximum a bucket.
 */
async function backfill(
  client: Reader,
  live: LiveSeries,
  overview: RunOverview,
  ids: readonly number[],
  { sinceMs, recentPoints, signal }: Backfill,
): Promise<void> {
  if (overview.startedAtMs === null) return;
  const endMs =
    isEnd(overview.state) && overview.endedAtMs !== null ? overview.endedAtMs : overview.nowMs;
  const rawFromMs = Math.max(overview.startedAtMs, endMs - rawSpanMs);
  const fromMs = Math.max(sinceMs, overview.startedAtMs);
  for (let i = 0; i < ids.length; i += seriesPerCall) {
    const seriesIds = ids.slice(i, i + seriesPerCall);
    const older =
      fromMs < rawFromMs
        ? await client.call(
            'run.samples',
            { runId: overview.id, seriesIds, fromMs, toMs: rawFromMs, maxPoints: 2_000 },
            signal,
          )
        : [];
    const recent = await client.call(
      'run.samples',
      {
        runId: overview.id,
        seriesIds,
        fromMs: Math.max(fromMs, rawFromMs),
        maxPoints: recentPoints,
      },
      signal,
    );
    live.seed(overview.id, joinWindows(older, recent));
  }
}

/** Two windows of the same series as one, so that a ring takes them in one merge. */
function joinWindows(older: readonly SeriesData[], recent: readonly SeriesData[]): SeriesData[] {
  const before = new Map(older.map((s) => [s.seriesId, s]));
  const after = new Map(recent.map((s) => [s.seriesId, s]));
  return [...new Set([...before.keys(), ...after.keys()])].map((seriesId) => {
    const a = before.get(seriesId);
    const b = after.get(seriesId);
    if (a === undefined || a.tMs.length === 0) return b ?? a!;
    if (b === undefined || b.tMs.length === 0) return a;
    const overlap = a.tMs.findIndex((t) => t >= b.tMs[0]!);
    const cut = overlap < 0 ? a.tMs.length : overlap;
    return {
      seriesId,
      tMs: concat(a.tMs.subarray(0, cut), b.tMs),
      value: concat(a.value.subarray(0, cut), b.value),
    };
  });
}

function concat(a: Float64Array, b: Float64Array): Float64Array {
  const joined = new Float64Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
