import type BetterSqlite from 'better-sqlite3';
import type * as z from 'zod';

import { byLooseName } from '../../../src/core/base/naturalOrder.ts';
import { type HistoryView, historyView } from '../../../src/core/history/history.ts';
import type { Log } from '../deps.ts';
import { readStored } from './readStored.ts';

/** Settings of this workspace by name, and saved filters of the history. */
export interface SettingsStore {
  /** What was saved under this name, or what the schema makes of nothing. */
  get<T>(name: string, schema: z.ZodType<T>): T;
  set(name: string, value: unknown): void;
  views(): HistoryView[];
  saveView(view: HistoryView): void;
  removeView(id: string): void;
}

export function createSettingsStore(db: BetterSqlite.Database, log: Log): SettingsStore {
  const one = db.prepare<[string], { json: string }>('SELECT json FROM settings WHERE name = ?');
  const put = db.prepare<[string, string]>(
    'INSERT INTO settings (name, json) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET json = excluded.json',
  );
  const views = db.prepare<[], { id: string; json: string }>(
    'SELECT id, json FROM history_views ORDER BY id',
  );
  const putView = db.prepare<[string, string, string]>(
    'INSERT INTO history_views (id, name, json) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE ' +
      'SET name = excluded.name, json = excluded.json',
  );
  const dropView = db.prepare<[string]>('DELETE FROM history_views WHERE id = ?');
  return {
    get(name, schema) {
      const stored = readStored(schema, one.get(name)?.json ?? '{}');
      if (stored.ok) return stored.data;
      log.error('A stored setting is not readable; its default is used', {
        name,
        issue: stored.issue,
      });
      return schema.parse({});
    },
    set: (name, value) => {
      put.run(name, JSON.stringify(value));
    },
    views: () =>
      views
        .all()
        .flatMap(({ id, json }) => {
          const stored = readStored(historyView, json);
          if (stored.ok) return [stored.data];
          log.error('A saved filter is not readable and left out', { id, issue: stored.issue });
          return [];
        })
        .sort(byLooseName),
    saveView: (view) => {
      putView.run(view.id, view.name, JSON.stringify(view));
    },
    removeView: (id) => {
      dropView.run(id);
    },
  };
}
