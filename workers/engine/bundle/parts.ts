import { createHash } from 'node:crypto';

import type { ZipFile } from 'yauzl';
import * as z from 'zod';

import { limits } from '../../../src/core/base/bounds.ts';
import { AppError } from '../../../src/core/base/errors.ts';
import { nodeOf } from '../../../src/core/base/fieldWalk.ts';
import { createJsonScan, type JsonBounds } from '../../../src/core/base/jsonScan.ts';
import { schemaFaults } from '../../../src/core/base/schemaFaults.ts';
import type { BundleManifest } from '../../../src/core/history/bundle.ts';
import type { Entries } from './entries.ts';
import { refuse, wordsOf } from './refusal.ts';

/** An open archive whose directory was read. */
export interface Archive {
  zip: ZipFile;
  entries: Entries;
  fileName: string;
}
type Part = BundleManifest['parts'][number];

/**
 * A part's bytes; at its end the hash is held against the manifest's. `part` null = the manifest
 * itself, that has none. Throws invalidInput for a part that is damaged or was changed, and what
 * the signal says.
 */
export async function* readBytes(
  { zip, entries, fileName }: Archive,
  name: string,
  part: Part | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const entry = entries.get(name);
  if (entry === undefined) throw refuse(`${fileName} has no ${name}.`);
  const hash = createHash('sha256');
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      signal?.throwIfAborted();
      hash.update(piece);
      yield piece;
    }
  } catch (thrown) {
    signal?.throwIfAborted();
    throw thrown instanceof AppError
      ? thrown
      : refuse(`${name} of ${fileName} is damaged: ${wordsOf(thrown)}.`);
  }
  if (part !== null && hash.digest('hex') !== part.sha256)
    throw refuse(
      `${name} of ${fileName} was changed after it was made: its SHA-256 is not the manifest's.`,
    );
}

/** A part as text. Its size was held against the bounds with the directory. */
export async function readText(
  archive: Archive,
  name: string,
  part: Part | null,
  look?: (bytes: Uint8Array) => void,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readBytes(archive, name, part)) {
    look?.(piece);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    throw refuse(`${name} of ${archive.fileName} is no UTF-8 text.`);
  }
}

/** Goes through a part for its hash alone. */
export async function checkPart(archive: Archive, part: Part): Promise<void> {
  const stream = readBytes(archive, part.name, part);
  while ((await stream.next()).done !== true);
}

/** Sums over one JSON part: several times what the largest honest run has. */
const jsonBounds: JsonBounds = {
  depth: 100,
  values: 3_000_000,
  // The longest text of a field, each of its characters written as an escape.
  textBytes: 6 * 200_000,
  items: limits.items,
  lists: { 'overview.series': limits.series },
};

/**
 * A JSON part by its schema. Counts are taken while it streams by, before any of it is a value; of
 * a long list the first fault ends it. Throws invalidInput with the place.
 */
export async function readJson<T>(
  archive: Archive,
  name: string,
  part: Part | null,
  schema: z.ZodType<T>,
): Promise<T> {
  const scan = createJsonScan(`${name} of ${archive.fileName}`, jsonBounds);
  const text = await readText(archive, name, part, scan.push);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw refuse(`${name} of ${archive.fileName} is no JSON: ${wordsOf(thrown)}.`);
  }
  const fault = longListFault(schema, value, []);
  const parsed = fault ?? schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = schemaFaults(parsed.error);
  throw refuse(
    `${name} of ${archive.fileName} is not readable at ` +
      `${first?.path.join('.') || 'its root'}: ${(first?.message ?? 'unknown').replace(/\.$/, '')}.`,
  );
}

/** Entries of a list that are looked at one by one. */
const longList = 1_000;
type Failure = z.ZodSafeParseError<unknown>;

/**
 * The first entry of a long list that its schema refuses: told all together, a hundred thousand
 * faults would fill the memory.
 */
function longListFault(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): Failure | null {
  if (typeof value !== 'object' || value === null) return null;
  const node = nodeOf(schema);
  if (node.is === 'object' || node.is === 'record') {
    const entries = Object.entries(value);
    const isLong = node.is === 'record' && entries.length > longList;
    for (const [name, inner] of entries) {
      const of = node.is === 'record' ? node.value : node.shape[name];
      if (of === undefined) continue;
      const fault =
        longListFault(of, inner, [...path, name]) ??
        (isLong ? faultOf(of, inner, [...path, name]) : null);
      if (fault !== null) return fault;
    }
  }
  if (node.is === 'array' && Array.isArray(value))
    for (const [i, inner] of value.entries()) {
      const fault =
        longListFault(node.element, inner, [...path, i]) ??
        (value.length > longList ? faultOf(node.element, inner, [...path, i]) : null);
      if (fault !== null) return fault;
    }
  return null;
}

function faultOf(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): Failure | null {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return null;
  return {
    success: false,
    error: new z.ZodError(
      parsed.error.issues
        .slice(0, 1)
        .map((issue) => ({ ...issue, path: [...path, ...issue.path] })),
    ),
  };
}
