import fc from 'fast-check';

import { hostilePieces, hugePieces, numberTokens } from './hostile.ts';

/**
 * Places are fractions of the length, so that one change fits every document, and a smaller one
 * shrinks to the same place.
 */
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
type Change = (bytes: Uint8Array, others: readonly Uint8Array[]) => Uint8Array;

const at = (bytes: Uint8Array, where: number): number => Math.floor(where * (bytes.length + 1));
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
const inserted = (bytes: Uint8Array, where: number, piece: Uint8Array): Uint8Array =>
  joined(bytes.subarray(0, at(bytes, where)), piece, bytes.subarray(at(bytes, where)));
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const latin = (value: string): Uint8Array => Buffer.from(value, 'latin1');

/** A number that stands at or behind the place, by another. */
function withNumber(bytes: Uint8Array, where: number, token: string): Uint8Array {
  const whole = text(bytes);
  const from = at(bytes, where);
  const found = /-?\d+(?:\.\d+)?/.exec(whole.slice(from));
  return found === null
    ? bytes
    : latin(
        whole.slice(0, from + found.index) +
          token +
          whole.slice(from + found.index + found[0].length),
      );
}

/** A line at or behind the place, so often as fits into some 300 kB. */
function withLineAgain(bytes: Uint8Array, where: number, times: number): Uint8Array {
  const start = bytes.lastIndexOf(10, at(bytes, where)) + 1;
  const end = bytes.indexOf(10, start) + 1 || bytes.length;
  const line = bytes.subarray(start, end);
  const fit = Math.min(times, Math.ceil(300_000 / Math.max(1, line.length)));
  return joined(
    bytes.subarray(0, end),
    ...Array.from({ length: fit }, () => line),
    bytes.subarray(end),
  );
}

const small: fc.Arbitrary<Change> = fc.oneof(
  place.map(
    (where): Change =>
      (bytes) =>
        bytes.subarray(0, at(bytes, where)),
  ),
  place.map(
    (where): Change =>
      (bytes) =>
        bytes.subarray(at(bytes, where)),
  ),
  fc
    .array(fc.tuple(place, fc.nat(7)), { minLength: 1, maxLength: 8 })
    .map((flips): Change => (bytes) => {
      const changed = Uint8Array.from(bytes);
      for (const [where, bit] of flips) {
        const i = Math.floor(where * changed.length);
        if (i < changed.length) changed[i]! ^= 1 << bit;
      }
      return changed;
    }),
  fc.tuple(place, fc.nat(200)).map(
    ([where, length]): Change =>
      (bytes) =>
        joined(
          bytes.subarray(0, at(bytes, where)),
          bytes.subarray(Math.min(bytes.length, at(bytes, where) + length)),
        ),
  ),
  fc.tuple(place, fc.constantFrom(...hostilePieces)).map(
    ([where, piece]): Change =>
      (bytes) =>
        inserted(bytes, where, piece),
  ),
  fc.tuple(place, fc.uint8Array({ maxLength: 40 })).map(
    ([where, piece]): Change =>
      (bytes) =>
        inserted(bytes, where, piece),
  ),
  fc.tuple(place, fc.constantFrom(...numberTokens)).map(
    ([where, token]): Change =>
      (bytes) =>
        withNumber(bytes, where, token),
  ),
  fc.tuple(place, fc.constantFrom(1, 2, 5, 400)).map(
    ([where, times]): Change =>
      (bytes) =>
        withLineAgain(bytes, where, times),
  ),
  // The second half of another document.
  fc.tuple(place, place, fc.nat()).map(([where, from, other]): Change => (bytes, others) => {
    const one = others[other % others.length]!;
    return joined(bytes.subarray(0, at(bytes, where)), one.subarray(at(one, from)));
  }),
);
const encoded: fc.Arbitrary<Change> = fc.constantFrom<Change[]>(
  (bytes) => joined(Uint8Array.of(0xef, 0xbb, 0xbf), bytes),
  (bytes) => Buffer.from(`\ufeff${Buffer.from(bytes).toString('utf8')}`, 'utf16le'),
  (bytes) => Buffer.from(Buffer.from(bytes).toString('utf8'), 'utf16le'),
  (bytes) => Buffer.from(`\ufeff${Buffer.from(bytes).toString('utf8')}`, 'utf16le').swap16(),
  (bytes) => latin(text(bytes).replaceAll(/\r?\n/g, '\r\n')),
  (bytes) => latin(text(bytes).replaceAll(/\r?\n/g, '\r')),
  // All of it on one line.
  (bytes) => latin(text(bytes).replaceAll(/[\r\n]+/g, ' ')),
  (bytes) => joined(bytes, bytes),
  () => new Uint8Array(0),
);
const huge: fc.Arbitrary<Change> = fc.tuple(place, fc.constantFrom(...hugePieces)).map(
  ([where, piece]): Change =>
    (bytes) =>
      inserted(bytes, where, piece),
);

const changes = fc.array(
  fc.oneof(
    { arbitrary: small, weight: 30 },
    { arbitrary: encoded, weight: 2 },
    { arbitrary: huge, weight: 1 },
  ),
  { minLength: 1, maxLength: 4 },
);

/**
 * One of `documents`, damaged in one to four places: cut, turned bits, foreign pieces, other
 * numbers, another encoding, a part without end.
 */
export function damagedBytes(
  documents: readonly (string | Uint8Array)[],
): fc.Arbitrary<Uint8Array> {
  const whole = documents.map((one) => (typeof one === 'string' ? Buffer.from(one) : one));
  return fc
    .tuple(fc.nat(whole.length - 1), changes)
    .map(([which, all]) =>
      all.reduce<Uint8Array>((bytes, change) => change(bytes, whole), whole[which]!),
    );
}

/** Where a stream is cut into pieces: at most so many, anywhere. */
export const cuts = fc.array(place, { maxLength: 12 });

/** The pieces of `bytes` between `cuts`, in order; empty ones among them. */
export function piecesOf(bytes: Uint8Array, where: readonly number[]): Uint8Array[] {
  const ends = [...where.map((one) => at(bytes, one)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
