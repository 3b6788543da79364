import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { fail } from '../../src/core/base/errors.ts';
import { notAFile } from '../../src/core/base/fileKind.ts';
import { decodeText, textFileBytes } from '../../src/core/base/textFile.ts';
import { errorCode } from '../errorCode.ts';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead round in a circle',
  ENXIO: 'it is a socket or a device without anything behind it',
  ENOTDIR: 'a part of its path is no folder',
  ENAMETOOLONG: 'its name is too long',
};

/**
 * Opens a file that an argument names, and never waits: a folder, a pipe, a socket and a device are
 * refused by their name. The caller closes it. Throws invalidInput with the reason.
 */
export async function openArgument(path: string): Promise<FileHandle> {
  // Without O_NONBLOCK the opening of a pipe that nobody writes to would never end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (thrown: unknown) => {
      const code = errorCode(thrown) ?? String(thrown);
      throw fail('invalidInput', `${path} cannot be read: ${words[code] ?? code}.`);
    },
  );
  const kind = notAFile(await file.stat());
  if (kind === null) return file;
  await file.close();
  throw fail('invalidInput', `${path} cannot be read: it is ${kind}.`, 'Name a file.');
}

/**
 * The text of a file that an argument names. Throws invalidInput where it cannot be read, is too
 * large or no UTF-8.
 */
export async function readTextArgument(path: string): Promise<string> {
  const file = await openArgument(path);
  try {
    const { size } = await file.stat();
    if (size > textFileBytes)
      throw fail(
        'invalidInput',
        `${path} has ${size} bytes; a text file here has at most ${textFileBytes}.`,
      );
    return decodeText(path, await file.readFile());
  } finally {
    await file.close();
  }
}
