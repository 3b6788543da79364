import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { fail, toAppError } from '../../../src/shared/errors.ts';
import type { Clock, Log } from '../deps.ts';
import { connectionStore, inventoryStore, planStore, profileStore } from './documents.ts';
import { createHistoryStore } from './history.ts';
import { lockFolder } from './lock.ts';
import { type Migration, migrations as shippedMigrations } from './migrations/index.ts';
import { provisionStore } from './provisions.ts';
import { createPurgeStore } from './purge.ts';
import { createRunStore } from './runs.ts';
import { createSampleStore } from './samples.ts';
import { createSettingsStore } from './settings.ts';
import { createStorageStore } from './storage.ts';
import { studyStore } from './studies.ts';
import { testbedStore } from './testbeds.ts';
import { createTrustStore } from './trust.ts';
import type { Database } from './types.ts';

const fileName = 'tilebench.sqlite';
const backupsKept = 3;

export interface OpenOptions {
  dataDir: string;
  clock: Clock;
  log: Log;
  appVersion?: string;
  /** false: a power cut may cost the last seconds (the end of the process may not). For simulated runs, that can be run again to the same digit; one wait for the disk a virtual second would bound their speed. */
  powerSafe?: boolean;
  /** In tests: other migrations than the shipped ones. */
  migrations?: readonly Migration[];
}

/**
 * Opens the one database of a data folder: locked to this process, backed up before it is migrated.
 * Throws conflict for a folder in use or a file of a newer Tilebench, internal for a damaged file.
 */
export function openDatabase({
  dataDir,
  clock,
  log,
  powerSafe = true,
  migrations = shippedMigrations,
}: OpenOptions): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  let db: BetterSqlite.Database | null = null;
  try {
    const file = (db = openFile(dataDir, powerSafe));
    const openedWith = migrate(db, migrations, dataDir, clock, log);
    const samples = createSampleStore(db, log);
    const history = createHistoryStore(db);
    const storage = createStorageStore(db);
    const filled = history.fill();
    if (filled > 0) log.info('The search index was filled', { entries: filled });
    return {
      connections: connectionStore(db, log),
      testbeds: testbedStore(db, log, clock),
      provisions: provisionStore(db, log),
      plans: planStore(db, log),
      profiles: profileStore(db, log),
      studies: studyStore(db, history, storage, log),
      inventories: inventoryStore(db),
      runs: createRunStore(db, samples, history, storage, log),
      samples,
      history,
      storage,
      purges: createPurgeStore(db, samples),
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
    throw error;
  }
}

function openFile(dataDir: string, powerSafe: boolean): BetterSqlite.Database {
  const path = join(dataDir, fileName);
  let db: BetterSqlite.Database | null = null;
  try {
    // Before SQLite sees it: its -wal and -shm take the mode of the file.
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    db = new BetterSqlite(path);
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
      `Backups lie in ${join(dataDir, 'backups')}: move the damaged file away and put the newest backup in its place.`,
    );
  }
}

/** Checks the small tables only: a check of all pages reads the whole file, and every start would wait for years of samples. */
function checkDocuments(db: BetterSqlite.Database): void {
  const tables = db
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('connections', 'testbeds', 'testbed_versions', 'provision_jobs', 'plans', 'profiles', 'studies', 'study_progress', 'inventories', 'run_keys', 'history', 'history_tags', 'history_views', 'settings', 'secret_grants', 'trusted_plans')",
    )
    .all();
  for (const { name } of tables) {
    const said = db.pragma(`quick_check('${name}')`, { simple: true });
    if (said !== 'ok')
      throw fail('internal', `table ${name}: ${String(said).split('\n').slice(0, 2).join(' ')}`);
  }
}

/** Brings a file to this version, after a backup; refuses a newer one untouched. */
function migrate(
  db: BetterSqlite.Database,
  migrations: readonly Migration[],
  dataDir: string,
  clock: Clock,
  log: Log,
): Database['openedWith'] {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version > migrations.length) {
    throw fail(
      'conflict',
      `The database was written by a newer Tilebench (schema ${version}, this one knows ${migrations.length}).`,
      'Install the newer version, or choose another data folder.',
    );
  }
  if (version === migrations.length) return { migratedFrom: null, backup: null };
  const backup = version > 0 ? backUp(db, dataDir, version, clock) : null;
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

function backUp(db: BetterSqlite.Database, dataDir: string, version: number, clock: Clock): string {
  const folder = join(dataDir, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `schema${version}-${clock.now()}.sqlite`);
  if (existsSync(path)) rmSync(path);
  db.prepare('VACUUM INTO ?').run(path);
  chmodSync(path, 0o600);
  const age = (name: string): number => Number(/-(\d+)\.sqlite$/.exec(name)?.[1] ?? 0);
  for (const old of readdirSync(folder)
    .sort((a, b) => age(b) - age(a))
    .slice(backupsKept))
    rmSync(join(folder, old));
  return path;
}
