import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import type { PracticeLabEdge } from './engine/deps.ts';
import { errorCode } from './errorCode.ts';
import { readSmallFile } from './smallFile.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Two tiles are 10 kB. */
const maxBytes = 1024 * 1024;
const patienceMs = 1_000;

/**
 * Where a practice lab of this user puts its plan while it runs, wherever a console keeps its data:
 * TILEBENCH_PRACTICE_LAB, or a file in the user's folder for application data.
 */
export const practiceLabPath = (env: Env): string =>
  env['TILEBENCH_PRACTICE_LAB'] ||
  join(
    env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'),
    'tilebench',
    'practice-lab.json',
  );

/** Where it puts its second plan, a tile in the style of VMmark 2: beside the first. */
export const styleTilePath = (path: string): string =>
  `${path.replace(/\.json$/, '')}-style-tile.json`;

/** Puts the plan of a lab that is ready there, for this user alone, as a whole. */
export function announcePracticeLab(path: string, plan: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, plan, { mode: 0o600 });
  renameSync(partial, path);
}

/** Takes it away again, but not the plan of a lab that was started since. */
export function withdrawPracticeLab(path: string, plan: string): void {
  try {
    if (readFileSync(path, 'utf8') === plan) rmSync(path);
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') throw thrown;
  }
}

/** The practice lab of the user this process runs as. */
export const createPracticeLabEdge = (env: Env): PracticeLabEdge => ({
  async read(which) {
    const uid = process.getuid?.();
    if (uid === undefined) return null;
    const first = practiceLabPath(env);
    const path = which === 'styleTile' ? styleTilePath(first) : first;
    try {
      const read = await readSmallFile(path, maxBytes);
      if ('refused' in read) return null;
      return {
        path,
        text: read.bytes.toString('utf8'),
        stranger:
          read.uid !== uid
            ? 'it belongs to another user'
            : (read.mode & 0o022) !== 0
              ? 'other users may write to it'
              : null,
      };
    } catch {
      // Not there, or not to be read: there is no lab to offer.
      return null;
    }
  },
  answers: (host, port) =>
    new Promise((resolve) => {
      const socket = connect({ host, port, timeout: patienceMs });
      const end = (answered: boolean): void => {
        socket.destroy();
        resolve(answered);
      };
      socket.once('connect', () => end(true));
      socket.once('timeout', () => end(false));
      socket.once('error', () => end(false));
    }),
});
