import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

import type BetterSqlite from 'better-sqlite3';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { Clock, Log } from '../deps.ts';
import type { Room } from './room.ts';

const kept = 5;
const dayMs = 86_400_000;
/** Free space that a copy of the whole file leaves. */
export const spareBytes = 256 * 2 ** 20;

const folderOf = (dataDir: string): string => join(dataDir, 'backups');
/** NaN for what is no copy of ours: such a file is neither named as one nor removed. */
const timeOf = (name: string): number =>
  Number(/^(?:schema\d+|daily)-(\d+)\.sqlite$/.exec(name)?.[1] ?? NaN);

/** Whole copies that lie there, newest first. */
export function listBackups(dataDir: string): { path: string; atMs: number; bytes: number }[] {
  const folder = folderOf(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => Number.isFinite(timeOf(name)))
    .map((name) => {
      const path = join(folder, name);
      return { path, atMs: timeOf(name), bytes: statSync(path).size };
    })
    .sort((a, b) => b.atMs - a.atMs);
}

/** What to do about a database that cannot be used: names a copy only where there is one. */
export function restoreHint(dataDir: string, file: string): string {
  const newest = listBackups(dataDir)[0];
  return newest === undefined
    ? `There is no copy in ${folderOf(dataDir)}. Keep the file: "sqlite3 ${file} .recover" may ` +
        'still read it. Without it Tilebench begins with an empty history.'
    : `The newest copy is ${newest.path} of ${new Date(newest.atMs).toISOString()}. End ` +
        `Tilebench, move ${file} and its -wal and -shm away, and put the copy in its place.`;
}

/** A place for a copy that is being made. It counts as one when it has its name. */
function place(dataDir: string, name: string): { partial: string; finish: () => string } {
  const folder = folderOf(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const partial = `${path}.part`;
  rmSync(partial, { force: true });
  return {
    partial,
    finish() {
      chmodSync(partial, 0o600);
      renameSync(partial, path);
      for (const old of listBackups(dataDir).slice(kept)) rmSync(old.path);
      return path;
    },
  };
}

/** A copy before the file is migrated. Throws where it cannot be made. */
export function backUpNow(
  db: BetterSqlite.Database,
  dataDir: string,
  version: number,
  clock: Clock,
): string {
  const { partial, finish } = place(dataDir, `schema${version}-${clock.now()}.sqlite`);
  try {
    db.prepare('VACUUM INTO ?').run(partial);
    return finish();
  } catch (thrown) {
    rmSync(partial, { force: true });
    throw thrown;
  }
}

/**
 * A copy a day while the engine is up, page by page beside its work. One that fails is logged and
 * tried the day after.
 */
export function startDailyBackups(options: {
  db: BetterSqlite.Database;
  dataDir: string;
  clock: Clock;
  log: Log;
  room: Pick<Room, 'freeBytes'>;
  signal: AbortSignal;
}): Promise<void> {
  const { db, dataDir, clock, log, room, signal } = options;
  async function backUp(): Promise<void> {
    const bytes =
      (db.pragma('page_count', { simple: true }) as number) *
      (db.pragma('page_size', { simple: true }) as number);
    if (room.freeBytes() < bytes + spareBytes) {
      log.warn('No daily copy of the database was made: the disk has too little space', {
        dataDir,
        bytes,
      });
      return;
    }
    const { partial, finish } = place(dataDir, `daily-${clock.now()}.sqlite`);
    try {
      await db.backup(partial, { progress: () => (signal.aborted ? 0 : 200) });
      if (signal.aborted) rmSync(partial, { force: true });
      else log.info('The database was copied', { backup: finish() });
    } catch (thrown) {
      rmSync(partial, { force: true });
      if (!signal.aborted)
        log.error('The daily copy of the database failed', { error: toAppError(thrown).message });
    }
  }
  return (async () => {
    while (!signal.aborted) {
      const lastMs = listBackups(dataDir)[0]?.atMs ?? -Infinity;
      const dueMs = Math.min(lastMs, clock.now()) + dayMs - clock.now();
      try {
        await clock.sleep(Number.isFinite(dueMs) ? Math.max(dueMs, firstMs) : firstMs, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        throw thrown;
      }
      await backUp();
    }
  })();
}

/** The engine starts first. */
const firstMs = 600_000;
