import type BetterSqlite from 'better-sqlite3';

import { type ProvisionJob, provisionJobSchema } from '../../../src/core/testbed/provision.ts';
import type { Log } from '../deps.ts';
import { readStored } from './readStored.ts';
import type { ProvisionStore } from './types.ts';

/**
 * The last provisioning job of each testbed: what an engine needs to go on with it after a restart.
 */
export function provisionStore(db: BetterSqlite.Database, log: Log): ProvisionStore {
  const all = db.prepare<[], { testbed_id: string; json: string }>(
    'SELECT testbed_id, json FROM provision_jobs ORDER BY testbed_id',
  );
  const one = db.prepare<[string], { testbed_id: string; json: string }>(
    'SELECT testbed_id, json FROM provision_jobs WHERE testbed_id = ?',
  );
  const put = db.prepare<[string, string]>(
    'INSERT OR REPLACE INTO provision_jobs (testbed_id, json) VALUES (?, ?)',
  );
  const drop = db.prepare<[string]>('DELETE FROM provision_jobs WHERE testbed_id = ?');
  const read = (row: { testbed_id: string; json: string }): ProvisionJob | null => {
    const stored = readStored(provisionJobSchema, row.json);
    if (stored.ok) return stored.data;
    log.error('A stored provisioning job is not readable and left out', {
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
    remove: (testbedId) => {
      drop.run(testbedId);
    },
  };
}
