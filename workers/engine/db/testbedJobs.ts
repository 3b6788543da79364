import type BetterSqlite from 'better-sqlite3';
import type * as z from 'zod';

import { guestJobSchema } from '../../../src/core/roles/job.ts';
import { provisionJobSchema } from '../../../src/core/testbed/provision.ts';
import type { Log } from '../deps.ts';
import { readStored } from './readStored.ts';
import type { TestbedJobStore } from './types.ts';

interface Row {
  testbed_id: string;
  json: string;
}

/** One kind of job: where it lies, and what it is called in the log where one cannot be read. */
interface JobKind<J> {
  table: 'provision_jobs' | 'guest_jobs';
  schema: z.ZodType<J>;
  what: string;
}
export const provisionJobs = {
  table: 'provision_jobs',
  schema: provisionJobSchema,
  what: 'A stored provisioning job',
} as const;
export const guestJobs = {
  table: 'guest_jobs',
  schema: guestJobSchema,
  what: 'A stored preparation of guests',
} as const;

/** The last job of each testbed, so that the next engine goes on with it. */
export function testbedJobStore<J extends { testbedId: string }>(
  db: BetterSqlite.Database,
  log: Log,
  { table, schema, what }: JobKind<J>,
): TestbedJobStore<J> {
  const all = db.prepare<[], Row>(`SELECT testbed_id, json FROM ${table} ORDER BY testbed_id`);
  const one = db.prepare<[string], Row>(
    `SELECT testbed_id, json FROM ${table} WHERE testbed_id = ?`,
  );
  const put = db.prepare<[string, string]>(
    `INSERT OR REPLACE INTO ${table} (testbed_id, json) VALUES (?, ?)`,
  );
  const drop = db.prepare<[string]>(`DELETE FROM ${table} WHERE testbed_id = ?`);
  const read = (row: Row): J | null => {
    const stored = readStored(schema, row.json);
    if (stored.ok) return stored.data;
    log.error(`${what} is not readable and left out`, {
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
