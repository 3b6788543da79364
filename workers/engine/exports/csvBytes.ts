/**
 * Text of digits and fixed words, written straight as bytes. `view` looks at `buffer`; `length`
 * bytes of it are written.
 */
export interface Bytes {
  buffer: Uint8Array;
  view: DataView;
  length: number;
}
export function createBytes(size: number): Bytes {
  const buffer = new Uint8Array(size);
  return { buffer, view: new DataView(buffer.buffer), length: 0 };
}

/** Room for so many bytes more. Every `put` needs it: none looks at the end itself. */
export function reserve(out: Bytes, bytes: number): void {
  if (out.length + bytes <= out.buffer.length) return;
  const buffer = new Uint8Array(Math.max(out.buffer.length * 2, out.length + bytes));
  buffer.set(out.buffer.subarray(0, out.length));
  out.buffer = buffer;
  out.view = new DataView(buffer.buffer);
}

/** UTF-8 text that is written again and again: four bytes at a time, the last ones padded. */
export interface Words {
  fours: Int32Array;
  length: number;
}
export function wordsOf(text: string): Words {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer((bytes.length + 3) & ~3));
  bytes.forEach((byte, i) => {
    padded.setUint8(i, byte);
  });
  return {
    fours: Int32Array.from({ length: padded.byteLength / 4 }, (_, i) =>
      padded.getInt32(i * 4, true),
    ),
    length: bytes.length,
  };
}
/**
 * Up to three bytes beyond its end are written too, and written over by what follows: needs four
 * bytes more room than its length.
 */
export function putWords(out: Bytes, { fours, length }: Words): void {
  const { view } = out;
  let at = out.length;
  for (let i = 0; i < fours.length; i += 1, at += 4) view.setInt32(at, fours[i]!, true);
  out.length += length;
}

const zero = 0x30;
const point = 0x2e;
const minus = 0x2d;
/** `00` to `99`, two bytes each. */
const pairs = Uint16Array.from(
  { length: 100 },
  (_, i) => (zero + Math.floor(i / 10)) | ((zero + (i % 10)) << 8),
);
const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
/** Numbers above this are printed by the language itself. */
const largestWhole = 2 ** 31;

export function putByte(out: Bytes, byte: number): void {
  out.buffer[out.length++] = byte;
}

function digitsIn(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  if (value < 100_000_000)
    return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8;
  return value < 1_000_000_000 ? 9 : 10;
}

/** A whole number from 0 to 2^31 - 1 in just `digits` digits, zeros in front. */
export function putDigits(out: Bytes, value: number, digits: number): void {
  const { view, buffer, length } = out;
  let rest = value | 0;
  let at = length + digits;
  while (at - length >= 2) {
    const next = (rest / 100) | 0;
    at -= 2;
    view.setUint16(at, pairs[rest - next * 100]!, true);
    rest = next;
  }
  if (at > length) buffer[length] = zero + rest;
  out.length = length + digits;
}

/**
 * `fraction` of 10^decimals behind a point, without the zeros at its end; nothing where it is none.
 */
function putFraction(out: Bytes, fraction: number, decimals: number): void {
  if (fraction === 0) return;
  out.buffer[out.length++] = point;
  putDigits(out, fraction, decimals);
  while (out.buffer[out.length - 1] === zero) out.length -= 1;
}

function putText(out: Bytes, text: string): void {
  for (let i = 0; i < text.length; i += 1) out.buffer[out.length++] = text.charCodeAt(i);
}

/**
 * The shortest decimal with at most `decimals` places that is exactly this number; anything else as
 * the language prints it, which is the shortest that reads back as itself.
 */
export function putNumber(out: Bytes, value: number, decimals: number): void {
  const scale = powers[decimals] ?? 1;
  const size = Math.abs(value);
  const whole = Math.round(size * scale);
  if (whole >= largestWhole || whole / scale !== size) {
    putText(out, String(value));
    return;
  }
  if (value < 0) out.buffer[out.length++] = minus;
  // Its whole part: `whole` over `scale` is just this number, and small.
  const integer = size | 0;
  putDigits(out, integer, digitsIn(integer));
  putFraction(out, whole - integer * scale, decimals);
}

/** Milliseconds as seconds with up to three places. */
export function putSeconds(out: Bytes, ms: number): void {
  if (ms < 0 || ms >= largestWhole || Math.floor(ms) !== ms) {
    putNumber(out, ms / 1_000, 3);
    return;
  }
  const whole = ms | 0;
  const seconds = (whole / 1_000) | 0;
  putDigits(out, seconds, digitsIn(seconds));
  putFraction(out, whole - seconds * 1_000, 3);
}
