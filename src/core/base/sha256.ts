/*
 * SHA-256 in plain code (FIPS 180-4), for places that have neither Node's crypto nor a secure
 * context: hashes of snapshots are the same in the engine and on screen.
 */

/**
 * First 32 bits of the fractional part of the `power`-th root of the first primes: the standard's
 * constants, derived instead of copied.
 */
function rootBits(count: number, power: number): Uint32Array {
  const words = new Uint32Array(count);
  for (let n = 2, found = 0; found < count; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n && prime; d += 1) prime = n % d !== 0;
    if (prime) {
      const root = n ** (1 / power);
      words[found] = (root - Math.floor(root)) * 2 ** 32;
      found += 1;
    }
  }
  return words;
}
const rounds = rootBits(64, 3);
const start = rootBits(8, 2);
const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function padded(message: Uint8Array): DataView {
  const bytes = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, message.length << 3);
  return view;
}

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export function sha256(text: string): string {
  const view = padded(new TextEncoder().encode(text));
  const hash = Uint32Array.from(start);
  const w = new Uint32Array(64);
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const early = w[i - 15]!;
      const late = w[i - 2]!;
      w[i] =
        w[i - 16]! +
        (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
        w[i - 7]! +
        (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < 64; i += 1) {
      const first =
        (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i]! + w[i]!) |
        0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      hash[i] = hash[i]! + word;
    });
  }
  return [...hash].map((word) => word.toString(16).padStart(8, '0')).join('');
}
