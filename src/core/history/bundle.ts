import * as z from 'zod';

import { field } from '../base/field.ts';
import { runRecord } from '../run/run.ts';

/** Version of the bundle's layout that this Tilebench writes, and the newest it reads. */
export const bundleVersion = 1;

/** What a bundle may hold at most; larger is refused before it is read. */
export const bundleLimits = {
  /** The file itself, and all of its parts together, unpacked. */
  fileBytes: 1024 ** 3,
  unpackedBytes: 2 * 1024 ** 3,
  /** A part that is read into memory, and all of them together. */
  textBytes: 64 * 1024 ** 2,
  allTextBytes: 512 * 1024 ** 2,
  manifestBytes: 16 * 1024 ** 2,
  /** A log for each workload of the largest run, the record and its reports. */
  entries: 20_000,
  /** In all series together. */
  samples: 500_000_000,
  /** At most so many bytes a sample in `samples.bin`, its share of the frame's head included. */
  bytesASample: 64,
  /** Unpacked to packed, of one part: more than text of one letter gives is a bomb. */
  ratio: 1_100,
  /** The same of a part larger than `textBytes`. */
  largeRatio: 200,
} as const;

const logPart = /^logs\/[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.txt$/;
/**
 * The parts a bundle may have; nothing else is looked at, so no name can lead out of the archive.
 */
export const isPartName = (name: string): boolean =>
  ['manifest.json', 'run.json', 'samples.bin', 'report.md', 'report.html'].includes(name) ||
  logPart.test(name);

export const bundleManifest = z.object({
  tilebenchBundle: field.count(),
  createdAtMs: field.timeMs(),
  appVersion: field.word().max(100),
  run: z.object({
    id: field.id('run').min(1).max(100),
    name: field.name('run').max(300),
    origin: z.enum(['real', 'simulated', 'replay']),
    sampleCount: field.count(),
  }),
  /** Names and addresses were replaced by pseudonyms. */
  redacted: z.boolean(),
  parts: z
    .array(
      z.object({
        name: field.name('run').max(200),
        bytes: field.count(),
        sha256: field.hash().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(bundleLimits.entries),
  /** Name of each log in the run, by its part. */
  logs: field.record(field.word(), field.freeText().max(300)).default({}),
});
export type BundleManifest = z.infer<typeof bundleManifest>;

/**
 * `run.json`: plan as run, testbed, profile, snapshots before and after, score, findings, events;
 * no samples, no secret, no connection.
 */
export const bundleRun = runRecord;
