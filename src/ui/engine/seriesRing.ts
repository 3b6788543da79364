import { lowerBound } from '../../core/base/decimate.ts';
import { gapLimitMs } from '../../core/metric/gap.ts';
import { addSample, type BucketTier, createBucketTier } from './bucketTier.ts';
import { cutPart, type SeriesSource, type SeriesWindow } from './series.ts';

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

/** Newest samples as measured, the first `count` of `t` and `v`; what was before them is in `old`. */
interface Ring {
  readonly t: Float64Array;
  readonly v: Float64Array;
  readonly old: BucketTier;
  /** Samples that make room at once when `t` is full. */
  readonly slack: number;
  count: number;
  revision: number;
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
  const old = createBucketTier(limits.buckets, periodMs * 4);
  const t = new Float64Array(limits.raw + slack);
  const v = new Float64Array(limits.raw + slack);
  const ring: Ring = { t, v, old, slack, count: 0, revision: 0 };
  return {
    push: (tMs, value) => {
      if (!Number.isFinite(tMs) || !Number.isFinite(value)) return;
      if (ring.count === 0 || tMs > t[ring.count - 1]!) append(ring, tMs, value);
      else insertLate(ring, tMs, value);
    },
    merge: (tMs, value) => {
      merge(ring, tMs, value);
    },
    read: (fromMs, toMs, into: SeriesWindow) => {
      into.count = 0;
      const { count } = ring;
      const oldGapMs = gapLimitMs(old.bucketMs);
      if (old.count > 0 && fromMs <= old.t[old.count - 1]!)
        cutPart(into.parts[into.count++]!, old.t, old.v, 0, old.count, fromMs, toMs, oldGapMs);
      if (count > 0 && (into.count === 0 || toMs >= t[0]!))
        cutPart(into.parts[into.count++]!, t, v, 0, count, fromMs, toMs, gapLimitMs(periodMs));
    },
    firstMs: () => (old.count > 0 ? old.t[0]! : ring.count > 0 ? t[0]! : NaN),
    lastMs: () => (ring.count > 0 ? t[ring.count - 1]! : NaN),
    lastValue: () => (ring.count > 0 ? v[ring.count - 1]! : NaN),
    revision: () => ring.revision,
    size: () => old.count + ring.count,
  };
}

function append(ring: Ring, tMs: number, value: number): void {
  const { t, v, old, slack } = ring;
  if (ring.count === t.length) {
    for (let i = 0; i < slack; i++) addSample(old, t[i]!, v[i]!);
    t.copyWithin(0, slack, ring.count);
    v.copyWithin(0, slack, ring.count);
    ring.count -= slack;
  }
  t[ring.count] = tMs;
  v[ring.count] = value;
  ring.count++;
}

function insertLate(ring: Ring, tMs: number, value: number): void {
  const { t, v, old } = ring;
  const at = lowerBound(t, 0, ring.count, tMs);
  if (at < ring.count && t[at] === tMs) {
    if (v[at] !== value) {
      v[at] = value;
      ring.revision++;
    }
    return;
  }
  // Later than the whole raw span: dropped here, the engine's store has it and a reopened run
  // shows it.
  if (at === 0 && old.count > 0) return;
  append(ring, t[ring.count - 1]!, v[ring.count - 1]!);
  const place = lowerBound(t, 0, ring.count, tMs);
  if (place === 0 && old.count > 0) {
    ring.count--;
    return;
  }
  t.copyWithin(place + 1, place, ring.count - 1);
  v.copyWithin(place + 1, place, ring.count - 1);
  t[place] = tMs;
  v[place] = value;
  ring.revision++;
}

function merge(ring: Ring, tMs: Float64Array, value: Float64Array): void {
  const { old } = ring;
  const heldT = ring.t.slice(0, ring.count);
  const heldV = ring.v.slice(0, ring.count);
  const floor = old.count > 0 ? old.t[old.count - 1]! : -Infinity;
  ring.count = 0;
  let i = lowerBound(tMs, 0, tMs.length, floor);
  if (i < tMs.length && tMs[i] === floor) i++;
  let j = 0;
  while (i < tMs.length || j < heldT.length) {
    const fresh = i < tMs.length ? tMs[i]! : Infinity;
    const held = j < heldT.length ? heldT[j]! : Infinity;
    if (held <= fresh) {
      append(ring, held, heldV[j]!);
      j++;
      if (held === fresh) i++;
    } else {
      if (Number.isFinite(value[i])) append(ring, fresh, value[i]!);
      i++;
    }
  }
  ring.revision++;
}
