import { stat } from 'node:fs/promises';

import { openPromise } from 'yauzl';

import { AppError } from '../../../src/core/base/errors.ts';
import {
  bundleLimits,
  type BundleManifest,
  bundleManifest,
  bundleRun,
  bundleVersion,
} from '../../../src/core/history/bundle.ts';
import type { SeriesData } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { demandParts, readEntries } from './entries.ts';
import { type Archive, checkPart, readBytes, readJson, readText } from './parts.ts';
import { refuse, wordsOf } from './refusal.ts';
import { readFrames } from './samplesPart.ts';

export interface OpenBundle {
  manifest: BundleManifest;
  /** All parts together, unpacked. */ unpackedBytes: number;
  record: RunRecord;
  /**
   * Each log by its own name, one in memory at a time. Their hashes were held against the
   * manifest's.
   */
  logs(): AsyncGenerator<{ name: string; text: string }>;
  /**
   * Every sample, checked as it comes; their number and the part's hash are compared at its end:
   * store nothing for good before.
   */
  samples(signal: AbortSignal): AsyncGenerator<SeriesData>;
  close(): void;
}

/**
 * Opens a bundle that anybody may have made: names, sizes, their sums, ratio, hashes, counts and
 * schemas are checked before a part is used; nothing is written. Throws invalidInput with file and
 * place. The caller closes what it gets.
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
    return await openParts({ zip, entries: await readEntries(zip, fileName), fileName });
  } catch (thrown) {
    zip.close();
    throw thrown instanceof AppError
      ? thrown
      : refuse(`${fileName} is damaged: ${wordsOf(thrown)}.`);
  }
}

async function openParts(archive: Archive): Promise<OpenBundle> {
  const { zip, entries, fileName } = archive;
  const manifest = await readJson(archive, 'manifest.json', null, bundleManifest);
  if (manifest.tilebenchBundle > bundleVersion)
    throw refuse(
      `${fileName} was made by a newer Tilebench (layout ${manifest.tilebenchBundle}; this ` +
        `one reads up to ${bundleVersion}).`,
      'Update Tilebench.',
    );
  demandParts(entries, manifest, fileName);
  const parts = new Map(manifest.parts.map((part) => [part.name, part]));
  const partOf = (name: string) => parts.get(name)!;
  const record = await readJson(archive, 'run.json', partOf('run.json'), bundleRun);
  demandOneRun(record, manifest, fileName);
  // Reports are not used here, and logs are read when they are stored: but a bundle is whole or it
  // is not one.
  for (const part of manifest.parts)
    if (!['run.json', 'samples.bin'].includes(part.name)) await checkPart(archive, part);
  const known = new Set(record.overview.series.map((def) => def.id));
  return {
    manifest,
    unpackedBytes: [...entries.values()].reduce((sum, one) => sum + one.uncompressedSize, 0),
    record,
    async *logs() {
      for (const part of manifest.parts)
        if (part.name.startsWith('logs/'))
          yield {
            name: manifest.logs[part.name] ?? part.name,
            text: await readText(archive, part.name, part),
          };
    },
    close: () => zip.close(),
    samples: (signal) =>
      readFrames(
        readBytes(archive, 'samples.bin', partOf('samples.bin'), signal),
        known,
        manifest.run.sampleCount,
        fileName,
      ),
  };
}

/**
 * What the schema cannot say: the record is of the manifest's run, and each series is there once.
 */
function demandOneRun({ overview }: RunRecord, manifest: BundleManifest, fileName: string): void {
  if (overview.id !== manifest.run.id)
    throw refuse(
      `run.json of ${fileName} is of run ${overview.id}, the manifest of ${manifest.run.id}.`,
    );
  const places = new Map<number, number>();
  for (const [i, { id }] of overview.series.entries()) {
    const first = places.get(id);
    if (first !== undefined)
      throw refuse(
        `run.json of ${fileName} is not readable at overview.series.${i}.id: ${id} is the id of series ${first} too.`,
      );
    places.set(id, i);
  }
}
