import { type AppError, toAppError } from '../../../core/base/errors.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import type { ReplaySpan } from '../../../core/run/replay.ts';
import type { Reader } from '../../../wire/contract.ts';
import type { CutSource } from './cutSource.ts';
import { detailPoints, nextDetail, type Stretch, wholePoints } from './detailPlan.ts';
import type { Speed } from './replayClock.ts';

/** How far the samples of the run are read: series done of all, and what went wrong. */
export interface Reading {
  done: number;
  total: number;
  error: AppError | null;
}
export interface SampleReader {
  /** The same object until something changed. */
  readonly reading: () => Reading;
  readonly onReading: (listener: () => void) => () => void;
  /** Begins anew after a stop. */
  readonly start: () => void;
  readonly stop: () => void;
  /** Reads what is missing, unless it reads already or has failed. */
  readonly readOn: () => void;
  readonly retry: () => void;
}
export interface SampleReaderDeps {
  client: Reader;
  runId: string;
  series: readonly SeriesDef[];
  span: ReplaySpan;
  sources: ReadonlyMap<number, CutSource>;
  wallMs: () => number;
  /** What charts show now, and how fast that passes. */
  visible: () => Stretch;
  speed: () => Speed;
  /** Samples came. */
  onSamples: () => void;
}

/**
 * Series a call of `run.samples`: at most a million samples, so that other calls get their turn.
 */
const seriesPerCall = 100;
/** Points a series of the first pass: what the engine keeps ready of long runs. */
const quickPoints = 1_000;
/** A chart that is in sight reads at least this often. */
const lookedAtMs = 2_500;

interface Detail {
  stretch: Stretch;
  /** Series of it that are still to be read. */
  ids: number[];
}
interface State extends SampleReaderDeps {
  readonly finestMs: number;
  readonly listeners: Set<() => void>;
  abort: AbortController;
  reading: Reading;
  busy: boolean;
  /** Series of the first, quick pass and of the second, finer one that are still to be read. */
  quick: number[];
  finer: number[];
  /** The stretch that is held in full, and the series it is held of. */
  held: Stretch | null;
  heldIds: Set<number>;
  detail: Detail | null;
}

/**
 * Reads the samples of a stored run for a replay: all series quickly and thin, then, for those
 * somebody looks at, the stretch around the position in full and ahead of it, then the whole run as
 * fine as a chart can show.
 */
export function createSampleReader(deps: SampleReaderDeps): SampleReader {
  const { series, span } = deps;
  const state: State = {
    ...deps,
    finestMs: Math.min(...series.map((s) => s.periodMs), 60_000),
    listeners: new Set(),
    abort: new AbortController(),
    reading: { done: 0, total: series.length, error: null },
    busy: false,
    quick: series.map((s) => s.id),
    finer: series
      .filter((s) => (span.endMs - span.startMs) / s.periodMs > quickPoints)
      .map((s) => s.id),
    held: null,
    heldIds: new Set(),
    detail: null,
  };
  return {
    reading: () => state.reading,
    onReading: (listener) => {
      state.listeners.add(listener);
      return () => {
        state.listeners.delete(listener);
      };
    },
    start: () => {
      state.abort = new AbortController();
      state.busy = false;
      void readOn(state);
    },
    stop: () => {
      state.abort.abort();
    },
    readOn: () => void readOn(state),
    retry: () => {
      setReading(state, { error: null });
      void readOn(state);
    },
  };
}

function setReading(state: State, change: Partial<Reading>): void {
  state.reading = { ...state.reading, ...change };
  for (const listener of state.listeners) listener();
}

async function readOn(state: State): Promise<void> {
  if (state.busy || state.reading.error !== null) return;
  const { signal } = state.abort;
  state.busy = true;
  try {
    while (!signal.aborted && isMissing(state)) await readOne(state);
  } catch (thrown) {
    state.detail = null;
    if (!signal.aborted) setReading(state, { error: toAppError(thrown) });
  } finally {
    if (signal === state.abort.signal) state.busy = false;
  }
}

const isMissing = (state: State): boolean =>
  state.quick.length > 0 || state.finer.length > 0 || (detailWanted(state)?.ids.length ?? 0) > 0;

/**
 * One call: what nothing is known of first, then what is looked at in full, then the whole run
 * finer.
 */
async function readOne(state: State): Promise<void> {
  if (state.quick.length > 0) {
    const page = state.quick.slice(0, seriesPerCall);
    await ask(state, page, quickPoints, null);
    state.quick = state.quick.slice(page.length);
    setReading(state, { done: state.series.length - state.quick.length });
    return;
  }
  const wanted = detailWanted(state);
  if (wanted !== null && wanted.ids.length > 0) {
    await readDetail(state, wanted);
    return;
  }
  const first = new Set(looked(state));
  state.finer.sort((a, b) => Number(first.has(b)) - Number(first.has(a)));
  const page = state.finer.slice(0, seriesPerCall);
  await ask(state, page, wholePoints, null);
  state.finer = state.finer.slice(page.length);
}

async function readDetail(state: State, { stretch, ids }: Detail): Promise<void> {
  const page = ids.slice(0, seriesPerCall);
  state.detail = { stretch, ids: ids.slice(page.length) };
  await ask(state, page, detailPoints, stretch);
  if (state.held !== stretch) {
    state.held = stretch;
    state.heldIds = new Set();
  }
  for (const id of page) state.heldIds.add(id);
  if (state.detail.ids.length === 0) state.detail = null;
}

/** The stretch in full that charts need now, with the series still to be read; null = nothing. */
function detailWanted(state: State): Detail | null {
  const { detail, held, heldIds } = state;
  const next = nextDetail(
    state.visible(),
    detail?.stretch ?? held,
    state.span,
    state.speed(),
    state.finestMs,
  );
  if (next !== null) return { stretch: next, ids: looked(state) };
  if (detail !== null) return detail;
  const ids = held === null ? [] : looked(state).filter((id) => !heldIds.has(id));
  return held === null || ids.length === 0 ? null : { stretch: held, ids };
}

/** Series that a chart in sight reads. */
const looked = ({ series, sources, wallMs }: State): number[] =>
  series.filter((s) => wallMs() - sources.get(s.id)!.readAtMs() < lookedAtMs).map((s) => s.id);

/** Reads series over a stretch, or with null over the whole run. */
async function ask(
  { client, runId, abort, sources, onSamples }: State,
  ids: readonly number[],
  maxPoints: number,
  stretch: Stretch | null,
): Promise<void> {
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
  onSamples();
}
