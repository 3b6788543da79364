import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { storedRun } from '../engine/history/testing/storedRuns.ts';
import { createHarness, type Harness } from '../engine/testing/engineHarness.ts';
import { runHere, type Said } from './testing/runHere.ts';

let harness: Harness;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-unreadable-'));
  harness = await createHarness({ dataDir: dir });
});
afterEach(async () => {
  await harness.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Rows as a damaged disk, or another version, leaves them. */
async function damage(...statements: [string, ...string[]][]): Promise<void> {
  await harness.restart((db) => {
    const file = new BetterSqlite(db.file);
    for (const [sql, ...values] of statements) file.prepare(sql).run(...values);
    file.close();
  });
}
const runs = async (...ids: string[]): Promise<void> =>
  harness.restart((db) => {
    for (const id of ids) storedRun(db, { id, name: `Run ${id}` });
  });
const listed = async (): Promise<string[]> =>
  (await harness.call('history.list', { sort: 'name', descending: false })).entries.map(
    (entry) => entry.name,
  );
const unreadable = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await harness.call('history.unreadable', {})).items.map(({ id, issue }) => [id, issue]),
  );
const setBoth = 'UPDATE runs SET summary_json = ?, record_json = ? WHERE id = ?';
const replaced = (column: string) =>
  `UPDATE runs SET ${column} = replace(${column}, ?, ?) WHERE id = ?`;

const cli = (...args: string[]): Promise<Said> => runHere(...args, '--data', dir);

/** What a row may come to, and whether it can still be read. */
const damages: [string, [string, ...string[]][], { name: string } | RegExp][] = [
  [
    'truncated',
    [[setBoth, '{"id":"bad","na', '{"overview":{', 'bad']],
    /JSON|Unterminated|Expected/,
  ],
  ['empty', [[setBoth, '', '', 'bad']], /JSON/],
  ['of another kind', [[setBoth, '[1]', '"text"', 'bad']], /value: /],
  [
    'of another version',
    [
      [replaced('record_json'), '"schemaVersion":1', '"schemaVersion":9', 'bad'],
      [replaced('summary_json'), '"id"', '"ident"', 'bad'],
    ],
    /schemaVersion|id: /,
  ],
  [
    'without a member',
    [
      [replaced('record_json'), '"createdAtMs"', '"made"', 'bad'],
      [replaced('summary_json'), '"tiles"', '"t"', 'bad'],
    ],
    /createdAtMs|tiles/,
  ],
  [
    'with a damaged summary only',
    [[replaced('summary_json'), '{', '', 'bad']],
    { name: 'Run bad' },
  ],
  [
    'with control characters in its names',
    [
      [replaced('record_json'), 'Run bad', 'Run\\u001b[2J\\u202e bad', 'bad'],
      [replaced('summary_json'), 'Run bad', 'Run\\u001b[2J\\u202e bad', 'bad'],
    ],
    { name: 'Run[2J bad' },
  ],
];

test.each(damages)(
  'a record %s stops nothing: history, compare, report, export and start go on, and it is named or read',
  async (_what, statements, expected) => {
    await runs('a', 'b', 'bad');
    await damage(...statements);
    const isRead = !(expected instanceof RegExp);
    expect(await listed()).toEqual(['Run a', 'Run b', ...(isRead ? [expected.name] : [])]);
    const comparison = await harness.call('run.compare', { baselineId: 'a', ids: ['b', 'bad'] });
    expect(comparison.runs.map((one) => one.id)).toEqual(['a', 'b', ...(isRead ? ['bad'] : [])]);
    expect((comparison.unreadable ?? []).map((one) => one.id)).toEqual(isRead ? [] : ['bad']);
    for (const id of ['a', ...(isRead ? ['bad'] : [])]) {
      expect(
        (await harness.call('report.run', { id, format: 'markdown' })).bytes.length,
      ).toBeGreaterThan(100);
      const page = await harness.call('run.export', { id, format: 'json', cursor: null });
      expect(Buffer.from(page.bytes).toString()).toContain('tilebenchRun');
    }
    if (isRead) {
      expect(await unreadable()).toEqual({});
      return;
    }
    expect((await unreadable())['bad']).toMatch(expected);
    await expect(harness.call('run.record', { id: 'bad' })).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/^The stored run bad cannot be read: /) as string,
      hint: expect.stringContaining('tilebench runs raw bad') as string,
    });
    expect((await harness.call('history.raw', { kind: 'run', id: 'bad' })).text).toBeDefined();
    expect(
      await harness.call('history.delete', { items: [{ kind: 'run', id: 'bad' }] }),
    ).toMatchObject({ refused: [] });
    expect(
      await harness.call('history.purge', { items: [{ kind: 'run', id: 'bad' }] }),
    ).toMatchObject({ refused: [] });
    expect(await unreadable()).toEqual({});
  },
);

test('the command line names it on stderr, lists the others and ends well; raw prints it', async () => {
  await runs('a', 'bad');
  await damage([setBoth, '{"id', '{"overview":{', 'bad']);
  await harness.engine.close();
  const { code, out, err } = await cli('runs', 'list');
  expect([code, out.includes('Run a'), out.includes('bad')]).toEqual([0, true, false]);
  expect(err).toMatch(
    /The stored run bad in .*tilebench\.sqlite cannot be read and is left out: .*runs raw bad.*runs delete bad/,
  );
  expect(await cli('runs', 'raw', 'bad')).toMatchObject({
    code: 0,
    // The damaged head between the parts that are not.
    out: expect.stringMatching(
      /^\{"testbed":\{.*\},"overview":\{"series":\[.*\],"events":\[\],\n$/,
    ) as string,
  });
  expect(await cli('runs', 'delete', 'bad')).toMatchObject({ code: 0 });
  expect(await cli('runs', 'purge', 'bad', '--yes')).toMatchObject({ code: 0 });
  expect((await cli('runs', 'list')).err).toBe('');
  await harness.restart();
});

test('a study whose progress cannot be read stops neither the history nor the list of studies', async () => {
  await runs('a');
  await harness.restart((db) => {
    const file = new BetterSqlite(db.file);
    file.prepare("INSERT INTO studies (id, name, json) VALUES ('s', 'S', '{\"id\":')").run();
    file.prepare("INSERT INTO study_progress (study_id, json) VALUES ('s', '{')").run();
    file.close();
  });
  expect(await listed()).toEqual(['Run a']);
  expect(await harness.call('study.list', {})).toEqual([]);
  expect(Object.keys(await unreadable())).toEqual(['s']);
});

test('a table that lacks a column is told with the file and what to do', async () => {
  await harness.engine.close();
  const path = join(dir, 'tilebench.sqlite');
  const file = new BetterSqlite(path);
  file.exec('ALTER TABLE runs RENAME COLUMN record_json TO other_json');
  file.close();
  expect(await cli('runs', 'list')).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      /tilebench\.sqlite lacks what its version has: no such column: .*record_json/,
    ) as string,
  });
  const again = new BetterSqlite(path);
  again.exec('ALTER TABLE runs RENAME COLUMN other_json TO record_json');
  again.close();
  await harness.restart();
});
