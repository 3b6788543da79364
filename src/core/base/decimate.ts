/** Output of one decimation, reused between draws. */
export interface PointBuffer {
  t: Float64Array;
  v: Float64Array;
  length: number;
}

export function createPointBuffer(capacity: number): PointBuffer {
  return { t: new Float64Array(capacity), v: new Float64Array(capacity), length: 0 };
}

function ensure(buffer: PointBuffer, capacity: number): void {
  if (buffer.t.length >= capacity) return;
  buffer.t = new Float64Array(capacity);
  buffer.v = new Float64Array(capacity);
}

/**
 * Reduces samples [start, end) to at most four a bucket of `bucketMs`: first, minimum, maximum,
 * last, in time order. Buckets lie at whole multiples of `bucketMs`, so a moving window does not
 * make the line shimmer. First and last keep the line between buckets true; a peak of one sample
 * survives any zoom. A NaN never wins; a bucket of NaN only vanishes.
 */
export function decimate(
  t: Float64Array,
  v: Float64Array,
  start: number,
  end: number,
  bucketMs: number,
  out: PointBuffer,
): void {
  out.length = 0;
  if (end <= start) return;
  const buckets = Math.floor((t[end - 1]! - t[start]!) / bucketMs) + 2;
  ensure(out, Math.min(end - start, buckets * 4));
  const outT = out.t;
  const outV = out.v;
  let length = 0;
  let i = start;
  while (i < end) {
    const edge = (Math.floor(t[i]! / bucketMs) + 1) * bucketMs;
    let first = -1,
      last = -1,
      low = -1,
      high = -1;
    do {
      const value = v[i]!;
      if (value === value) {
        if (first < 0) {
          first = i;
          low = i;
          high = i;
        } else if (value < v[low]!) low = i;
        else if (value > v[high]!) high = i;
        last = i;
      }
      i++;
    } while (i < end && t[i]! < edge);
    if (first < 0) continue;
    const early = low < high ? low : high;
    const late = low < high ? high : low;
    outT[length] = t[first]!;
    outV[length++] = v[first]!;
    if (early > first) {
      outT[length] = t[early]!;
      outV[length++] = v[early]!;
    }
    if (late > early && late > first) {
      outT[length] = t[late]!;
      outV[length++] = v[late]!;
    }
    if (last > late && last > early) {
      outT[length] = t[last]!;
      outV[length++] = v[last]!;
    }
  }
  out.length = length;
}

/** First index in ascending `t` [start, end) with t[i] ≥ value; `end` when none. */
export function lowerBound(t: Float64Array, start: number, end: number, value: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (t[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
