import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import { fail } from '../../../../src/core/base/errors.ts';
import { notAFile } from '../../../../src/core/base/fileKind.ts';
import type { GuestBundle } from '../../../../src/core/roles/bundle.ts';
import { readBundle } from './readBundle.ts';

/** Bundles that were taken in, each under its digest. */
export interface BundleShelf {
  /** Copies a bundle here once all of it is right. Throws invalidInput with what is not. */
  take(path: string): Promise<GuestBundle>;
  list(): Promise<GuestBundle[]>;
  /** Null where it was never taken in, or is gone. */
  find: (sha256: string) => Promise<{ path: string; bundle: GuestBundle } | null>;
  remove(sha256: string): Promise<void>;
}

/** More than ten times what all roles take. */
const mostBytes = 4 * 2 ** 30;

export function createBundleShelf(dataDir: string): BundleShelf {
  const folder = join(dataDir, 'guest-bundles');
  const pathOf = (sha256: string): string => join(folder, `${sha256}.tar`);
  /** A file here never changes: its name is its digest. */
  const known = new Map<string, GuestBundle>();
  const find: BundleShelf['find'] = async (sha256) => {
    const path = pathOf(sha256);
    const file = await open(path, 'r').catch(() => null);
    if (!file) return null;
    try {
      const bundle = known.get(sha256) ?? (await readBundle(file));
      if (bundle.sha256 !== sha256) return null;
      known.set(sha256, bundle);
      return { path, bundle };
    } finally {
      await file.close();
    }
  };
  return {
    find,
    async take(path) {
      await demandFile(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The copy is looked at, not the original: that may change meanwhile.
      const copy = join(folder, `${randomBytes(8).toString('hex')}.part`);
      try {
        await copyFile(path, copy, constants.COPYFILE_EXCL);
        const bundle = await withFile(copy, readBundle);
        await rename(copy, pathOf(bundle.sha256));
        known.set(bundle.sha256, bundle);
        return bundle;
      } finally {
        await rm(copy, { force: true });
      }
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      const digests = names.flatMap((name) => /^([0-9a-f]{64})\.tar$/.exec(name)?.[1] ?? []);
      const found = await Promise.all(digests.map((sha256) => find(sha256).catch(() => null)));
      return found
        .flatMap((one) => (one ? [one.bundle] : []))
        .sort((a, b) => b.madeAtMs - a.madeAtMs);
    },
    async remove(sha256) {
      known.delete(sha256);
      await rm(pathOf(sha256), { force: true });
    },
  };
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function demandFile(path: string): Promise<void> {
  const refuse = (why: string): never => {
    throw fail('invalidInput', `${path} cannot be taken: ${why}.`, 'Name the file of a bundle.');
  };
  if (!isAbsolute(path)) refuse('a whole path is needed, from the root on');
  // Without O_NONBLOCK the opening of a pipe that nobody writes to would never end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (!file) return refuse('it is not there, or may not be read');
  try {
    const facts = await file.stat();
    const kind = notAFile(facts);
    if (kind !== null) refuse(`it is ${kind}`);
    if (facts.size > mostBytes) refuse('it is larger than a bundle can be');
  } finally {
    await file.close();
  }
}
