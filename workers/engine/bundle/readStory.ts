import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

import { openPromise } from 'yauzl';

import { AppError } from '../../../src/core/base/errors.ts';
import { type OwnStory, ownStory } from '../../../src/core/history/story.ts';
import {
  isStoryPartName,
  runPartName,
  storyBundleLimits,
  type StoryBundleManifest,
  storyBundleManifest,
  storyBundleVersion,
  storyPart,
} from '../../../src/core/history/storyBundle.ts';
import { demandListed, readEntries } from './entries.ts';
import { type Archive, readBytes, readJson } from './parts.ts';
import { type OpenBundle, openBundle } from './read.ts';
import { refuse, wordsOf } from './refusal.ts';

/** A run of a story, as a bundle of its own beside the file. */
interface StoryRun {
  sha256: string;
  open(): Promise<OpenBundle>;
}
export interface OpenStory {
  story: OwnStory;
  manifest: StoryBundleManifest;
  runs: readonly StoryRun[];
  /** Closes the file and removes what was unpacked of it. */
  close(): Promise<void>;
}

/** Whether an archive holds a story: told by its first parts, of which a story has few. */
export async function isStoryBundle(path: string): Promise<boolean> {
  let zip;
  try {
    zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true });
  } catch {
    // What is no archive is refused by who reads it as a bundle.
    return false;
  }
  try {
    let looked = 0;
    for await (const { fileName } of zip.eachEntry()) {
      if (fileName === storyPart) return true;
      if ((looked += 1) >= storyBundleLimits.entries) return false;
    }
    return false;
  } catch {
    return false;
  } finally {
    zip.close();
  }
}

/**
 * Opens a story with its runs that anybody may have made. Its parts are checked as those of a bundle
 * are; each run is unpacked beside the file and opened as the bundle it is, and what all of them
 * unpack to is held against the bound of one: nothing is stored. Throws invalidInput with file and
 * place. The caller closes what it gets.
 */
export async function openStory(
  path: string,
  fileName: string,
  signal: AbortSignal,
): Promise<OpenStory> {
  const { size } = await stat(path);
  if (size > storyBundleLimits.fileBytes)
    throw refuse(
      `${fileName} is ${size} bytes, more than the ${storyBundleLimits.fileBytes} a story may have.`,
    );
  const zip = await openPromise(path, {
    autoClose: false,
    lazyEntries: true,
    strictFileNames: true,
  });
  const unpacked: string[] = [];
  const close = async (): Promise<void> => {
    zip.close();
    for (const one of unpacked) await rm(one, { force: true });
  };
  try {
    const entries = await readEntries(zip, fileName, {
      isPart: isStoryPartName,
      entries: storyBundleLimits.entries,
      unpackedBytes: storyBundleLimits.fileBytes,
      bytesOf: (name) =>
        name.startsWith('runs/') ? storyBundleLimits.fileBytes : storyBundleLimits.textBytes,
    });
    const archive: Archive = { zip, entries, fileName };
    const manifest = await readManifest(archive);
    const [words, ...runParts] = partsInOrder(manifest, fileName);
    const story = await readJson(archive, storyPart, words!, ownStory);
    const runs: StoryRun[] = [];
    for (const part of runParts) {
      const to = `${path}-${runs.length + 1}`;
      unpacked.push(to);
      const bytes = readBytes(archive, part.name, part, signal);
      await pipeline(bytes, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal });
      runs.push({ sha256: part.sha256, open: () => openBundle(to, `${part.name} of ${fileName}`) });
    }
    await demandSums(runs, fileName);
    return { story, manifest, runs, close };
  } catch (thrown) {
    await close();
    signal.throwIfAborted();
    throw thrown instanceof AppError
      ? thrown
      : refuse(`${fileName} is damaged: ${wordsOf(thrown)}.`);
  }
}

async function readManifest(archive: Archive): Promise<StoryBundleManifest> {
  const { fileName, entries } = archive;
  const manifest = await readJson(archive, 'manifest.json', null, storyBundleManifest);
  if (manifest.tilebenchStoryBundle > storyBundleVersion)
    throw refuse(
      `${fileName} was made by a newer Tilebench (layout ${manifest.tilebenchStoryBundle}; this ` +
        `one reads up to ${storyBundleVersion}).`,
      'Update Tilebench.',
    );
  demandListed(entries, manifest, fileName, [storyPart]);
  return manifest;
}

/** The words, then the runs by their numbers, which have no gap. */
function partsInOrder(
  { parts }: StoryBundleManifest,
  fileName: string,
): StoryBundleManifest['parts'] {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const names = [storyPart, ...parts.slice(1).map((_, index) => runPartName(index))];
  return names.map((name) => {
    const part = byName.get(name);
    if (part === undefined) throw refuse(`${fileName} has no ${name}.`);
    return part;
  });
}

/** Forty runs, each within its own bounds, would still fill a disk. */
async function demandSums(runs: readonly StoryRun[], fileName: string): Promise<void> {
  let [bytes, samples] = [0, 0];
  const ids = new Set<string>();
  for (const run of runs) {
    const bundle = await run.open();
    bundle.close();
    const { id, sampleCount } = bundle.manifest.run;
    if (ids.has(id)) throw refuse(`${fileName} has run ${id} twice.`);
    ids.add(id);
    bytes += bundle.unpackedBytes;
    samples += sampleCount;
    if (bytes > storyBundleLimits.unpackedBytes)
      throw refuse(
        `The runs of ${fileName} unpack to more than ${storyBundleLimits.unpackedBytes} bytes.`,
      );
    if (samples > storyBundleLimits.samples)
      throw refuse(
        `The runs of ${fileName} have more than ${storyBundleLimits.samples} samples together.`,
      );
  }
}
