import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { type AppError, fail, toAppError } from '../../../src/core/base/errors.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { Clock, Log } from '../deps.ts';
import { backUpNow, restoreHint, spareBytes, startDailyBackups } from './backups.ts';
import {
  connectionStore,
  inventoryStore,
  planStore,
  profileStore,
  storyStore,
} from './documents.ts';
import { createHistoryStore } from './history.ts';
import { lockFolder } from './lock.ts';
import { type Migration, migrations as shippedMigrations } from './migrations/index.ts';
import { makeOwnFolder } from './ownFolder.ts';
import { createPartStore } from './partRecords.ts';
import { createPurgeStore } from './purge.ts';
import { createRecordStore } from './records.ts';
import { createRoom, type Room } from './room.ts';
import { createRunStore } from './runs.ts';
import { createSampleStore } from './samples.ts';
import { createSettingsStore } from './settings.ts';
import { createStorageStore } from './storage.ts';
import { studyStore } from './studies.ts';
import { guestJobs, provisionJobs, testbedJobStore } from './testbedJobs.ts';
import { testbedStore } from './testbeds.ts';
import { createTrustStore } from './trust.ts';
import type { Database } from './types.ts';
import { createUnreadable } from './unreadable.ts';

const fileName = 'tilebench.sqlite';

export interface OpenOptions {
  dataDir: string;
  clock: Clock;
  log: Log;
  appVersion?: string;
  /**
   * false: a power cut may cost the last seconds (the end of the process may not). For simulated
   * runs, that can be run again to the same digit; one wait for the disk a virtual second would
   * bound their speed.
   */
  powerSafe?: boolean;
  /** In tests: other migrations than the shipped ones. */
  migrations?: readonly Migration[];
}

/**
 * Opens the one database of a data folder: locked to this process, backed up before it is migrated.
 * On a full disk the reserve is given up first; without one the file is opened for reading only.
 * Throws conflict for a folder in use or a file of a newer Tilebench, internal for a damaged file.
 */
export function openDatabase({
  dataDir,
  clock,
  log,
  powerSafe = true,
  migrations = shippedMigrations,
}: OpenOptions): Database {
  makeOwnFolder(dataDir);
  const unlock = lockFolder(dataDir);
  const room = createRoom(dataDir);
  let db: BetterSqlite.Database | null = null;
  try {
    const opened = openWithRoom(dataDir, powerSafe, room);
    const file = (db = opened.db);
    // Read-only, a database of an older version cannot be brought to this one.
    if (opened.readOnly && schemaOf(file) < migrations.length) throw cannotStart(room);
    const openedWith = migrate(db, migrations, dataDir, clock, log);
    if (openedWith.migratedFrom !== null) mapPages(file, room, log);
    if (!opened.readOnly) room.reserve();
    const samples = createSampleStore(db, log);
    const records = createRecordStore(db);
    const history = createHistoryStore(db, records);
    const storage = createStorageStore(db);
    const filled = opened.readOnly ? 0 : history.fill();
    if (filled > 0) log.info('The search index was filled', { entries: filled });
    const unreadable = createUnreadable(log);
    const runs = createRunStore(db, samples, history, records, storage, unreadable, log);
    const purges = createPurgeStore(db, samples);
    const parts = createPartStore(db, records, storage);
    const sure = <T>(work: () => T): T => room.with(file, work);
    return {
      connections: connectionStore(db, log),
      testbeds: testbedStore(db, log, clock),
      provisions: testbedJobStore(db, log, provisionJobs),
      guestJobs: testbedJobStore(db, log, guestJobs),
      plans: planStore(db, log),
      profiles: profileStore(db, log),
      stories: storyStore(db, log),
      studies: studyStore(db, history, storage, unreadable, log),
      unreadable,
      file: join(dataDir, fileName),
      inventories: inventoryStore(db),
      runs: {
        ...runs,
        save: (record) =>
          isEnd(record.overview.state) ? sure(() => runs.save(record)) : runs.save(record),
        remove: (id) => sure(() => runs.remove(id)),
      },
      samples,
      history: {
        ...history,
        change: (item, patch, nowMs) => sure(() => history.change(item, patch, nowMs)),
        together: (work) => sure(() => history.together(work)),
      },
      storage,
      purges: {
        ...purges,
        begin: (items) => sure(() => purges.begin(items)),
        step: (item, rows) => {
          const done = sure(() => purges.step(item, rows));
          sure(() => giveBack(file));
          return done;
        },
      },
      parts: {
        ...parts,
        part(id) {
          const done = parts.part(id);
          if (done) giveBack(file);
          return done;
        },
      },
      room,
      readOnly: opened.readOnly,
      startBackups: (signal) => startDailyBackups({ db: file, dataDir, clock, log, room, signal }),
      settings: createSettingsStore(db, log),
      trust: createTrustStore(db, clock),
      transaction: (work) => file.transaction(work)(),
      openedWith,
      close() {
        file.close();
        unlock();
      },
    };
  } catch (error) {
    db?.close();
    unlock();
    // By its code: the module may have been loaded more than once.
    throw (error as { code?: string }).code === 'SQLITE_ERROR'
      ? fail(
          'internal',
          `The database ${join(dataDir, fileName)} lacks what its version has: ${toAppError(error).message}.`,
          restoreHint(dataDir, join(dataDir, fileName)),
        )
      : error;
  }
}

/**
 * Pages returned to the disk after each step of a removal: some megabytes, so that nobody waits.
 */
const pagesBack = 1_000;

/** Shortens the file by what was removed. A file without a map of its pages uses theirs again. */
function giveBack(db: BetterSqlite.Database): void {
  db.pragma(`incremental_vacuum(${pagesBack})`);
}

const incremental = 2;

/**
 * Gives a file of before the map of its pages, by which it can shrink. It is written anew for that,
 * once: after its copy, and where there is room for another.
 */
function mapPages(db: BetterSqlite.Database, room: Room, log: Log): void {
  const number = (name: string): number => db.pragma(name, { simple: true }) as number;
  const bytes = number('page_count') * number('page_size');
  if (number('auto_vacuum') === incremental || room.freeBytes() < 2 * bytes + spareBytes) return;
  db.pragma(`auto_vacuum = ${incremental}`);
  db.exec('VACUUM');
  log.info('The database was written anew', {
    bytesBefore: bytes,
    bytesAfter: number('page_count') * number('page_size'),
  });
}

interface Opened {
  db: BetterSqlite.Database;
  readOnly: boolean;
}

/** A full disk before there is a page on which runs could be deleted. */
const cannotStart = (room: Room): AppError =>
  fail(
    'internal',
    room.error().message,
    'Free space on that disk, and try again. What was stored is as it was.',
  );

function openWithRoom(dataDir: string, powerSafe: boolean, room: Room): Opened {
  if (room.isLow()) room.release();
  // A file that was begun and has nothing in it would be told as lost at the next start.
  if (room.isLow() && !existsSync(join(dataDir, fileName))) throw cannotStart(room);
  // Opening as usual makes files beside it; with nothing left it is opened in a way that makes
  // none.
  return { db: openFile(dataDir, powerSafe, room.isLow()), readOnly: room.isLow() };
}

function openFile(dataDir: string, powerSafe: boolean, readOnly: boolean): BetterSqlite.Database {
  const path = join(dataDir, fileName);
  if (existsSync(path) && statSync(path).size === 0)
    throw fail(
      'internal',
      `The database ${path} is empty (0 bytes): what was stored in it is gone.`,
      `${restoreHint(dataDir, path)} To begin anew, remove the file.`,
    );
  const fresh = !existsSync(path);
  let db: BetterSqlite.Database | null = null;
  try {
    // Before SQLite sees it: its -wal and -shm take the mode of the file.
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    db = new BetterSqlite(path);
    if (readOnly) {
      // The index of the write-ahead log is kept in memory, not in a file.
      db.pragma('locking_mode = EXCLUSIVE');
      db.pragma('query_only = ON');
      checkDocuments(db);
      return db;
    }
    // Before the first table, or never: lets the file shrink when runs are removed.
    if (fresh) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    // A second that was acknowledged must survive a power cut.
    db.pragma(`synchronous = ${powerSafe ? 'FULL' : 'NORMAL'}`);
    db.pragma('foreign_keys = ON');
    db.pragma('wal_autocheckpoint = 4000');
    checkDocuments(db);
    return db;
  } catch (error) {
    db?.close();
    throw fail(
      'internal',
      `The database ${path} cannot be opened: ${toAppError(error).message}`,
      isKeptOut(error)
        ? 'The file may be whole. Check its owner and permissions, that it is a file, and that ' +
            'its disk is not mounted for reading only; or choose another folder with ' +
            'TILEBENCH_DATA or --data.'
        : restoreHint(dataDir, path),
    );
  }
}

/** Nothing is known to be wrong with the file: this process may not open or write it. */
const isKeptOut = (error: unknown): boolean =>
  /^(?:EROFS|EACCES|EPERM|EISDIR|SQLITE_(?:CANTOPEN|READONLY|PERM).*)$/.test(
    (error as { code?: string } | null)?.code ?? '',
  );

/**
 * Checks the small tables only: a check of all pages reads the whole file, and every start would
 * wait for years of samples.
 */
function checkDocuments(db: BetterSqlite.Database): void {
  const tables = db
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('connections', " +
        "'testbeds', 'testbed_versions', 'provision_jobs', 'guest_jobs', 'plans', 'profiles', 'studies', " +
        "'study_progress', 'inventories', 'run_keys', 'run_parts', 'history', 'history_tags', " +
        "'history_views', 'stories', 'settings', 'secret_grants', 'trusted_plans')",
    )
    .all();
  for (const { name } of tables) {
    const said = db.pragma(`quick_check('${name}')`, { simple: true });
    if (said !== 'ok')
      throw fail('internal', `table ${name}: ${String(said).split('\n').slice(0, 2).join(' ')}`);
  }
}

const schemaOf = (db: BetterSqlite.Database): number =>
  db.pragma('user_version', { simple: true }) as number;

/** Brings a file to this version, after a backup; refuses a newer one untouched. */
function migrate(
  db: BetterSqlite.Database,
  migrations: readonly Migration[],
  dataDir: string,
  clock: Clock,
  log: Log,
): Database['openedWith'] {
  const version = schemaOf(db);
  if (version > migrations.length) {
    throw fail(
      'conflict',
      `The database was written by a newer Tilebench (schema ${version}, this one knows ${migrations.length}).`,
      'Install the newer version, or choose another data folder.',
    );
  }
  if (version === migrations.length) return { migratedFrom: null, backup: null };
  const backup = version > 0 ? backUpNow(db, dataDir, version, clock) : null;
  for (let next = version; next < migrations.length; next += 1) {
    try {
      db.transaction(() => {
        migrations[next]!(db);
        db.pragma(`user_version = ${next + 1}`);
      })();
    } catch (error) {
      throw fail(
        'internal',
        `The database could not be brought from schema ${next} to ${next + 1}: ${toAppError(error).message}`,
        backup === null
          ? 'Check the free space of the data folder.'
          : `The file is at schema ${next}; a copy from before lies at ${backup}.`,
      );
    }
  }
  if (version > 0) log.info('Database migrated', { from: version, to: migrations.length, backup });
  return { migratedFrom: version > 0 ? version : null, backup };
}
