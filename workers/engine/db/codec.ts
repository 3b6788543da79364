/**
 * Bytes of samples. A chunk holds one series: times as delta-of-delta, values as deltas of integers
 * at the source's precision, both as zigzag varints. Values that do not fit that precision keep
 * their raw doubles.
 */

/** Writes varints into a buffer that grows. */
export interface ByteWriter {
  buffer: Uint8Array;
  length: number;
}
export function createWriter(size = 4_096): ByteWriter {
  return { buffer: new Uint8Array(size), length: 0 };
}

export function reserve(writer: ByteWriter, bytes: number): void {
  if (writer.length + bytes <= writer.buffer.length) return;
  const grown = new Uint8Array(Math.max(writer.buffer.length * 2, writer.length + bytes));
  grown.set(writer.buffer.subarray(0, writer.length));
  writer.buffer = grown;
}

/** Non-negative integers below 2^53. The caller has reserved 8 bytes. */
export function putVarint(writer: ByteWriter, value: number): void {
  const { buffer } = writer;
  let at = writer.length;
  let rest = value;
  // Bit operations work on 32 bits; larger values are divided down first.
  while (rest >= 0x80000000) {
    buffer[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  while (rest >= 0x80) {
    buffer[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  buffer[at++] = rest;
  writer.length = at;
}
/** |value| below 2^52: doubled, it must still be exact. */
export function putSigned(writer: ByteWriter, value: number): void {
  putVarint(writer, value < 0 ? -2 * value - 1 : 2 * value);
}

export interface ByteReader {
  bytes: Uint8Array;
  at: number;
}
export function takeVarint(reader: ByteReader): number {
  const { bytes } = reader;
  let byte = bytes[reader.at++]!;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  let scale = 128;
  do {
    byte = bytes[reader.at++]!;
    value += (byte & 0x7f) * scale;
    scale *= 128;
  } while (byte >= 0x80);
  return value;
}
export function takeSigned(reader: ByteReader): number {
  const value = takeVarint(reader);
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/**
 * Running sum of signed varints ÷ scale into `value`. Deltas of up to four bytes, which nearly all
 * are, in 32-bit arithmetic.
 */
function takeDeltas(reader: ByteReader, value: Float64Array, scale: number): void {
  const { bytes } = reader;
  let { at } = reader;
  let whole = 0;
  for (let i = 0; i < value.length; i += 1) {
    const start = at;
    let byte = bytes[at++]!;
    let coded = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[at++]!;
      coded |= (byte & 0x7f) << shift;
    }
    if (byte >= 0x80) {
      reader.at = start;
      whole += takeSigned(reader);
      at = reader.at;
    } else {
      whole += (coded >>> 1) ^ -(coded & 1);
    }
    value[i] = whole / scale;
  }
  reader.at = at;
}

const largestExact = 2 ** 51;
export const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;
/**
 * Bits of a chunk's first byte: values as integers (else doubles), times at one step (else one by
 * one).
 */
const asIntegers = 1;
const asDoubles = 0;
const steady = 2;

function stepOf(tMs: Float64Array, count: number): number | null {
  if (count < 2) return null;
  const step = tMs[1]! - tMs[0]!;
  for (let i = 2; i < count; i += 1) if (tMs[i]! - tMs[i - 1]! !== step) return null;
  return step;
}

/** True when every value survives value → integer at `decimals` → value, to the bit. */
function fits(values: Float64Array, count: number, scale: number): boolean {
  for (let i = 0; i < count; i += 1) {
    const value = values[i]!;
    const whole = Math.round(value * scale);
    if (
      whole / scale !== value ||
      whole > largestExact ||
      whole < -largestExact ||
      Object.is(value, -0)
    )
      return false;
  }
  return true;
}

/** Encodes the first `count` samples of one series. Times are whole milliseconds, ascending. */
export function encodeChunk(
  tMs: Float64Array,
  values: Float64Array,
  count: number,
  decimals: number,
): Uint8Array {
  const scale = powers[decimals] ?? 1;
  const integers = fits(values, count, scale);
  const writer = createWriter(16 + count * (integers ? 4 : 12));
  reserve(writer, 40);
  const even = stepOf(tMs, count);
  writer.buffer[writer.length++] =
    (integers ? asIntegers : asDoubles) | (even === null ? 0 : steady);
  writer.buffer[writer.length++] = decimals;
  putVarint(writer, count);
  if (even !== null) {
    putSigned(writer, tMs[0]!);
    putSigned(writer, even);
  }
  let previous = 0;
  let step = 0;
  for (let i = 0; even === null && i < count; i += 1) {
    reserve(writer, 20);
    const now = tMs[i]!;
    const delta = now - previous;
    putSigned(writer, delta - step);
    step = i === 0 ? 0 : delta;
    previous = now;
  }
  if (integers) {
    let before = 0;
    for (let i = 0; i < count; i += 1) {
      reserve(writer, 10);
      const whole = Math.round(values[i]! * scale);
      putSigned(writer, whole - before);
      before = whole;
    }
    return writer.buffer.slice(0, writer.length);
  }
  reserve(writer, count * 8);
  const view = new DataView(writer.buffer.buffer);
  for (let i = 0; i < count; i += 1) {
    view.setFloat64(writer.length, values[i]!, true);
    writer.length += 8;
  }
  return writer.buffer.slice(0, writer.length);
}

export function decodeChunk(bytes: Uint8Array): { tMs: Float64Array; value: Float64Array } {
  const count = takeVarint({ bytes, at: 2 });
  const tMs = new Float64Array(count);
  const value = new Float64Array(count);
  decodeChunkInto(bytes, tMs, value);
  return { tMs, value };
}

/**
 * Decodes a chunk into arrays that are exactly as long as its count. Returns where it ended: the
 * length of a whole chunk.
 */
export function decodeChunkInto(bytes: Uint8Array, tMs: Float64Array, value: Float64Array): number {
  const reader: ByteReader = { bytes, at: 2 };
  const encoding = bytes[0]!;
  const scale = powers[bytes[1]!] ?? 1;
  const count = takeVarint(reader);
  if (count !== tMs.length || count !== value.length)
    throw new RangeError(`A chunk of ${count} samples was to be read as ${tMs.length}.`);
  if ((encoding & steady) !== 0) {
    const first = takeSigned(reader);
    const even = takeSigned(reader);
    for (let i = 0; i < count; i += 1) tMs[i] = first + i * even;
  }
  let previous = 0;
  let step = 0;
  for (let i = 0; (encoding & steady) === 0 && i < count; i += 1) {
    const delta = takeSigned(reader) + step;
    previous += delta;
    step = i === 0 ? 0 : delta;
    tMs[i] = previous;
  }
  if ((encoding & asIntegers) !== 0) {
    takeDeltas(reader, value, scale);
  } else {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < count; i += 1) {
      value[i] = view.getFloat64(reader.at, true);
      reader.at += 8;
    }
  }
  return reader.at;
}
