import type { SampleBatch, SeriesDef } from '../../../src/shared/metric.ts';

/** What of a run lies in the tail, by series, and the newest time of each series on disk. */
export interface RunBuffer {
  /** Short key of the run in the chunk tables; null = it has no chunk yet. */
  key: number | null;
  /** Samples of a batch that are newer than their series' last one, times rounded to whole milliseconds; nothing is taken yet. */
  accept(batch: SampleBatch): SampleBatch;
  commit(accepted: SampleBatch): void;
  add(seriesId: number, tMs: number, value: number): void;
  /** Marks a time as stored, for what lies in chunks. */
  raise(seriesId: number, lastMs: number): void;
  pending(seriesId: number): { tMs: Float64Array; value: Float64Array } | null;
  pendingCount(): number;
  longest(): number;
  forEachPending(visit: (seriesId: number, tMs: Float64Array, value: Float64Array, count: number, decimals: number) => void): void;
  clear(): void;
}

interface Pending { tMs: Float64Array; value: Float64Array; count: number; lastMs: number; decimals: number }

export function createRunBuffer(key: number | null, series: readonly SeriesDef[]): RunBuffer {
  const bySeries = new Map<number, Pending>();
  const of = (id: number): Pending => {
    const known = bySeries.get(id);
    if (known) return known;
    const made: Pending = { tMs: new Float64Array(320), value: new Float64Array(320), count: 0, lastMs: -Infinity, decimals: 0 };
    bySeries.set(id, made);
    return made;
  };
  for (const def of series) of(def.id).decimals = def.decimals;
  let longest = 0;

  const add = (seriesId: number, tMs: number, value: number): void => {
    const pending = of(seriesId);
    if (pending.count === pending.tMs.length) { pending.tMs = grow(pending.tMs); pending.value = grow(pending.value); }
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
      // Times seen in this batch; the series' own are raised only when the batch is on disk.
      const seen = new Map<number, number>();
      let length = 0;
      for (let i = 0; i + 2 < batch.length; i += 3) {
        const id = batch[i]!;
        const tMs = Math.round(batch[i + 1]!);
        const value = batch[i + 2]!;
        const last = Math.max(of(id).lastMs, seen.get(id) ?? -Infinity);
        if (!(tMs > last) || !Number.isFinite(value)) continue;
        seen.set(id, tMs);
        accepted[length] = id; accepted[length + 1] = tMs; accepted[length + 2] = value;
        length += 3;
      }
      return length === batch.length ? accepted : accepted.slice(0, length);
    },
    commit(accepted) { for (let i = 0; i + 2 < accepted.length; i += 3) add(accepted[i]!, accepted[i + 1]!, accepted[i + 2]!); },
    add,
    raise(seriesId, lastMs) { const pending = of(seriesId); if (lastMs > pending.lastMs) pending.lastMs = lastMs; },
    pending(seriesId) {
      const pending = bySeries.get(seriesId);
      return pending && pending.count > 0 ? { tMs: pending.tMs.subarray(0, pending.count), value: pending.value.subarray(0, pending.count) } : null;
    },
    pendingCount: () => [...bySeries.values()].reduce((sum, pending) => sum + pending.count, 0),
    longest: () => longest,
    forEachPending(visit) { for (const [id, pending] of bySeries) if (pending.count > 0) visit(id, pending.tMs, pending.value, pending.count, pending.decimals); },
    clear() { for (const pending of bySeries.values()) pending.count = 0; longest = 0; },
  };
  return buffer;
}

function grow(array: Float64Array): Float64Array {
  const grown = new Float64Array(array.length * 2);
  grown.set(array);
  return grown;
}
