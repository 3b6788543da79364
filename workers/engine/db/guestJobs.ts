import type BetterSqlite from 'better-sqlite3';

import { type GuestJob, guestJobSchema } from '../../../src/core/roles/job.ts';
import type { Log } from '../deps.ts';
import { readStored } from './readStored.ts';
import type { GuestJobStore } from './types.ts';

/** The last job of each testbed's guests, so that the next engine goes on with it. */
export function guestJobStore(db: BetterSqlite.Database, log: Log): GuestJobStore {
  interface Row {
    testbed_id: string;
    json: string;
  }
  const all = db.prepare<[], Row>('SELECT testbed_id, json FROM guest_jobs ORDER BY testbed_id');
  const one = db.prepare<[string], Row>(
    'SELECT testbed_id, json FROM guest_jobs WHERE testbed_id = ?',
  );
  const put = db.prepare<[string, string]>(
    'INSERT OR REPLACE INTO guest_jobs (testbed_id, json) VALUES (?, ?)',
  );
  const read = (row: Row): GuestJob | null => {
    const stored = readStored(guestJobSchema, row.json);
    if (stored.ok) return stored.data;
    log.error('A stored preparation of guests is not readable and left out', {
      testbedId: row.testbed_id,
      issue: stored.issue,
    });
    return null;
  };
  return {
    get(testbedId) {
      const row = one.get(testbedId);
      return row ? read(row) : null;
    },
    list: () => all.all().flatMap((row) => read(row) ?? []),
    save: (job) => {
      put.run(job.testbedId, JSON.stringify(job));
    },
  };
}
