/**
 * Old samples in buckets of one width: of each bucket its lowest and its highest sample with their
 * true times, in time order. When full, neighbours are joined and the width doubles.
 */
export interface BucketTier {
  readonly buckets: number;
  bucketMs: number;
  /** Samples held: the first `count` of `t` and `v` are theirs. */
  count: number;
  t: Float64Array;
  v: Float64Array;
}

/** Takes no memory before its first sample: most runs are shorter than what is kept as measured. */
export const createBucketTier = (buckets: number, bucketMs: number): BucketTier => ({
  buckets,
  bucketMs,
  count: 0,
  t: new Float64Array(0),
  v: new Float64Array(0),
});

/** Adds a sample that is later than all before it. */
export function addSample(tier: BucketTier, tMs: number, value: number): void {
  const room = tier.buckets * 2;
  if (tier.t.length === 0) {
    tier.t = new Float64Array(room + 2);
    tier.v = new Float64Array(room + 2);
  }
  while (tier.count > room - 1) doubleWidth(tier);
  const { t, v, bucketMs } = tier;
  t[tier.count] = tMs;
  v[tier.count] = value;
  tier.count++;
  const bucket = Math.floor(tMs / bucketMs);
  let start = tier.count - 1;
  while (start > 0 && Math.floor(t[start - 1]! / bucketMs) === bucket) start--;
  if (tier.count - start > 2) tier.count = keepExtremes(tier, start, tier.count, start);
}

function doubleWidth(tier: BucketTier): void {
  tier.bucketMs *= 2;
  const { t, count, bucketMs } = tier;
  let write = 0;
  for (let read = 0; read < count;) {
    const bucket = Math.floor(t[read]! / bucketMs);
    let end = read + 1;
    while (end < count && Math.floor(t[end]! / bucketMs) === bucket) end++;
    write = keepExtremes(tier, read, end, write);
    read = end;
  }
  tier.count = write;
}

/** Moves the extremes of [from, to) to `at`, which is not after `from`; returns the place behind. */
function keepExtremes({ t, v }: BucketTier, from: number, to: number, at: number): number {
  let low = from;
  let high = from;
  for (let i = from + 1; i < to; i++) {
    if (v[i]! < v[low]!) low = i;
    if (v[i]! > v[high]!) high = i;
  }
  const first = Math.min(low, high);
  const last = Math.max(low, high);
  const lastT = t[last]!;
  const lastV = v[last]!;
  t[at] = t[first]!;
  v[at] = v[first]!;
  if (first === last) return at + 1;
  t[at + 1] = lastT;
  v[at + 1] = lastV;
  return at + 2;
}
