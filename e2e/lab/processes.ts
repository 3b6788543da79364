import { readdirSync, readFileSync } from 'node:fs';

/** A process as /proc shows it; `state` is its letter (R, S, T, Z …). */
export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  state: string;
}

/** Every process of this machine. Linux only. */
export function listProcesses(): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = readProc(`/proc/${name}/stat`);
      const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return state && parent && group
        ? [{ pid: Number(name), parent: Number(parent), group: Number(group), state }]
        : [];
    });
}

/** The process and all below it, parents first. */
export function processTree(root: number): number[] {
  const all = listProcesses();
  const tree = [root];
  for (const pid of tree) tree.push(...all.filter((p) => p.parent === pid).map((p) => p.pid));
  return tree;
}

/** Processes started with `NAME=value` in their environment; `prefix` matches longer values too. */
export function processesWith(
  name: string,
  value: string,
  match: 'whole' | 'prefix' = 'whole',
): number[] {
  const wanted = `${name}=${value}`;
  return listProcesses()
    .filter(
      (p) =>
        p.state !== 'Z' &&
        readProc(`/proc/${p.pid}/environ`)
          .split('\0')
          .some((entry) => (match === 'whole' ? entry === wanted : entry.startsWith(wanted))),
    )
    .map((p) => p.pid);
}

/** The text, or '' where the process has ended meanwhile or belongs to somebody else. */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (thrown) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(thrown))) return '';
    throw thrown;
  }
}

/** Sends a signal to each; those that have ended meanwhile are passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (thrown) {
      if (codeOf(thrown) !== 'ESRCH') throw thrown;
    }
  }
}

/** Node's error code. No instanceof: Node's own errors belong to another realm inside jest. */
export function codeOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown
    ? String(thrown.code)
    : '';
}
