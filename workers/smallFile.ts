import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

import { notAFile } from '../src/core/base/fileKind.ts';

/** What it holds, whose it is, and who may write to it. */
export interface SmallFile {
  bytes: Buffer;
  uid: number;
  mode: number;
}

/**
 * Reads a file that somebody else may have named: a regular file of at most `maxBytes`, or null
 * with what it is instead. A fifo or device is not waited for. Rejects with the system's error
 * where it cannot be opened.
 */
export async function readSmallFile(
  path: string,
  maxBytes: number,
): Promise<SmallFile | { refused: string }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    const kind = notAFile(facts);
    if (kind !== null) return { refused: `is ${kind}` };
    // Bounded by what is read, not by what the file system says of itself (/proc says 0).
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
      length += bytesRead;
      if (length > maxBytes) return { refused: `is larger than ${maxBytes / 1024} KiB` };
      if (bytesRead === 0)
        return { bytes: bytes.subarray(0, length), uid: facts.uid, mode: facts.mode };
    }
  } finally {
    await file.close();
  }
}
