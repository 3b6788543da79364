import * as z from 'zod';

import type { FieldMeaning } from '../../../../src/core/base/field.ts';
import { nodeOf } from '../../../../src/core/base/fieldWalk.ts';

/** Ten ways in which the same name stands in texts. */
export const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.split('.')[0]!,
  (name) => name.replaceAll('.', '%2E').replaceAll('-', '%2D'),
  (name) => [...name].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (name) => `\\\\${name}\\share$`,
  (name) => `KELP\\${name}`,
  (name) => `https://bob:${name}@${name}:8443/ui?h=${name}`,
  (name) => `mysql -h ${name} -p${name} --password=${name} PGPASSWORD=${name}`,
  (name) => `/home/${name}/x_${name}_fio.log (${name})`,
];

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
/** The `n`th thing in each form of an address. All are found by `traces`. */
const addresses: readonly ((n: number) => string)[] = [
  (n) => `10.99.${n >> 8}.${n & 255}`,
  (n) => `fd99:99::${hex(n, 4)}`,
  (n) => `fd99:99:${hex(n, 4)}::/48`,
  (n) => `02:99:99:99:${hex(n >> 8, 2)}:${hex(n & 255, 2)}`,
  (n) => `naa.6099990000${hex(n, 6)}`,
  (n) => `50:99:99:99:99:99:${hex(n >> 8, 2)}:${hex(n & 255, 2)}`,
  (n) => `99999999-9999-4999-8999-99999999${hex(n, 4)}`,
  (n) => `SHA256:zq${String(n).padStart(3, '0')}${'Kelp'.repeat(9)}xx`,
];
/** What is left of any plant, in a text that was decoded. */
export const traces: readonly RegExp[] = [
  /zq\d{3}/i,
  /kelp/i,
  /10\.99\.\d/,
  /fd99:/i,
  /99:99:99/,
  /naa\.6099/i,
  /99999999-9999/,
];

const bareForms = (n: number): string[] => {
  const number = String(n).padStart(3, '0');
  const pairs = Array.from({ length: 32 }, (_, i) => (i < 28 ? '99' : hex(n, 8).slice(0, 2)));
  return [
    `zq${number}wolf.kelp.example`,
    `zq${number}wolf`,
    `zq${number}`,
    `ZQ${number}_WOLF`,
    pairs.join(':').toUpperCase(),
    `SHA256:zq${number}${'Kelp'.repeat(9)}xx`,
  ];
};
const multiWord = (n: number): string => `zq${String(n).padStart(3, '0')} wolf kelp`;

export interface Planter {
  /**
   * A copy of the data with a plant in place of, or inside, every string, and in every member that
   * was absent.
   */
  plant(schema: z.core.$ZodType, data: unknown): unknown;
  /** How many different things were planted. */
  count(): number;
}

/** The same string gets the same plant, so that what refers to something still does. */
export function createPlanter(): Planter {
  const of = new Map<string, string>();
  let number = 0;
  let turn = 0;
  const fits = (schema: z.core.$ZodType, forms: readonly string[]): string | undefined =>
    forms.find((form) => z.safeParse(schema, form).success);
  const name = (schema: z.core.$ZodType, old: string, isAddress: boolean): string => {
    const before = of.get(old);
    if (before !== undefined && z.safeParse(schema, before).success) return before;
    number += 1;
    const forms = bareForms(number);
    const first = isAddress
      ? [...addresses.slice(number % 8), ...forms.map((form) => () => form)].map((f) => f(number))
      : number % 5 === 0
        ? [multiWord(number), ...forms]
        : forms;
    const made = fits(schema, first) ?? old;
    of.set(old, made);
    return made;
  };
  const string = (
    schema: z.core.$ZodType,
    meaning: FieldMeaning | undefined,
    old: string,
  ): string => {
    if (meaning?.is === 'hash') return old;
    if (meaning?.is === 'text' || meaning?.is === 'byKey' || meaning?.is === 'source') {
      number += 1;
      turn += 1;
      const spelt = spellings[turn % spellings.length]!(bareForms(number)[0]!);
      return fits(schema, [`${old} ${spelt}`.trim(), bareForms(number)[0]!]) ?? old;
    }
    return name(schema, old, meaning?.is === 'address');
  };
  const plant = (schema: z.core.$ZodType, data: unknown): unknown => {
    const node = nodeOf(schema);
    if (node.is === 'figure') return data;
    if (node.is === 'unknown') return data;
    if (typeof data === 'string') {
      if (node.is === 'string') return string(schema, node.meaning, data);
      const option =
        node.is === 'union'
          ? node.options.find((one) => z.safeParse(one, data).success)
          : undefined;
      return option === undefined ? data : plant(option, data);
    }
    if (data === null || data === undefined) return data;
    if (node.is === 'array' && Array.isArray(data))
      return data.map((one: unknown) => plant(node.element, one));
    if (node.is === 'union') {
      const option = node.options.find((one) => z.safeParse(one, data).success);
      return option === undefined ? data : plant(option, data);
    }
    if (typeof data !== 'object') return data;
    if (node.is === 'record')
      return Object.fromEntries(
        Object.entries(data).map(([key, one]) => [plant(node.key, key), plant(node.value, one)]),
      );
    if (node.is !== 'object') return data;
    const members: Readonly<Record<string, unknown>> = { ...data };
    return Object.fromEntries(
      Object.entries(node.shape).flatMap(([key, inner]) => {
        if (members[key] !== undefined && members[key] !== null)
          return [[key, plant(inner, members[key])]];
        const made = fill(inner);
        const kept = made !== undefined && z.safeParse(inner, made).success;
        return kept ? [[key, made]] : key in members ? [[key, members[key]]] : [];
      }),
    );
  };
  /**
   * Something for a member that was absent; undefined where nothing simple fits. Figures stay
   * absent.
   */
  const fill = (schema: z.core.$ZodType): unknown => {
    const node = nodeOf(schema);
    if (node.is === 'string') return string(schema, node.meaning, `absent ${number}`);
    if (node.is === 'array') {
      const one = fill(node.element);
      return one === undefined ? undefined : [one];
    }
    if (node.is === 'record') {
      const [key, one] = [fill(node.key), fill(node.value)];
      return typeof key !== 'string' || one === undefined ? undefined : { [key]: one };
    }
    if (node.is === 'union')
      return node.options
        .map(fill)
        .find((one) => one !== undefined && z.safeParse(schema, one).success);
    if (node.is !== 'object') return figure(schema);
    return Object.fromEntries(
      Object.entries(node.shape).flatMap(([key, inner]) => {
        const one = fill(inner);
        return one === undefined ? [] : [[key, one]];
      }),
    );
  };
  return { plant, count: () => number };
}

/** A figure, flag or listed word that the schema takes. */
function figure(schema: z.core.$ZodType): unknown {
  const listed = [...((schema._zod.values as Set<unknown> | undefined) ?? [])];
  return [1, 1_000, true, ...listed].find(
    (one) => one !== undefined && one !== null && z.safeParse(schema, one).success,
  );
}

/**
 * A text as somebody who looks for names would read it: escapes of URLs, JSON and HTML taken back.
 */
export function decoded(text: string): string {
  return text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
