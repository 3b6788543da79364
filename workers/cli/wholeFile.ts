import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type AppError, fail, toAppError } from '../../src/core/base/errors.ts';
import { notAFile } from '../../src/core/base/fileKind.ts';
import { errorCode } from '../errorCode.ts';

/**
 * Writes `pieces` to a file that has its name only when it is whole and on disk: until then it lies
 * beside, as `.tilebench-<random>.part`. Gives the bytes written. What fails (a full disk, a fault
 * of the pieces, an abort) leaves nothing under the name, and what was there before as it was; a
 * process that is killed leaves the part. A link is followed, and a file that is replaced leaves
 * its mode to the new one. Throws invalidInput where the folder cannot be written, and where the
 * name is a folder's, a device's, a pipe's or a socket's: those are never replaced.
 */
export async function writeWhole(path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const { target, mode } = await targetOf(path);
  const partial = join(dirname(target), `.tilebench-${randomBytes(8).toString('hex')}.part`);
  const file = await open(partial, 'wx', mode).catch((thrown: unknown) => {
    throw cannot(path, reasonOf(thrown));
  });
  let bytes = 0;
  try {
    try {
      // The mode at opening is cut by the umask.
      if (mode !== undefined) await file.chmod(mode);
      for await (const piece of pieces) {
        await writeAll(file, piece).catch((thrown: unknown) => {
          throw writeFault(path, thrown);
        });
        bytes += piece.length;
      }
      await file.sync().catch((thrown: unknown) => {
        throw writeFault(path, thrown);
      });
    } finally {
      await file.close();
    }
    await rename(partial, target).catch((thrown: unknown) => {
      throw writeFault(path, thrown);
    });
  } catch (thrown) {
    await rm(partial, { force: true });
    throw toAppError(thrown);
  }
  await syncFolder(dirname(target));
  return bytes;
}

/** What a name leads to: a file to replace, with its mode, or one to make. */
async function targetOf(path: string): Promise<{ target: string; mode?: number }> {
  if (path === '' || /[/\\]$/.test(path)) throw cannot(path, 'it names a folder');
  let target: string;
  try {
    target = await realpath(path);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return { target: path };
    throw cannot(path, reasonOf(thrown));
  }
  const facts = await stat(target).catch((thrown: unknown) => {
    throw cannot(path, reasonOf(thrown));
  });
  const kind = notAFile(facts);
  if (kind !== null) throw cannot(path, `it is ${kind}`);
  return { target, mode: facts.mode & 0o777 };
}

const cannot = (path: string, why: string): AppError =>
  fail('invalidInput', `${path} cannot be written: ${why}`, 'Name another file.');

/** A write may take only a part. */
async function writeAll(file: Awaited<ReturnType<typeof open>>, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten;
}

function writeFault(path: string, thrown: unknown): AppError {
  const code = errorCode(thrown) ?? '';
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? fail(
        'internal',
        `${path} was not written: the disk is full.`,
        'Free space, or choose another disk with --output. No part of the file was kept.',
        { code },
      )
    : fail(
        'internal',
        `${path} was not written: ${reasonOf(thrown)}`,
        'No part of the file was kept.',
        { code },
      );
}
const reasonOf = (thrown: unknown): string => toAppError(thrown).message;
/**
 * The new name itself reaches the disk. Windows has no such call for folders and keeps names in its
 * own journal.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
