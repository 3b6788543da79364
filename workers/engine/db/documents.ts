import type BetterSqlite from 'better-sqlite3';
import type * as z from 'zod';

import { fail } from '../../../src/core/base/errors.ts';
import { byLooseName } from '../../../src/core/base/naturalOrder.ts';
import { type OwnStory, ownStory } from '../../../src/core/history/story.ts';
import { type Plan, planSchema } from '../../../src/core/plan/plan.ts';
import { type Profile, profileSchema } from '../../../src/core/profile/profile.ts';
import { type Connection, connectionSchema } from '../../../src/core/testbed/connection.ts';
import { type Inventory, inventorySchema } from '../../../src/core/testbed/inventory.ts';
import type { Log } from '../deps.ts';
import { readStored } from './readStored.ts';
import type { DocStore } from './types.ts';

/**
 * A table of JSON documents, each checked by its schema when it is read. An unreadable row is
 * logged and left out of lists; asked for by id it throws internal, naming the row; it can be saved
 * over and removed.
 */
export function documentStore<T extends { id: string; name: string }>(
  db: BetterSqlite.Database,
  log: Log,
  table: 'connections' | 'testbeds' | 'plans' | 'profiles' | 'studies' | 'stories',
  schema: z.ZodType<T>,
): DocStore<T> {
  const all = db.prepare<[], { id: string; json: string }>(
    `SELECT id, json FROM ${table} ORDER BY id`,
  );
  const one = db.prepare<[string], { id: string; json: string }>(
    `SELECT id, json FROM ${table} WHERE id = ?`,
  );
  const put = db.prepare<[string, string, string]>(
    `INSERT INTO ${table} (id, name, json) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET ` +
      'name = excluded.name, json = excluded.json',
  );
  const remove = db.prepare<[string]>(`DELETE FROM ${table} WHERE id = ?`);
  const get = (id: string): T | null => {
    const row = one.get(id);
    if (!row) return null;
    const stored = readStored(schema, row.json);
    if (!stored.ok)
      throw fail(
        'internal',
        `Row ${id} of ${table} is not readable at ${stored.issue}`,
        'Enter it again, or restore a backup of the database.',
      );
    return stored.data;
  };
  const versionOf = (id: string): number => {
    const row = one.get(id);
    const stored = row ? readStored(schema, row.json) : null;
    return stored?.ok && 'version' in stored.data ? Number(stored.data.version) : 0;
  };
  return {
    list: () =>
      all
        .all()
        .flatMap(({ id, json }) => {
          const stored = readStored(schema, json);
          if (stored.ok) return [stored.data];
          log.error('A stored document is not readable and left out', {
            table,
            id,
            issue: stored.issue,
          });
          return [];
        })
        .sort(byLooseName),
    get,
    save(doc) {
      const versioned =
        'version' in doc && typeof doc.version === 'number'
          ? { ...doc, version: versionOf(doc.id) + 1 }
          : doc;
      put.run(doc.id, doc.name, JSON.stringify(versioned));
      return versioned;
    },
    remove: (id) => {
      remove.run(id);
    },
  };
}

export const connectionStore = (db: BetterSqlite.Database, log: Log): DocStore<Connection> =>
  documentStore(db, log, 'connections', connectionSchema);
export const planStore = (db: BetterSqlite.Database, log: Log): DocStore<Plan> =>
  documentStore(db, log, 'plans', planSchema);
export const storyStore = (db: BetterSqlite.Database, log: Log): DocStore<OwnStory> =>
  documentStore(db, log, 'stories', ownStory);
/** A profile's version is text; who saves one gives it its next. */
export const profileStore = (db: BetterSqlite.Database, log: Log): DocStore<Profile> =>
  documentStore(db, log, 'profiles', profileSchema);

export function inventoryStore(db: BetterSqlite.Database): {
  get(vcenterId: string): Inventory | null;
  save(inventory: Inventory): void;
} {
  const one = db.prepare<[string], { json: string }>(
    'SELECT json FROM inventories WHERE vcenter_id = ?',
  );
  const put = db.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO inventories (vcenter_id, taken_at_ms, json) VALUES (?, ?, ?)',
  );
  return {
    get(vcenterId) {
      const row = one.get(vcenterId);
      if (!row) return null;
      const stored = readStored(inventorySchema, row.json);
      if (!stored.ok)
        throw fail(
          'internal',
          `The stored inventory of ${vcenterId} is not readable at ${stored.issue}`,
          'Discover again.',
        );
      return stored.data;
    },
    save: (inventory) => {
      put.run(inventory.vcenterId, Math.round(inventory.takenAtMs), JSON.stringify(inventory));
    },
  };
}
