import { chmodSync, type Dirent, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Deeper nothing of ours lies. */
const depth = 3;

/** Everything that Tilebench keeps in its folder, also on its way to its name. */
const ours =
  /^(?:tilebench\.sqlite(?:-wal|-shm|-journal)?|engine-lock\.sqlite(?:-journal)?|engine\.lock|reserve\.bin|trust\.json(?:\.\d+)?|(?:sessions\.json|console\.html)(?:\.\d+\.part)?|clock\.json(?:\.part)?|logs|backups|exchange|labs|demo)$/;

/**
 * Makes the data folder and closes what Tilebench has in it to everybody else: folders 700, files
 * 600, also those that an earlier version or another umask left open. A folder that holds other
 * things too may be somebody's home: it and they stay as they are, and where no database of ours is
 * in it yet, so does all of it. Links are left alone. What is not ours to change stays as it is.
 */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.every(({ name }) => ours.test(name))) setMode(folder, 0o700);
  else if (!entries.some(({ name }) => name === 'tilebench.sqlite')) return;
  for (const entry of entries) if (ours.test(entry.name)) closeEntry(folder, entry, depth);
}

function closeEntry(folder: string, entry: Dirent, levels: number): void {
  const path = join(folder, entry.name);
  if (entry.isFile()) setMode(path, 0o600);
  if (!entry.isDirectory() || levels === 0) return;
  setMode(path, 0o700);
  for (const below of readdirSync(path, { withFileTypes: true }))
    closeEntry(path, below, levels - 1);
}

function setMode(path: string, mode: number): void {
  try {
    if ((lstatSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
  } catch (thrown) {
    // Gone meanwhile, another owner, or a file system without modes: the folder above still keeps
    // others out.
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EROFS')
      throw thrown;
  }
}
