import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';
import fc from 'fast-check';

import type { Input, MethodName } from '../../../src/wire/contract.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import { esxtopFile } from '../imports/testing/files.ts';
import {
  createHarness,
  type Harness,
  testPlanFile,
  testProfile,
} from '../testing/engineHarness.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { damagedJson } from '../testing/fuzz/values.ts';

/** One stored document: where it lies, and what it says. */
interface Stored {
  table: string;
  column: string;
  text: string;
}
const columns: readonly (readonly [table: string, column: string])[] = [
  ['connections', 'json'],
  ['testbeds', 'json'],
  ['plans', 'json'],
  ['profiles', 'json'],
  ['studies', 'json'],
  ['runs', 'summary_json'],
  ['runs', 'record_json'],
  ['series', 'json'],
  ['history', 'hosts_json'],
];

let harness: Harness;
let db: BetterSqlite.Database;
let asked: readonly (readonly [MethodName, unknown])[];
const stored: Stored[] = [];
beforeAll(async () => {
  harness = await createHarness();
  await importOwn(harness, sourceOf(testPlanFile()));
  await harness.call('profile.save', { ...testProfile, id: 'own' });
  await harness.call('study.save', {
    schemaVersion: 1,
    id: 's',
    name: 'S',
    planId: 'plan',
    axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2] }],
  });
  const { runId } = await harness.call('file.import', {
    fileName: 'esx1.csv',
    uploadId: null,
    bytes: new TextEncoder().encode(esxtopFile),
    last: true,
  });
  const run = { id: runId! };
  asked = [
    ['connection.list', {}],
    ['testbed.list', {}],
    ['testbed.versions', { id: 'tb' }],
    ['plan.list', {}],
    ['profile.list', {}],
    ['study.list', {}],
    ['study.overview', { id: 's' }],
    ['run.list', {}],
    ['run.overview', run],
    ['run.record', run],
    ['run.samples', { runId: run.id, seriesIds: [0, 1], maxPoints: 10 }],
    ['history.list', {}],
  ];
  db = new BetterSqlite(join(harness.dataDir, 'tilebench.sqlite'));
  for (const [table, column] of columns)
    for (const { text } of db
      .prepare<[], { text: string }>(`SELECT ${column} AS text FROM ${table}`)
      .all())
      stored.push({ table, column, text });
});
afterAll(async () => {
  db.close();
  await harness.close();
});

fuzz({
  name: `stored documents that are damaged (${columns.length} columns)`,
  cases: 400,
  inputs: fc.nat().chain((i) => {
    const one = stored[i % stored.length]!;
    return fc.record({ one: fc.constant(one), text: damagedJson([JSON.parse(one.text)]) });
  }),
  print: ({ one, text }) => `${one.table}.${one.column} ${text.slice(0, 600)}`,
  async take({ one, text }) {
    const write = db.prepare(`UPDATE ${one.table} SET ${one.column} = ? WHERE ${one.column} = ?`);
    write.run(text, one.text);
    try {
      for (const [method, input] of asked) {
        const list = method.endsWith('.list');
        const answer = harness.call(method, input as Input<typeof method>);
        // A list is given without the one that cannot be read; who asks for that one is refused in
        // words.
        if (list) await answer;
        else
          await answer.catch((thrown: unknown) => {
            if ((thrown as { kind?: string }).kind === undefined) throw thrown;
          });
      }
    } finally {
      write.run(one.text, text);
    }
  },
});
