import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  version: string;
  integrity?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  /** Only development needs it. */
  dev?: boolean;
}
/** Of package-lock.json: each installed package by its folder; '' is the project itself. */
export type Lock = Readonly<Record<string, Locked>>;

export function readLock(root: string): Lock {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Lock }).packages;
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
export const nameOf = (folder: string): string => folder.split('node_modules/').at(-1) ?? folder;

/** The folder that Node finds when what lies in `from` asks for `name`; null = not installed. */
function find(lock: Lock, from: string, name: string): string | null {
  for (let at = from; ;) {
    const folder = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock[folder]) return folder;
    if (at === '') return null;
    const above = at.lastIndexOf('/node_modules/');
    at = above < 0 ? '' : at.slice(0, above);
  }
}

/**
 * Folders of these packages and of all they need, sorted. `skip`: packages that are not followed.
 */
export function closureOf(
  lock: Lock,
  names: readonly string[],
  skip: ReadonlySet<string> = new Set(),
): string[] {
  const seen = new Set<string>();
  const open = names.map((name) => {
    const folder = find(lock, '', name);
    if (folder === null) throw new Error(`${name} is not in package-lock.json.`);
    return folder;
  });
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (seen.has(folder) || skip.has(nameOf(folder))) continue;
    seen.add(folder);
    const needs = lock[folder];
    for (const name of Object.keys({ ...needs?.dependencies, ...needs?.optionalDependencies })) {
      const found = find(lock, folder, name);
      if (found !== null) open.push(found);
    }
    for (const name of Object.keys(needs?.peerDependencies ?? {})) {
      const found = find(lock, folder, name);
      if (found !== null && !lock[found]?.dev) open.push(found);
    }
  }
  return [...seen].sort();
}
