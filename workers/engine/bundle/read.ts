import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';

import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type * as z from 'zod';

import {
  bundleLimits,
  type BundleManifest,
  bundleManifest,
  bundleRun,
  bundleVersion,
  isPartName,
} from '../../../src/shared/bundle.ts';
import { AppError, fail } from '../../../src/shared/errors.ts';
import type { SeriesData } from '../../../src/shared/metric.ts';
import type { RunRecord } from '../../../src/shared/run.ts';
import { readFrames } from './samplesPart.ts';

export interface OpenBundle {
  manifest: BundleManifest;
  record: RunRecord;
  logs: { name: string; text: string }[];
  /** Every sample, checked as it comes; the part's hash is compared at its end: store nothing for good before. */
  samples(signal: AbortSignal): AsyncGenerator<SeriesData>;
  close(): void;
}

const refuse = (
  message: string,
  hint = 'Ask for the bundle again, from whoever made it.',
): AppError => fail('invalidInput', message, hint);

/**
 * Opens a bundle that anybody may have made: names, sizes, ratio, hashes and schemas are checked before a part is used;
 * nothing is written. Throws invalidInput with the reason. The caller closes what it gets.
 */
export async function openBundle(path: string, fileName: string): Promise<OpenBundle> {
  const { size } = await stat(path);
  if (size > bundleLimits.fileBytes)
    throw refuse(
      `${fileName} is ${size} bytes, more than the ${bundleLimits.fileBytes} a bundle may have.`,
    );
  const zip = await openPromise(path, {
    autoClose: false,
    lazyEntries: true,
    strictFileNames: true,
  }).catch((thrown: unknown) => {
    throw refuse(`${fileName} is no bundle, or its end is missing: ${wordsOf(thrown)}.`);
  });
  try {
    const entries = await readEntries(zip, fileName);
    const manifest = parsePart(
      bundleManifest,
      await readText(zip, entries, 'manifest.json', null),
      'manifest.json',
    );
    if (manifest.tilebenchBundle > bundleVersion)
      throw refuse(
        `${fileName} was made by a newer Tilebench (layout ${manifest.tilebenchBundle}; this one reads up to ${bundleVersion}).`,
        'Update Tilebench.',
      );
    demandParts(entries, manifest, fileName);
    const record = parsePart(
      bundleRun,
      await readText(zip, entries, 'run.json', manifest),
      'run.json',
    );
    if (record.overview.id !== manifest.run.id)
      throw refuse(
        `run.json of ${fileName} is of run ${record.overview.id}, the manifest of ${manifest.run.id}.`,
      );
    const logs: OpenBundle['logs'] = [];
    for (const { name } of manifest.parts)
      if (name.startsWith('logs/'))
        logs.push({
          name: manifest.logs[name] ?? name,
          text: await readText(zip, entries, name, manifest),
        });
    // Reports are not used here, but a bundle is whole or it is not one.
    for (const { name } of manifest.parts)
      if (name.startsWith('report.')) await readText(zip, entries, name, manifest);
    const known = new Set(record.overview.series.map((def) => def.id));
    return {
      manifest,
      record,
      logs,
      close: () => zip.close(),
      samples: (signal) =>
        readFrames(checkedStream(zip, entries, manifest, 'samples.bin', signal), known),
    };
  } catch (thrown) {
    zip.close();
    throw thrown instanceof AppError
      ? thrown
      : refuse(`${fileName} is damaged: ${wordsOf(thrown)}.`);
  }
}

async function readEntries(zip: ZipFile, fileName: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > bundleLimits.entries)
    throw refuse(
      `${fileName} has ${zip.entryCount} parts, more than the ${bundleLimits.entries} a bundle may have.`,
    );
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (!isPartName(name))
      throw refuse(
        `${fileName} has a part that no bundle has: ${JSON.stringify(name.slice(0, 100))}.`,
      );
    if (entries.has(name)) throw refuse(`${fileName} has ${name} twice.`);
    if (entry.isEncrypted()) throw refuse(`${name} of ${fileName} is encrypted.`);
    unpacked += entry.uncompressedSize;
    if (unpacked > bundleLimits.unpackedBytes)
      throw refuse(`${fileName} unpacks to more than ${bundleLimits.unpackedBytes} bytes.`);
    if (
      entry.uncompressedSize > 1024 ** 2 &&
      entry.uncompressedSize > entry.compressedSize * bundleLimits.ratio
    )
      throw refuse(
        `${name} of ${fileName} unpacks to ${entry.uncompressedSize} bytes from ${entry.compressedSize}: no honest file does.`,
      );
    entries.set(name, entry);
  }
  return entries;
}

function demandParts(
  entries: ReadonlyMap<string, Entry>,
  manifest: BundleManifest,
  fileName: string,
): void {
  const listed = new Set(manifest.parts.map((part) => part.name));
  for (const name of ['run.json', 'samples.bin'])
    if (!listed.has(name)) throw refuse(`${fileName} has no ${name}.`);
  for (const { name, bytes } of manifest.parts) {
    const entry = entries.get(name);
    if (entry === undefined)
      throw refuse(`${name} of ${fileName} is in its manifest and not in the file.`);
    if (entry.uncompressedSize !== bytes)
      throw refuse(
        `${name} of ${fileName} has ${entry.uncompressedSize} bytes, its manifest says ${bytes}.`,
      );
  }
  for (const name of entries.keys())
    if (name !== 'manifest.json' && !listed.has(name))
      throw refuse(`${name} of ${fileName} is not in its manifest.`);
}

/** A part's bytes; at its end the hash is held against the manifest's. */
async function* checkedStream(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  manifest: BundleManifest | null,
  name: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const entry = entries.get(name);
  if (entry === undefined) throw refuse(`The bundle has no ${name}.`);
  const hash = createHash('sha256');
  const stream = await zip.openReadStreamPromise(entry);
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      signal?.throwIfAborted();
      hash.update(piece);
      yield piece;
    }
  } catch (thrown) {
    signal?.throwIfAborted();
    throw thrown instanceof AppError
      ? thrown
      : refuse(`${name} of the bundle is damaged: ${wordsOf(thrown)}.`);
  }
  const expected = manifest?.parts.find((part) => part.name === name)?.sha256;
  if (expected !== undefined && hash.digest('hex') !== expected)
    throw refuse(
      `${name} of the bundle was changed after it was made: its SHA-256 is not the manifest's.`,
    );
}

async function readText(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  name: string,
  manifest: BundleManifest | null,
): Promise<string> {
  const entry = entries.get(name);
  if (entry !== undefined && entry.uncompressedSize > bundleLimits.textBytes)
    throw refuse(
      `${name} of the bundle is ${entry.uncompressedSize} bytes, more than the ${bundleLimits.textBytes} it may have.`,
    );
  const pieces: Uint8Array[] = [];
  for await (const piece of checkedStream(zip, entries, manifest, name)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function parsePart<T>(schema: z.ZodType<T>, text: string, name: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw refuse(`${name} of the bundle is no JSON: ${wordsOf(thrown)}.`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refuse(
    `${name} of the bundle is not readable at ${issue?.path.join('.') || 'its root'}: ${issue?.message ?? 'unknown'}.`,
  );
}

const wordsOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, '');
