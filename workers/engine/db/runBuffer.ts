import type { SampleBatch, SeriesDef } from '../../../src/core/metric/metric.ts';

/** What of a run lies in the tail, by series, and the newest time of each series on disk. */
export interface RunBuffer {
  /** Short key of the run in the chunk tables; null = it has no chunk yet. */
  key: number | null;
  /**
   * Samples of a batch that are newer than their series' last one, times rounded to whole
   * milliseconds; nothing is taken yet.
   */
  accept(batch: SampleBatch): SampleBatch;
  commit(accepted: SampleBatch): void;
  add(seriesId: number, tMs: number, value: number): void;
  /** Marks a time as stored, for what lies in chunks. */
  raise(seriesId: number, lastMs: number): void;
  readonly decimalsOf: (seriesId: number) => number;
  pending(seriesId: number): { tMs: Float64Array; value: Float64Array } | null;
  pendingCount(): number;
  longest(): number;
  forEachPending(
    visit: (
      seriesId: number,
      tMs: Float64Array,
      value: Float64Array,
      count: number,
      decimals: number,
    ) => void,
  ): void;
  clear(): void;
}

interface Pending {
  tMs: Float64Array;
  value: Float64Array;
  count: number;
  lastMs: number;
  /** Newest time of the batch at hand; becomes lastMs when that is on disk. */ seenMs: number;
  decimals: number;
}

export function createRunBuffer(key: number | null, series: readonly SeriesDef[]): RunBuffer {
  // Series ids are dense from 0: an array is several times faster than a map at a thousand samples
  // a second.
  const bySeries: Pending[] = [];
  const of = (id: number): Pending => {
    const known = bySeries[id];
    if (known) return known;
    const made: Pending = {
      // Grown by the first sample: a run read back may have fifty thousand series and nothing
      // pending.
      tMs: none,
      value: none,
      count: 0,
      lastMs: -Infinity,
      seenMs: -Infinity,
      decimals: 0,
    };
    bySeries[id] = made;
    return made;
  };
  for (const def of series) of(def.id).decimals = def.decimals;
  let longest = 0;

  const add = (seriesId: number, tMs: number, value: number): void => {
    const pending = of(seriesId);
    if (pending.count === pending.tMs.length) {
      pending.tMs = grow(pending.tMs);
      pending.value = grow(pending.value);
    }
    pending.tMs[pending.count] = tMs;
    pending.value[pending.count] = value;
    pending.count += 1;
    pending.lastMs = tMs;
    if (pending.count > longest) longest = pending.count;
  };

  const buffer: RunBuffer = {
    key,
    accept(batch) {
      const accepted = new Float64Array(batch.length);
      let length = 0;
      for (let i = 0; i + 2 < batch.length; i += 3) {
        const one = of(batch[i]!);
        one.seenMs = one.lastMs;
      }
      for (let i = 0; i + 2 < batch.length; i += 3) {
        const one = of(batch[i]!);
        const tMs = Math.round(batch[i + 1]!);
        const value = batch[i + 2]!;
        if (!(tMs > one.seenMs) || !Number.isFinite(tMs) || !Number.isFinite(value)) continue;
        one.seenMs = tMs;
        accepted[length] = batch[i]!;
        accepted[length + 1] = tMs;
        accepted[length + 2] = value;
        length += 3;
      }
      return length === batch.length ? accepted : accepted.slice(0, length);
    },
    commit(accepted) {
      for (let i = 0; i + 2 < accepted.length; i += 3)
        add(accepted[i]!, accepted[i + 1]!, accepted[i + 2]!);
    },
    add,
    raise(seriesId, lastMs) {
      const pending = of(seriesId);
      if (lastMs > pending.lastMs) pending.lastMs = lastMs;
    },
    decimalsOf: (seriesId) => bySeries[seriesId]?.decimals ?? 0,
    pending(seriesId) {
      const pending = bySeries[seriesId];
      return pending && pending.count > 0
        ? {
            tMs: pending.tMs.subarray(0, pending.count),
            value: pending.value.subarray(0, pending.count),
          }
        : null;
    },
    pendingCount: () => bySeries.reduce((sum, pending) => sum + pending.count, 0),
    longest: () => longest,
    forEachPending(visit) {
      bySeries.forEach((pending, id) => {
        if (pending.count > 0)
          visit(id, pending.tMs, pending.value, pending.count, pending.decimals);
      });
    },
    clear() {
      bySeries.forEach((pending) => {
        pending.count = 0;
      });
      longest = 0;
    },
  };
  return buffer;
}

const none = new Float64Array(0);
/** Room of a series that has a sample: what lies in the tail before it becomes a chunk. */
const firstRoom = 320;

function grow(array: Float64Array): Float64Array {
  const grown = new Float64Array(Math.max(firstRoom, array.length * 2));
  grown.set(array);
  return grown;
}
