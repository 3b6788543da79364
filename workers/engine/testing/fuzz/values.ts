import fc from 'fast-check';

import { hostileKeys, hostileNumbers, hostileTexts, hugeTexts, numberTokens } from './hostile.ts';

/**
 * A place is a number from which the way down is drawn: it fits every document, and leads to the
 * same place of the same one.
 */
const place = fc.integer({ min: 1, max: 2_147_483_646 });

type Key = string | number;
type Container = Record<Key, unknown>;
const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
const deepest = 60;

/** The way from the whole to one of its values, level by level; it ends early one time in eight. */
function pathAt(value: unknown, where: number): Key[] {
  const path: Key[] = [];
  let inner = value;
  let seed = where;
  while (isContainer(inner) && path.length < deepest) {
    seed = (seed * 48_271) % 2_147_483_647;
    if (path.length > 0 && seed % 8 === 0) break;
    seed = (seed * 48_271) % 2_147_483_647;
    const keys = Array.isArray(inner) ? null : Object.keys(inner);
    const length = keys?.length ?? (inner as unknown as unknown[]).length;
    if (length === 0) break;
    const key = keys === null ? seed % length : keys[seed % length]!;
    path.push(key);
    inner = inner[key];
  }
  return path;
}
const readAt = (value: unknown, path: readonly Key[]): unknown =>
  path.reduce<unknown>((inner, key) => (isContainer(inner) ? inner[key] : undefined), value);

/** Sets a member as its own, whatever it is called. */
function setOwn(on: Container, key: Key, value: unknown): void {
  Object.defineProperty(on, key, { value, writable: true, enumerable: true, configurable: true });
}
const copyOf = (value: Container): Container => {
  if (Array.isArray(value)) return [...(value as unknown[])] as unknown as Container;
  const copy: Container = {};
  for (const key of Object.keys(value)) setOwn(copy, key, value[key]);
  return copy;
};

/**
 * `value` with `change` applied to a copy of what holds the last key of `path`; all else is shared.
 */
function changedAt(
  value: unknown,
  path: readonly Key[],
  change: (holder: Container, key: Key) => void,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isContainer(value)) return value;
  const copy = copyOf(value);
  if (rest.length === 0) change(copy, key);
  else setOwn(copy, key, changedAt(copy[key], rest, change));
  return copy;
}

const nested = (depth: number, list: boolean): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = list ? [value] : { a: value };
  return value;
};
const strange: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => [[]],
  () => nested(40, true),
  () => nested(190, false),
  () => Array.from({ length: 300 }, (_, i) => i),
  () => JSON.parse('{"__proto__": {"polluted": true}}') as unknown,
  () => ({ toString: 1, valueOf: 'x', length: -1 }),
];
const strangeHuge: readonly (() => unknown)[] = [
  () => nested(3_000, false),
  () => Array.from({ length: 100_000 }, () => 0),
  () => Array.from({ length: 100_001 }, () => ({})),
  () => Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])),
];

type Step = (value: unknown) => unknown;
const put =
  (where: number, make: (inner: unknown) => unknown): Step =>
  (value) =>
    changedAt(value, pathAt(value, where), (holder, key) => {
      setOwn(holder, key, make(holder[key]));
    });

const replaced: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...hostileTexts)).map(([where, text]) => put(where, () => text)),
  fc
    .tuple(place, fc.constantFrom(...hostileNumbers))
    .map(([where, number]) => put(where, () => number)),
  fc.tuple(place, fc.constantFrom(...strange)).map(([where, make]) => put(where, make)),
  // What stands elsewhere in the same document: right in itself, wrong here, or the same id twice.
  fc.tuple(place, place).map(
    ([where, from]): Step =>
      (value) =>
        put(where, () => readAt(value, pathAt(value, from)))(value),
  ),
  // A list with its members again and again, or none; a text with itself.
  fc.tuple(place, fc.constantFrom(0, 2, 50)).map(([where, times]) =>
    put(where, (inner) => {
      if (Array.isArray(inner)) {
        const list: unknown[] = inner;
        return Array.from({ length: times }, () => list).flat();
      }
      return typeof inner === 'string' ? inner.repeat(times) : inner;
    }),
  ),
);
const shaped: fc.Arbitrary<Step> = fc.oneof(
  place.map(
    (where): Step =>
      (value) =>
        changedAt(value, pathAt(value, where), (holder, key) => {
          if (Array.isArray(holder)) holder.splice(Number(key), 1);
          else Reflect.deleteProperty(holder, key);
        }),
  ),
  fc.tuple(place, fc.constantFrom(...hostileKeys)).map(
    ([where, name]): Step =>
      (value) =>
        changedAt(value, pathAt(value, where), (holder, key) => {
          if (!Array.isArray(holder)) setOwn(holder, name, holder[key]);
        }),
  ),
);
const huge: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...strangeHuge)).map(([where, make]) => put(where, make)),
  fc.tuple(place, fc.constantFrom(...hugeTexts)).map(([where, text]) => put(where, () => text)),
  // A list of so many members that whatever compares each with each shows.
  fc
    .tuple(place, fc.constantFrom(1_000, 20_000))
    .map(([where, length]) =>
      put(where, (inner) =>
        Array.isArray(inner) && inner.length > 0
          ? Array.from({ length }, (_, i): unknown => inner[i % inner.length])
          : inner,
      ),
    ),
);

const steps = fc.array(
  fc.oneof({ arbitrary: replaced, weight: 5 }, { arbitrary: shaped, weight: 2 }),
  { minLength: 1, maxLength: 4 },
);

/**
 * One of `documents` with one to four of its values changed, taken away, repeated or joined by
 * strange ones; one in thirty has a huge one.
 */
export const damagedValues = (documents: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.nat(documents.length - 1), steps, fc.option(huge, { freq: 1, nil: null }), fc.nat(14))
    .map(([which, all, last, chance]) =>
      [...all, ...(last !== null && chance === 0 ? [last] : [])].reduce(
        (value, step) => step(value),
        documents[which],
      ),
    );

/**
 * What no value of JavaScript can say, in the text of a document: in place of one of its values.
 */
const rawTexts: readonly string[] = [
  ...numberTokens,
  '1, "a": 2',
  '"\\ud800"',
  '"\u202e\u0007"',
  '{"__proto__": {"polluted": true}, "a": 1}',
  '{"a": 1, "a": {"a": []}}',
  '/* a comment without end',
  '[,]',
  '"a string without end',
  `${'['.repeat(150)}${']'.repeat(150)}`,
];
const mark = '@@here@@';

/**
 * The text of a damaged document, as a file has it: duplicate keys, numbers beyond a double and
 * broken syntax among them.
 */
export const damagedJson = (documents: readonly unknown[]): fc.Arbitrary<string> =>
  fc
    .tuple(damagedValues(documents), place, fc.option(fc.constantFrom(...rawTexts), { freq: 3 }))
    .map(([value, where, raw]) =>
      raw === null
        ? textOf(value)
        : textOf(put(where, () => mark)(value)).replace(`"${mark}"`, () => raw),
    );

/** As it would be written, with numbers that JSON has no word for. */
const textOf = (value: unknown): string =>
  JSON.stringify(
    value,
    (_key, inner: unknown) =>
      typeof inner === 'number' && !Number.isFinite(inner) ? `@@${inner}@@` : inner,
    1,
  ).replaceAll(/"@@(NaN|-?Infinity)@@"/g, '$1');
