import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';

import { notAFile } from '../src/core/base/fileKind.ts';

/**
 * Opens a file that a person chose, and never waits: a folder, pipe, socket or device is refused by
 * what it is. The caller closes it.
 */
export async function openChosen(path: string): Promise<FileHandle> {
  // Without O_NONBLOCK the opening of a pipe that nobody writes to would never end.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const kind = notAFile(await file.stat());
  if (kind === null) return file;
  await file.close();
  throw new Error(`${path} is ${kind}. Choose a file.`);
}

/**
 * Where a file that a person named is to be written: links are followed, and what is no file is
 * never replaced.
 */
export async function saveTarget(path: string): Promise<string> {
  const target = await realpath(path).catch((thrown: unknown) => {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw thrown;
  });
  if (target === null) return path;
  const kind = notAFile(await stat(target));
  if (kind !== null) throw new Error(`${path} cannot be written: it is ${kind}.`);
  return target;
}
