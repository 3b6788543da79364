import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { type AppError, fail, toAppError } from '../../src/core/base/errors.ts';
import { errorCode } from '../errorCode.ts';

/**
 * Writes `pieces` to a file that has its name only when it is whole and on disk: until then it lies beside, as `.<name>.<process>.part`.
 * Gives the bytes written. What fails (a full disk, a fault of the pieces, an abort) leaves nothing under the name, and what was
 * there before as it was; a process that is killed leaves the part. Throws invalidInput where the folder cannot be written.
 */
export async function writeWhole(path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = await open(partial, 'w').catch((thrown: unknown) => {
    throw fail(
      'invalidInput',
      `${path} cannot be written: ${reasonOf(thrown)}`,
      'Choose another folder with --output.',
    );
  });
  let bytes = 0;
  try {
    try {
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
    await rename(partial, path).catch((thrown: unknown) => {
      throw writeFault(path, thrown);
    });
  } catch (thrown) {
    await rm(partial, { force: true });
    throw toAppError(thrown);
  }
  await syncFolder(dirname(path));
  return bytes;
}

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

/** The new name itself reaches the disk. Windows has no such call for folders and keeps names in its own journal. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
