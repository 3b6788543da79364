import * as z from 'zod';

import { field } from '../base/field.ts';
import { bundleLimits } from './bundle.ts';
import { storyLimits } from './story.ts';

/** A story with its runs in one file: the words, and the bundle of each run as a part. */

/** Version of the layout that this Tilebench writes, and the newest it reads. */
export const storyBundleVersion = 1;

/** What such a file may hold at most; each run's bundle has the bounds of a bundle besides. */
export const storyBundleLimits = {
  /** The file itself, and what all of its runs unpack to together. */
  fileBytes: bundleLimits.fileBytes,
  unpackedBytes: bundleLimits.unpackedBytes,
  samples: bundleLimits.samples,
  /** Of the manifest, and of the words. */
  textBytes: 1024 ** 2,
  /** A run for each step, the words and the manifest. */
  entries: storyLimits.steps + 2,
} as const;

/** The part that makes a file a story, told from a bundle of one run by its presence. */
export const storyPart = 'story.json';
const runPart = /^runs\/\d{1,3}\.tilebench$/;
export const runPartName = (index: number): string => `runs/${index + 1}.tilebench`;
/** The parts it may have; nothing else is looked at, so no name can lead out of the archive. */
export const isStoryPartName = (name: string): boolean =>
  ['manifest.json', storyPart].includes(name) || runPart.test(name);

export const storyBundleManifest = z.object({
  tilebenchStoryBundle: field.count(),
  createdAtMs: field.timeMs(),
  appVersion: field.word().max(100),
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
    .max(storyBundleLimits.entries),
});
export type StoryBundleManifest = z.infer<typeof storyBundleManifest>;
