import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Paths of all files and links below a folder, with `/`, sorted by bytes. */
export function filesBelow(folder: string): string[] {
  const visit = (at: string): string[] =>
    readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      return entry.isDirectory() ? visit(path) : [path];
    });
  return visit('').sort((a, b) => (a < b ? -1 : 1));
}

/** Size of all files below a folder, in bytes. */
export const bytesBelow = (folder: string): number =>
  filesBelow(folder).reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0);

/** Copies one file; what it is a link to, not the link. */
export function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
}

/**
 * Gives everything below a folder the modes of a package, whatever umask and file system made of
 * them: 755 what runs and folders, 644 the rest, 4755 the paths in `setUid`.
 */
export function setModes(folder: string, setUid: readonly string[] = []): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || (lstatSync(path).mode & 0o100) !== 0;
    chmodSync(path, runs ? 0o755 : 0o644);
  }
  for (const path of setUid) chmodSync(join(folder, path), 0o4755);
}
