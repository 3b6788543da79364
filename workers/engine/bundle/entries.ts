import type { Entry, ZipFile } from 'yauzl';

import { bundleLimits, type BundleManifest, isPartName } from '../../../src/core/history/bundle.ts';
import { refuse } from './refusal.ts';

/** Parts of an archive by name, as its directory tells them; none was read yet. */
export type Entries = ReadonlyMap<string, Entry>;

/** What a kind of archive may hold. */
export interface EntryRules {
  isPart: (name: string) => boolean;
  /** Most parts. */ entries: number;
  /** All parts together, unpacked. */ unpackedBytes: number;
  /** The most a part may have, unpacked. */ bytesOf: (name: string) => number;
}
const bundleRules: EntryRules = {
  isPart: isPartName,
  entries: bundleLimits.entries,
  unpackedBytes: bundleLimits.unpackedBytes,
  bytesOf: (name) =>
    name === 'manifest.json'
      ? bundleLimits.manifestBytes
      : name === 'samples.bin'
        ? bundleLimits.unpackedBytes
        : bundleLimits.textBytes,
};

/** Bytes of the head that stands before each part, without its name. */
const headBytes = 30;

/**
 * The directory of an archive: names, sizes, their sums and places. Throws invalidInput for what a
 * bundle cannot be. Nothing is unpacked.
 */
export async function readEntries(
  zip: ZipFile,
  fileName: string,
  rules: EntryRules = bundleRules,
): Promise<Entries> {
  if (zip.entryCount > rules.entries)
    throw refuse(
      `${fileName} has ${zip.entryCount} parts, more than the ${rules.entries} a bundle may have.`,
    );
  const entries = new Map<string, Entry>();
  let [unpacked, texts] = [0, 0];
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (!rules.isPart(name))
      throw refuse(
        `${fileName} has a part that no bundle has: ${JSON.stringify(name.slice(0, 100))}.`,
      );
    if (entries.has(name)) throw refuse(`${fileName} has ${name} twice.`);
    if (entry.isEncrypted()) throw refuse(`${name} of ${fileName} is encrypted.`);
    demandSize(entry, fileName, rules.bytesOf(name));
    unpacked += entry.uncompressedSize;
    if (name !== 'samples.bin') texts += entry.uncompressedSize;
    if (unpacked > rules.unpackedBytes)
      throw refuse(`${fileName} unpacks to more than ${rules.unpackedBytes} bytes.`);
    if (rules === bundleRules && texts > bundleLimits.allTextBytes)
      throw refuse(
        `The record, logs and reports of ${fileName} unpack to more than ${bundleLimits.allTextBytes} bytes together.`,
      );
    entries.set(name, entry);
  }
  demandOwnPlaces([...entries.values()], fileName);
  return entries;
}

function demandSize(entry: Entry, fileName: string, most: number): void {
  const { fileName: name, uncompressedSize: size, compressedSize: packed } = entry;
  if (size > most)
    throw refuse(`${name} of ${fileName} is ${size} bytes, more than the ${most} it may have.`);
  const ratio = size > bundleLimits.textBytes ? bundleLimits.largeRatio : bundleLimits.ratio;
  if (size > 1024 ** 2 && size > packed * ratio)
    throw refuse(
      `${name} of ${fileName} unpacks to ${size} bytes from ${packed}: no honest file does.`,
    );
}

/**
 * Parts that share bytes unpack the same ones again and again: a small file becomes a large one.
 */
function demandOwnPlaces(entries: readonly Entry[], fileName: string): void {
  let end = 0;
  for (const entry of entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )) {
    if (entry.relativeOffsetOfLocalHeader < end)
      throw refuse(`${entry.fileName} of ${fileName} shares its bytes with another part.`);
    end =
      entry.relativeOffsetOfLocalHeader +
      headBytes +
      Buffer.byteLength(entry.fileName) +
      entry.compressedSize;
  }
}

/**
 * Holds the directory against the list of its manifest: every part listed once and there, with its
 * size, and `needed` among them. Throws invalidInput.
 */
export function demandListed(
  entries: Entries,
  manifest: Pick<BundleManifest, 'parts'>,
  fileName: string,
  needed: readonly string[],
): void {
  const listed = new Set<string>();
  for (const { name, bytes } of manifest.parts) {
    if (listed.has(name)) throw refuse(`The manifest of ${fileName} lists ${name} twice.`);
    listed.add(name);
    const entry = entries.get(name);
    if (entry === undefined)
      throw refuse(`${name} of ${fileName} is in its manifest and not in the file.`);
    if (entry.uncompressedSize !== bytes)
      throw refuse(
        `${name} of ${fileName} has ${entry.uncompressedSize} bytes, its manifest says ${bytes}.`,
      );
  }
  for (const name of needed) if (!listed.has(name)) throw refuse(`${fileName} has no ${name}.`);
  for (const name of entries.keys())
    if (name !== 'manifest.json' && !listed.has(name))
      throw refuse(`${name} of ${fileName} is not in its manifest.`);
}

/**
 * Holds the directory against the manifest, and no more samples than the bytes of `samples.bin` can
 * hold, and no fewer. Throws invalidInput.
 */
export function demandParts(entries: Entries, manifest: BundleManifest, fileName: string): void {
  demandListed(entries, manifest, fileName, ['run.json', 'samples.bin']);
  const { sampleCount } = manifest.run;
  const { uncompressedSize: bytes } = entries.get('samples.bin')!;
  if (sampleCount > bundleLimits.samples)
    throw refuse(
      `The manifest of ${fileName} speaks of ${sampleCount} samples, more than the ` +
        `${bundleLimits.samples} a bundle may have.`,
    );
  if (bytes < sampleCount || bytes > sampleCount * bundleLimits.bytesASample)
    throw refuse(
      `samples.bin of ${fileName} has ${bytes} bytes: they cannot be the ${sampleCount} samples of its manifest.`,
    );
}
