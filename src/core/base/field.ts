import * as z from 'zod';

import { isBoundedJson, isPrintable, limits } from './bounds.ts';

/**
 * What a string of a schema says. Redaction goes by it, and so do the bounds:
 * - `name`: what people called a thing; leaves as a pseudonym of its kind;
 * - `path`: names with `/` between them;
 * - `address`: where a thing or a person is found: host, address, URL, file, user, hardware id,
 *   secret's place;
 * - `id`: stands for a thing within the document, alone or composed (`t0.database`,
 *   `host-12/vmnic0`);
 * - `word`: said by this app or by a maker of hardware or software: unit, driver, model, version,
 *   state;
 * - `hash`: hexadecimal digits that nothing can be read from;
 * - `text`: sentences, by this app or by a person;
 * - `source`: who measured: `vCenter NAME`, `NUT NAME`, `TOOL on NAME`;
 * - `byKey`: of a record, the key tells: `host`, `user` and the like are addresses, others are
 *   text;
 * - `byMember`: another member of the same object tells what it names; where it does not, it is
 *   text.
 */
export type FieldMeaning =
  | { is: 'name' | 'path' | 'address' | 'id'; of: string }
  | { is: 'word' | 'hash' | 'text' | 'source' | 'byKey' }
  | { is: 'byMember'; member: string; names: Readonly<Record<string, string>> };

/** The meaning of every string of the schemas whose data can leave this computer. */
export const fieldMeanings = z.registry<FieldMeaning>();

/** Longest string of each meaning, in characters; a schema may set less. */
export const fieldLengths = {
  name: 1_000,
  path: 4_000,
  address: 4_000,
  id: 1_000,
  word: 2_000,
  hash: 200,
  text: 200_000,
  source: 2_000,
  byKey: 20_000,
  byMember: 2_000,
} as const satisfies Record<FieldMeaning['is'], number>;

/**
 * Bounds of a schema that zod itself has no check for, in members: records, values of any form,
 * typed arrays, of which it also says what they hold.
 */
export const fieldSizes = z.registry<{ max: number; holds?: 'bytes' | 'float64' }>();

const longest = ({ is }: FieldMeaning): z.core.$ZodCheck<string> =>
  z.maxLength(fieldLengths[is], { error: `at most ${fieldLengths[is]} characters` });

const open = (meaning: FieldMeaning): z.ZodString =>
  z.string({ checks: [longest(meaning)] }).register(fieldMeanings, meaning);

const prints = z.refine<string>(isPrintable, {
  error: 'a control character, or one that turns or hides text, is in it. Remove it.',
});

/** One line: what does not print, or turns and hides what stands beside it, is refused. */
const line = (meaning: FieldMeaning): z.ZodString =>
  z.string({ checks: [longest(meaning), prints] }).register(fieldMeanings, meaning);

/**
 * One schema for every field of a kind. A schema does not change, and making one takes as long as
 * reading hundreds of values: a thousand fields that are the same were an eighth of an engine's start.
 */
function once<T>(make: () => T): () => T {
  let made: { schema: T } | null = null;
  return () => (made ??= { schema: make() }).schema;
}
/** The same for the fields that name a kind of thing. */
function oncePerKind<T>(make: (of: string) => T): (of: string) => T {
  const made = new Map<string, T>();
  return (of) => {
    const before = made.get(of);
    if (before !== undefined) return before;
    const schema = make(of);
    made.set(of, schema);
    return schema;
  };
}

const list = <T extends z.ZodType>(of: T, max: number = limits.items): z.ZodArray<T> =>
  z.array(of).max(max, { error: `at most ${max} entries` });

const record = <K extends z.core.$ZodRecordKey, V extends z.ZodType>(
  key: K,
  value: V,
  max: number = limits.items,
) =>
  z
    .record(key, value)
    .refine((entries) => Object.keys(entries).length <= max, { error: `at most ${max} entries` })
    .register(fieldSizes, { max });

const partialRecord = <K extends z.ZodEnum, V extends z.ZodType>(key: K, value: V) =>
  z.partialRecord(key, value).register(fieldSizes, { max: key.options.length });

const typed = <T extends { length: number }>(
  is: (value: unknown) => value is T,
  what: string,
  holds: 'bytes' | 'float64',
  max: number,
) =>
  z
    .custom<T>(is, { error: what })
    .refine((value) => value.length <= max, { error: `at most ${max} elements` })
    .register(fieldSizes, { max, holds });

/**
 * Constructors for the fields of schemas: what a string says, and how large each field may be.
 * Checks (`min`, `max`,
 * `regex`) may follow: the meaning is kept, the narrower bound holds.
 */
export const field = {
  /** @param of kind of thing, as it stands in the pseudonym: `vm`, `host`. */
  name: oncePerKind((of) => line({ is: 'name', of })),
  path: oncePerKind((of) => line({ is: 'path', of })),
  address: oncePerKind((of) => line({ is: 'address', of })),
  id: oncePerKind((of) => line({ is: 'id', of })),
  word: once(() => line({ is: 'word' })),
  hash: once(() => line({ is: 'hash' })),
  freeText: once(() => open({ is: 'text' })),
  source: once(() => line({ is: 'source' })),
  byKey: once(() => open({ is: 'byKey' })),
  byMember: (member: string, names: Readonly<Record<string, string>>) =>
    line({ is: 'byMember', member, names }),
  /** A whole log or file inside a message. */
  document: () => z.string().max(limits.document).register(fieldMeanings, { is: 'text' }),
  /** A secret on its way to the keychain; nothing that leaves has one. */
  secret: () =>
    z.string().max(limits.secret).register(fieldMeanings, { is: 'address', of: 'secret' }),
  /** JSON of any form: every string in it is free text. */
  anything: () =>
    z
      .unknown()
      .refine(isBoundedJson, { error: 'more than such a value may hold' })
      .register(fieldMeanings, { is: 'text' })
      .register(fieldSizes, { max: limits.json.values }),
  /** Milliseconds since 1970. */
  timeMs: once(() =>
    z
      .number()
      .min(0, { error: 'a time is not before 1970' })
      .max(limits.timeMs, { error: 'a time is not after the year 9999' }),
  ),
  /** A whole number. */
  integer: once(() => z.number().int().min(-limits.count).max(limits.count)),
  /** A whole number from 0. */
  count: once(() => z.number().int().min(0).max(limits.count)),
  /** Anything measured or computed. */
  figure: once(() => z.number().min(-limits.figure).max(limits.figure)),
  list,
  record,
  partialRecord,
  bytes: () =>
    typed(
      (value): value is Uint8Array => value instanceof Uint8Array,
      'bytes',
      'bytes',
      limits.bytes,
    ),
  float64: () =>
    typed(
      (value): value is Float64Array => value instanceof Float64Array,
      'a Float64Array',
      'float64',
      limits.samples,
    ),
};
