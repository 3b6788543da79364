import { inflateSync } from 'node:zlib';

/** Counts of an HdrHistogram by the middle of each bucket, ascending; in the unit it was kept in. */
export interface Histogram {
  count: number;
  buckets: readonly (readonly [value: number, count: number])[];
}

/** HdrHistogram's second encoding: compressed, and what it holds. */
const compressedCookie = 0x1c849314;
const plainCookie = 0x1c849313;
const headBytes = 40;
/** A histogram of tilekit has less than 4,000 buckets of at most 9 bytes. */
const mostBytes = 65_536;

/** Reads HdrHistogram's compressed encoding, version 2, in base64. Null where it is none. */
export function decodeHdr(text: string): Histogram | null {
  const packed = Buffer.from(text, 'base64');
  if (packed.length < 8 || packed.readUInt32BE(0) !== compressedCookie) return null;
  let plain: Buffer;
  try {
    plain = inflateSync(packed.subarray(8), { maxOutputLength: mostBytes });
  } catch {
    return null;
  }
  if (plain.length < headBytes || plain.readUInt32BE(0) !== plainCookie) return null;
  const digits = plain.readUInt32BE(12);
  // Only what starts at 1, as tilekit's do.
  if (digits < 1 || digits > 3 || plain.readBigInt64BE(16) !== 1n) return null;
  return bucketsOf(plain.subarray(headBytes), digits);
}

function bucketsOf(counts: Buffer, digits: number): Histogram | null {
  const halfMagnitude = Math.ceil(Math.log2(2 * 10 ** digits)) - 1;
  const buckets: [number, number][] = [];
  let count = 0;
  let index = 0;
  for (let at = 0; at < counts.length;) {
    const { value, next } = zigzag(counts, at);
    at = next;
    if (!Number.isSafeInteger(value)) return null;
    if (value <= 0) index += Math.max(1, -value);
    else {
      buckets.push([middleOf(index, halfMagnitude), value]);
      count += value;
      index += 1;
    }
    if (index > mostBytes) return null;
  }
  return { count, buckets };
}

/** A signed number in seven bits a byte; the ninth byte has eight. NaN where it is cut short. */
function zigzag(bytes: Buffer, from: number): { value: number; next: number } {
  let unsigned = 0n;
  for (let i = 0; i < 9; i += 1) {
    const byte = bytes[from + i];
    if (byte === undefined) return { value: NaN, next: bytes.length };
    unsigned |= BigInt(i === 8 ? byte : byte & 0x7f) << BigInt(7 * i);
    if (i === 8 || byte < 0x80)
      return { value: Number((unsigned >> 1n) ^ -(unsigned & 1n)), next: from + i + 1 };
  }
  return { value: NaN, next: bytes.length };
}

function middleOf(index: number, halfMagnitude: number): number {
  const half = 2 ** halfMagnitude;
  const bucket = Math.floor(index / half) - 1;
  if (bucket < 0) return index;
  const width = 2 ** bucket;
  return ((index % half) + half) * width + Math.floor(width / 2);
}

/** The p-th percentile (0 to 100) in the histogram's unit; NaN where it is empty. */
export function hdrPercentile({ count, buckets }: Histogram, p: number): number {
  const wanted = Math.max(1, Math.ceil((p / 100) * count));
  let seen = 0;
  for (const [value, n] of buckets) {
    seen += n;
    if (seen >= wanted) return value;
  }
  return NaN;
}
/** The mean, by the middles of the buckets; NaN where it is empty. */

export const hdrMean = ({ count, buckets }: Histogram): number =>
  buckets.reduce((sum, [value, n]) => sum + value * n, 0) / count;
