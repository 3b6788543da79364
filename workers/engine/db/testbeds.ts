import type BetterSqlite from 'better-sqlite3';

import { fail } from '../../../src/core/base/errors.ts';
import { type Testbed, testbedSchema } from '../../../src/core/testbed/testbed.ts';
import type { Clock, Log } from '../deps.ts';
import { documentStore } from './documents.ts';
import { readStored } from './readStored.ts';
import type { TestbedStore } from './types.ts';

/** Saved states kept of one testbed; the oldest go first. */
const versionsKept = 50;
/** Of a testbed that was removed, its versions stay for this long: a removal can be undone. */
const removedKeptMs = 7 * 86_400_000;

/**
 * Testbeds as documents, each saved state kept beside the current one in the same transaction.
 * Versions never repeat: a testbed that comes back after its removal counts on from its last.
 */
export function testbedStore(
  db: BetterSqlite.Database,
  log: Log,
  clock: Pick<Clock, 'now'>,
): TestbedStore {
  const documents = documentStore(db, log, 'testbeds', testbedSchema);
  const last = db.prepare<[string], { version: number; origin: string }>(
    'SELECT version, origin FROM testbed_versions WHERE testbed_id = ? ORDER BY version DESC LIMIT 1',
  );
  const putCurrent = db.prepare<[string, string, string]>(
    'INSERT INTO testbeds (id, name, json) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET ' +
      'name = excluded.name, json = excluded.json',
  );
  const putVersion = db.prepare<[string, number, number, string, string]>(
    'INSERT OR REPLACE INTO testbed_versions (testbed_id, version, saved_at_ms, origin, json) VALUES (?, ?, ?, ?, ?)',
  );
  const dropVersion = db.prepare<[string, number]>(
    'DELETE FROM testbed_versions WHERE testbed_id = ? AND version = ?',
  );
  const trim = db.prepare<[string, string, number]>(
    'DELETE FROM testbed_versions WHERE testbed_id = ? AND version <= (SELECT version FROM ' +
      'testbed_versions WHERE testbed_id = ? ORDER BY version DESC LIMIT 1 OFFSET ?)',
  );
  const all = db.prepare<
    [string],
    { version: number; saved_at_ms: number | null; origin: string; json: string }
  >(
    'SELECT version, saved_at_ms, origin, json FROM testbed_versions WHERE testbed_id = ? ORDER BY version DESC',
  );
  const one = db.prepare<[string, number], { json: string }>(
    'SELECT json FROM testbed_versions WHERE testbed_id = ? AND version = ?',
  );
  const forgetRemoved = db.prepare<[number]>(
    'DELETE FROM testbed_versions WHERE testbed_id NOT IN (SELECT id FROM testbeds) AND ' +
      'testbed_id NOT IN (SELECT testbed_id FROM testbed_versions WHERE saved_at_ms >= ?)',
  );
  const write = db.transaction((testbed: Testbed, origin: string): Testbed => {
    const newest = last.get(testbed.id);
    const saved = {
      ...testbed,
      version: Math.max(readCurrentVersion(testbed.id), newest?.version ?? 0) + 1,
    };
    const json = JSON.stringify(saved);
    putCurrent.run(saved.id, saved.name, json);
    if (newest && origin !== '' && newest.origin === origin)
      dropVersion.run(saved.id, newest.version);
    putVersion.run(saved.id, saved.version, Math.round(clock.now()), origin, json);
    trim.run(saved.id, saved.id, versionsKept);
    return saved;
  });
  function readCurrentVersion(id: string): number {
    try {
      return documents.get(id)?.version ?? 0;
    } catch (error) {
      // An unreadable row may be saved over; its versions say where the count stands.
      log.warn('A testbed that was not readable is saved over', { id, error: String(error) });
      return 0;
    }
  }
  return {
    list: () => documents.list(),
    get: (id) => documents.get(id),
    save: (testbed) => write(testbed, ''),
    saveFor: (testbed, origin) => write(testbed, origin),
    remove(id) {
      documents.remove(id);
      forgetRemoved.run(Math.round(clock.now() - removedKeptMs));
    },
    versions: (id) =>
      all.all(id).flatMap((row) => {
        const stored = readStored(testbedSchema, row.json);
        if (stored.ok)
          return [
            {
              savedAtMs: row.saved_at_ms,
              origin: row.origin,
              testbed: { ...stored.data, version: row.version },
            },
          ];
        log.error('A stored version of a testbed is not readable and left out', {
          id,
          version: row.version,
          issue: stored.issue,
        });
        return [];
      }),
    version(id, version) {
      const row = one.get(id, version);
      if (!row) return null;
      const stored = readStored(testbedSchema, row.json);
      if (!stored.ok)
        throw fail(
          'internal',
          `Version ${version} of testbed ${id} is not readable at ${stored.issue}`,
          'Choose another version.',
        );
      return { ...stored.data, version };
    },
  };
}
