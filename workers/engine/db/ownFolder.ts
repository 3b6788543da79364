import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Deeper nothing of ours lies. */
const depth = 3;

/**
 * Makes the data folder and closes what lies in it to everybody else: folders 700, files 600, also those that an
 * earlier version or another umask left open. Links are left alone. What is not ours to change stays as it is.
 */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeBelow(folder, depth);
}

function closeBelow(folder: string, levels: number): void {
  setMode(folder, 0o700);
  if (levels === 0) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) closeBelow(path, levels - 1);
    else if (entry.isFile()) setMode(path, 0o600);
  }
}

function setMode(path: string, mode: number): void {
  try {
    if ((lstatSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
  } catch (thrown) {
    // Gone meanwhile, another owner, or a file system without modes: the folder above still keeps others out.
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EROFS')
      throw thrown;
  }
}
