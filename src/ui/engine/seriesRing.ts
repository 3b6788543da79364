import { lowerBound } from '../../core/base/decimate.ts';
import { cutPart, gapLimitMs, type SeriesSource, type SeriesWindow } from './series.ts';

/** How much one series keeps. Fixed, so that memory is flat however long the run is. */
export interface RingLimits {
  /** Newest samples kept as they are. */ raw: number;
  /** Buckets of (minimum, maximum) for everything older. */ buckets: number;
}

export const rawSpanMs = 30 * 60_000;
/**
 * 30 minutes as measured (256 samples for slow sources, so that an hour of vCenter back-fill fits);
 * before that some thousand buckets, so 4 h show at 12 to 25 s a bucket.
 */
export const ringLimits = (periodMs: number): RingLimits => ({
  raw: Math.max(256, Math.min(1_800, Math.ceil(rawSpanMs / periodMs))),
  buckets: 1_024,
});

export interface SeriesRing extends SeriesSource {
  /** One sample; equal times replace, late ones are put in their place. */
  push(tMs: number, value: number): void;
  /** Back-fill of ascending samples; what is held already wins. */
  merge(tMs: Float64Array, value: Float64Array): void;
  /** Samples held, both tiers. */
  size(): number;
}

/**
 * Two tiers of contiguous typed arrays. Raw: newest samples, with a quarter of slack that is
 * shifted out at once. Old: minimum and maximum sample of each bucket with their true times; when
 * full, neighbours are joined and the bucket width doubles.
 */
export function createSeriesRing(
  periodMs: number,
  limits: RingLimits = ringLimits(periodMs),
): SeriesRing {
  const slack = Math.max(1, limits.raw >> 2);
  const capacity = limits.raw + slack;
  const t = new Float64Array(capacity);
  const v = new Float64Array(capacity);
  let count = 0;
  let revision = 0;
  // Most runs are shorter than the raw span: the old tier is made when first needed.
  let oldT = new Float64Array(0);
  let oldV = new Float64Array(0);
  let oldCount = 0;
  let bucketMs = periodMs * 4;

  const keepExtremes = (from: number, to: number, at: number): number => {
    let low = from,
      high = from;
    for (let i = from + 1; i < to; i++) {
      if (oldV[i]! < oldV[low]!) low = i;
      if (oldV[i]! > oldV[high]!) high = i;
    }
    const first = Math.min(low, high),
      last = Math.max(low, high);
    const lastT = oldT[last]!,
      lastV = oldV[last]!;
    oldT[at] = oldT[first]!;
    oldV[at] = oldV[first]!;
    if (first === last) return at + 1;
    oldT[at + 1] = lastT;
    oldV[at + 1] = lastV;
    return at + 2;
  };
  const compact = (): void => {
    bucketMs *= 2;
    let write = 0;
    for (let read = 0; read < oldCount;) {
      const bucket = Math.floor(oldT[read]! / bucketMs);
      let end = read + 1;
      while (end < oldCount && Math.floor(oldT[end]! / bucketMs) === bucket) end++;
      write = keepExtremes(read, end, write);
      read = end;
    }
    oldCount = write;
  };
  const retire = (tMs: number, value: number): void => {
    if (oldT.length === 0) {
      oldT = new Float64Array(limits.buckets * 2 + 2);
      oldV = new Float64Array(limits.buckets * 2 + 2);
    }
    while (oldCount > limits.buckets * 2 - 1) compact();
    oldT[oldCount] = tMs;
    oldV[oldCount] = value;
    oldCount++;
    const bucket = Math.floor(tMs / bucketMs);
    let start = oldCount - 1;
    while (start > 0 && Math.floor(oldT[start - 1]! / bucketMs) === bucket) start--;
    if (oldCount - start > 2) oldCount = keepExtremes(start, oldCount, start);
  };
  const append = (tMs: number, value: number): void => {
    if (count === capacity) {
      for (let i = 0; i < slack; i++) retire(t[i]!, v[i]!);
      t.copyWithin(0, slack, count);
      v.copyWithin(0, slack, count);
      count -= slack;
    }
    t[count] = tMs;
    v[count] = value;
    count++;
  };
  const insertLate = (tMs: number, value: number): void => {
    const at = lowerBound(t, 0, count, tMs);
    if (at < count && t[at] === tMs) {
      if (v[at] !== value) {
        v[at] = value;
        revision++;
      }
      return;
    }
    // Later than the whole raw span: dropped here, the engine's store has it and a reopened run
    // shows it.
    if (at === 0 && oldCount > 0) return;
    append(t[count - 1]!, v[count - 1]!);
    const place = lowerBound(t, 0, count, tMs);
    if (place === 0 && oldCount > 0) {
      count--;
      return;
    }
    t.copyWithin(place + 1, place, count - 1);
    v.copyWithin(place + 1, place, count - 1);
    t[place] = tMs;
    v[place] = value;
    revision++;
  };
  return {
    push: (tMs, value) => {
      if (!Number.isFinite(tMs) || !Number.isFinite(value)) return;
      if (count === 0 || tMs > t[count - 1]!) append(tMs, value);
      else insertLate(tMs, value);
    },
    merge: (tMs, value) => {
      const heldT = t.slice(0, count);
      const heldV = v.slice(0, count);
      const floor = oldCount > 0 ? oldT[oldCount - 1]! : -Infinity;
      count = 0;
      let i = lowerBound(tMs, 0, tMs.length, floor);
      if (i < tMs.length && tMs[i] === floor) i++;
      let j = 0;
      while (i < tMs.length || j < heldT.length) {
        const fresh = i < tMs.length ? tMs[i]! : Infinity;
        const held = j < heldT.length ? heldT[j]! : Infinity;
        if (held <= fresh) {
          append(held, heldV[j]!);
          j++;
          if (held === fresh) i++;
        } else {
          if (Number.isFinite(value[i])) append(fresh, value[i]!);
          i++;
        }
      }
      revision++;
    },
    read: (fromMs, toMs, into: SeriesWindow) => {
      into.count = 0;
      if (oldCount > 0 && fromMs <= oldT[oldCount - 1]!)
        cutPart(
          into.parts[into.count++]!,
          oldT,
          oldV,
          0,
          oldCount,
          fromMs,
          toMs,
          gapLimitMs(bucketMs),
        );
      if (count > 0 && (into.count === 0 || toMs >= t[0]!))
        cutPart(into.parts[into.count++]!, t, v, 0, count, fromMs, toMs, gapLimitMs(periodMs));
    },
    firstMs: () => (oldCount > 0 ? oldT[0]! : count > 0 ? t[0]! : NaN),
    lastMs: () => (count > 0 ? t[count - 1]! : NaN),
    lastValue: () => (count > 0 ? v[count - 1]! : NaN),
    revision: () => revision,
    size: () => oldCount + count,
  };
}
