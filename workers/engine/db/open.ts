import BetterSqlite from 'better-sqlite3';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, toAppError } from '../../../src/shared/errors.ts';
import type { Clock, Log } from '../deps.ts';
import { connectionStore, inventoryStore, planStore, testbedStore } from './documents.ts';
import { lockFolder } from './lock.ts';
import { migrations } from './migrations/index.ts';
import { createRunStore } from './runs.ts';
import { createSampleStore } from './samples.ts';
import type { Database } from './types.ts';

const fileName = 'tilebench.sqlite';
const backupsKept = 3;

export interface OpenOptions { dataDir: string; clock: Clock; log: Log; appVersion?: string }

/**
 * Opens the one database of a data folder: locked to this process, backed up before it is migrated.
 * Throws conflict for a folder in use or a file of a newer Tilebench, internal for a damaged file.
 */
export function openDatabase({ dataDir, clock, log }: OpenOptions): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  try {
    const db = openFile(dataDir);
    const openedWith = migrate(db, dataDir, clock, log);
    const samples = createSampleStore(db);
    return {
      connections: connectionStore(db, log), testbeds: testbedStore(db, log), plans: planStore(db, log), inventories: inventoryStore(db),
      runs: createRunStore(db, samples, log), samples, openedWith,
      close() { db.close(); unlock(); },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function openFile(dataDir: string): BetterSqlite.Database {
  const path = join(dataDir, fileName);
  try {
    const db = new BetterSqlite(path);
    db.pragma('journal_mode = WAL');
    // A second that was acknowledged must survive a power cut.
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('wal_autocheckpoint = 4000');
    db.pragma('quick_check(1)');
    chmodSync(path, 0o600);
    return db;
  } catch (error) {
    throw fail('internal', `The database ${path} cannot be opened: ${toAppError(error).message}`, `Backups lie in ${join(dataDir, 'backups')}: move the damaged file away and put the newest backup in its place.`);
  }
}

/** Brings a file to this version, after a backup; refuses a newer one untouched. */
function migrate(db: BetterSqlite.Database, dataDir: string, clock: Clock, log: Log): Database['openedWith'] {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version > migrations.length) {
    db.close();
    throw fail('conflict', `The database was written by a newer Tilebench (schema ${version}, this one knows ${migrations.length}).`, 'Install the newer version, or choose another data folder.');
  }
  if (version === migrations.length) return { migratedFrom: null, backup: null };
  const backup = version > 0 ? backUp(db, dataDir, version, clock) : null;
  for (let next = version; next < migrations.length; next += 1) {
    db.transaction(() => {
      migrations[next]!(db);
      db.pragma(`user_version = ${next + 1}`);
    })();
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
  for (const old of readdirSync(folder).sort((a, b) => age(b) - age(a)).slice(backupsKept)) rmSync(join(folder, old));
  return path;
}
