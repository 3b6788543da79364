import { isDeepStrictEqual } from 'node:util';

import type BetterSqlite from 'better-sqlite3';
import * as z from 'zod';

import type { RecordStore } from './records.ts';
import type { StorageStore } from './storage.ts';

/** Parts records that an earlier version stored whole, one at a time. */
export interface PartStore {
  /** Ended runs whose record lies there whole, oldest first. */
  whole(): string[];
  /**
   * Parts the record of one run, in a transaction of its own. false = it is left as it is: parted
   * meanwhile, gone, or so damaged that it would not be read again as it is.
   */
  part(id: string): boolean;
}

const partable = z.looseObject({
  overview: z.looseObject({
    id: z.string(),
    events: z.array(z.unknown()),
    series: z.array(z.unknown()),
  }),
  testbed: z.looseObject({}).nullish(),
  inventoryBefore: z.looseObject({}).nullish(),
  inventoryAfter: z.looseObject({}).nullish(),
});

/** undefined = none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function createPartStore(
  db: BetterSqlite.Database,
  records: Pick<RecordStore, 'head' | 'putParts' | 'lost' | 'whole'>,
  storage: Pick<StorageStore, 'measure'>,
): PartStore {
  const isWhole =
    'ended = 1 AND NOT EXISTS (SELECT 1 FROM run_parts WHERE run_parts.run_id = runs.id)';
  const all = db
    .prepare<[], string>(`SELECT id FROM runs WHERE ${isWhole} ORDER BY created_at_ms`)
    .pluck();
  const one = db
    .prepare<[string], string>(`SELECT record_json FROM runs WHERE id = ? AND ${isWhole}`)
    .pluck();
  const putHead = db.prepare<[string, string]>('UPDATE runs SET record_json = ? WHERE id = ?');
  const unlike = new Error('It would be read otherwise than it was.');
  const rewrite = db.transaction((id: string): boolean => {
    const json = one.get(id);
    const stored = json === undefined ? undefined : jsonOf(json);
    const parsed = partable.safeParse(stored);
    if (!parsed.success || parsed.data.overview.id !== id) return false;
    const head = records.head(parsed.data);
    putHead.run(head, id);
    records.putParts(parsed.data);
    if (!isDeepStrictEqual(jsonOf(records.whole(id, head)), stored)) throw unlike;
    storage.measure({ kind: 'run', id });
    return true;
  });
  return {
    whole: () => all.all(),
    part(id) {
      try {
        return rewrite(id);
      } catch (thrown) {
        if (thrown === unlike) return false;
        throw thrown;
      } finally {
        records.lost(id);
      }
    },
  };
}
