import * as z from 'zod';

/**
 * What a string of a schema says. Redaction goes by it, and so do the bounds:
 * - `name`: what people called a thing; leaves as a pseudonym of its kind;
 * - `path`: names with `/` between them;
 * - `address`: where a thing or a person is found: host, address, URL, file, user, hardware id, secret's place;
 * - `id`: stands for a thing within the document, alone or composed (`t0.database`, `host-12/vmnic0`);
 * - `word`: said by this app or by a maker of hardware or software: unit, driver, model, version, state;
 * - `hash`: hexadecimal digits that nothing can be read from;
 * - `text`: sentences, by this app or by a person;
 * - `source`: who measured: `vCenter NAME`, `NUT NAME`, `TOOL on NAME`;
 * - `byKey`: of a record, the key tells: `host`, `user` and the like are addresses, others are text;
 * - `byMember`: another member of the same object tells what it names; where it does not, it is text.
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

const string = (meaning: FieldMeaning): z.ZodString =>
  z.string().max(fieldLengths[meaning.is]).register(fieldMeanings, meaning);

/** Constructors for the strings of schemas. Checks (`min`, `max`, `regex`) may follow: the meaning is kept. */
export const field = {
  /** @param of kind of thing, as it stands in the pseudonym: `vm`, `host`. */
  name: (of: string) => string({ is: 'name', of }),
  path: (of: string) => string({ is: 'path', of }),
  address: (of: string) => string({ is: 'address', of }),
  id: (of: string) => string({ is: 'id', of }),
  word: () => string({ is: 'word' }),
  hash: () => string({ is: 'hash' }),
  freeText: () => string({ is: 'text' }),
  source: () => string({ is: 'source' }),
  byKey: () => string({ is: 'byKey' }),
  byMember: (member: string, names: Readonly<Record<string, string>>) =>
    string({ is: 'byMember', member, names }),
  /** JSON of any form: every string in it is free text. */
  anything: () => z.unknown().register(fieldMeanings, { is: 'text' }),
};
