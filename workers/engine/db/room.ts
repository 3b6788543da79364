import { randomFillSync } from 'node:crypto';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type BetterSqlite from 'better-sqlite3';

import { type AppError, fail, toAppError } from '../../../src/core/base/errors.ts';

/**
 * Held back so that removing things works on a full disk: SQLite writes a journal before it frees a
 * page.
 */
const reserveName = 'reserve.bin';
const reserveBytes = 4 * 2 ** 20;
/**
 * With less, a database cannot be opened as usual; with more than this the reserve is made again.
 */
const lowBytes = 2 ** 20;
const plentyBytes = 64 * 2 ** 20;
/** On a full disk so much is left to the database, and a reserve is no smaller than this. */
const leftBytes = 2 ** 19;

export interface Room {
  freeBytes(): number;
  isLow(): boolean;
  /** Gives the reserve up; false = there is none. */
  release(): boolean;
  /** Makes the reserve where there is plenty of space, and on a full disk of what is left. */
  reserve(): void;
  /**
   * Runs work that must succeed on a full disk: what removes things, and the last word of a run.
   * Throws as the work does.
   */
  with<T>(db: BetterSqlite.Database, work: () => T): T;
  /** A full disk in words that name the folder and its space. */
  error(code?: string): AppError;
}

/** Codes by which SQLite says that a disk has no room. */
export const isFullDisk = (thrown: unknown): boolean =>
  /^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE|SHMOPEN|TRUNCATE|FSYNC)|READONLY)/.test(
    (thrown as { code?: string } | null)?.code ?? '',
  );

export function createRoom(dataDir: string): Room {
  const path = join(dataDir, reserveName);
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  };
  const release = (): boolean => {
    const there = existsSync(path);
    rmSync(path, { force: true });
    return there;
  };
  const error = (code = 'SQLITE_FULL'): AppError =>
    fail(
      'internal',
      'The disk of the data folder ' +
        `${freeBytes() < plentyBytes ? 'is full' : 'cannot be written'}: ${dataDir} has ` +
        `${(freeBytes() / 2 ** 20).toFixed(1)} MiB free.`,
      // Opened for reading only, it deletes nothing either.
      `Free space on that disk${code.startsWith('SQLITE_READONLY') ? '' : ', or delete runs on the page Runs'}. ` +
        'What was stored is safe and can be looked at and exported elsewhere.',
      { code, dataDir },
    );
  /** What lies in the write-ahead log goes to its place, and the log's room is free again. */
  const checkpoint = (db: BetterSqlite.Database): void => {
    db.pragma('wal_checkpoint(TRUNCATE)');
  };
  return {
    freeBytes,
    release,
    error,
    isLow: () => freeBytes() < lowBytes,
    reserve() {
      if (existsSync(path)) return;
      const free = freeBytes();
      const bytes = free >= plentyBytes ? reserveBytes : Math.min(reserveBytes, free - leftBytes);
      if (bytes < leftBytes) return;
      try {
        // Noise: a file system that packs would hold nothing back.
        writeFileSync(path, randomFillSync(Buffer.allocUnsafe(bytes)), { mode: 0o600 });
      } catch {
        // Filled up by somebody else meanwhile: half a reserve is none.
        release();
      }
    },
    with(db, work) {
      // Inside of a transaction it is the whole that is tried again.
      if (db.inTransaction) return work();
      try {
        return work();
      } catch (thrown) {
        if (!isFullDisk(thrown)) throw thrown;
      }
      release();
      try {
        checkpoint(db);
        const done = work();
        checkpoint(db);
        this.reserve();
        return done;
      } catch (thrown) {
        throw isFullDisk(thrown) ? error((thrown as { code: string }).code) : toAppError(thrown);
      }
    },
  };
}
