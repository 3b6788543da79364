import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';
import * as z from 'zod';

import { type AppError, fail, toAppError } from '../../../src/core/base/errors.ts';

/**
 * Holds the lock and nothing else. Never read with `fs`: closing any other handle of a file drops a
 * process's POSIX locks on it.
 */
const lockName = 'engine-lock.sqlite';
/** Who holds it, for the message only. */
const holderName = 'engine.lock';

/**
 * Two that start at once each see the other's first step: SQLite tries again within this time, and
 * one of them wins.
 */
const raceMs = 300;

/**
 * Kept from the garbage collector, which closes a connection that nobody refers to and so lets go
 * of the folder.
 */
const held = new Set<BetterSqlite.Database>();

const holderSchema = z.object({ pid: z.number(), sinceMs: z.number(), host: z.string().max(255) });
type Holder = z.infer<typeof holderSchema>;

/**
 * Takes the data folder for this process and gives the function that lets go of it. The lock is the
 * operating system's (an exclusive transaction of SQLite on a file of its own): it dies with its
 * owner, whatever becomes of files and process ids. Throws conflict with `details` (`heldBy:
 * 'engine'`, `pid`, `sinceMs`, `host` where known) for a folder in use, internal for one that
 * cannot be locked.
 */
export function lockFolder(dataDir: string, nowMs: number = Date.now()): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const holderPath = join(dataDir, holderName);
  const lock = takeLock(dataDir);
  try {
    const holder: Holder = { pid: process.pid, sinceMs: nowMs, host: hostname() };
    writeFileSync(holderPath, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch {
    // A full or read-only disk costs the next one a name in a message; the lock holds.
  }
  return () => {
    // In this order: the next holder's name must not be taken away.
    rmSync(holderPath, { force: true });
    held.delete(lock);
    lock.close();
  };
}

function takeLock(dataDir: string): BetterSqlite.Database {
  const path = join(dataDir, lockName);
  let lock: BetterSqlite.Database | null = null;
  try {
    createEmpty(path);
    lock = new BetterSqlite(path, { timeout: raceMs });
    // Nothing is ever written into it: no journal beside it either.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    held.add(lock);
    return lock;
  } catch (thrown) {
    lock?.close();
    // By its code: a test's module registry has a class of errors of its own.
    const busy = (thrown as { code?: string }).code === 'SQLITE_BUSY';
    if (busy) throw inUse(dataDir);
    throw fail(
      'internal',
      `The data folder ${dataDir} cannot be locked: ${toAppError(thrown).message}`,
      'Check its permissions and that its disk is a local one, or choose another with TILEBENCH_DATA.',
    );
  }
}

/** Made before SQLite sees it, for its mode. One that exists is not opened here. */
function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
}

function inUse(dataDir: string): AppError {
  const holder = readHolder(join(dataDir, holderName));
  const who =
    holder === null
      ? 'another Tilebench'
      : `process ${holder.pid} on ${holder.host} since ${new Date(holder.sinceMs).toISOString()}`;
  return fail(
    'conflict',
    `The data folder ${dataDir} is in use by ${who}.`,
    'Close the other Tilebench, or choose another folder with TILEBENCH_DATA or --data.',
    { heldBy: 'engine', ...holder },
  );
}

function readHolder(path: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Not written yet, or by an earlier version: the folder is in use all the same.
    return null;
  }
}
