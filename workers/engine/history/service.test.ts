import fc from 'fast-check';

import type { Input } from '../../../src/wire/contract.ts';
import { createHarness, type Harness } from '../testing/engineHarness.ts';
import { matchQuery, phrasesOf } from './query.ts';
import { storedRun } from './testing/storedRuns.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());

/** Runs in the database, as an earlier engine would have left them. */
const withRuns = (...runs: Parameters<typeof storedRun>[1][]): Promise<void> =>
  harness.restart((db) => {
    for (const run of runs) storedRun(db, run);
  });
const run = (id: string) => ({ kind: 'run' as const, id });
const found = async (text: string): Promise<string[]> =>
  (await harness.call('history.list', { text })).entries.map((entry) => entry.id);

test('text is looked for in names, notes, tags, hosts, findings, testbed and profile, and the place is told', async () => {
  await withRuns(
    {
      id: 'a',
      name: 'Mail on array A',
      hosts: ['esx01.lab.local'],
      findings: ['Clock of host esx01 is 30 ms ahead'],
      testbed: 'Lab Zürich',
    },
    { id: 'b', name: 'Web', notes: ['moved the LUN at noon'] },
  );
  await harness.call('history.annotate', {
    items: [run('b')],
    patch: { addTags: ['Before Upgrade'], notes: '# Plan\nFirmware **4.2** of the HBA' },
  });
  expect(await found('mail')).toEqual(['a']);
  expect(await found('esx01.lab')).toEqual(['a']);
  expect(await found('ahead clock')).toEqual(['a']);
  expect(await found('zurich')).toEqual(['a']);
  expect(await found('firmware upgr')).toEqual(['b']);
  expect(await found('noon')).toEqual(['b']);
  expect(await found('"the LUN"')).toEqual(['b']);
  expect(await found('bench')).toHaveLength(2);
  expect(await found('mail firmware')).toEqual([]);
  const { matched } = await harness.call('history.list', { text: 'firmw' });
  expect(matched).toEqual([
    {
      kind: 'run',
      id: 'b',
      hits: [
        {
          field: 'notes',
          snippet: [
            { text: '# Plan\n', hit: false },
            { text: 'Firmware', hit: true },
            { text: ' **4.2** of the HBA', hit: false },
          ],
        },
      ],
    },
  ]);
});

test('what a person types is never a fault of the query', async () => {
  await withRuns({ id: 'a', name: 'Plan' });
  const hostile = [
    '"',
    '""',
    '*',
    'a*b',
    'AND',
    'NOT',
    'a OR',
    'NEAR(a b)',
    'name:x',
    '{name notes}:x',
    '^a',
    '-a',
    '(',
    'a + b',
    "'; DROP TABLE history; --",
    '%',
    '_',
    '\u0000',
    'a\u0000b',
    '"unclosed',
    '\ud800',
    '\\',
    'a"b"c',
    '😀',
    '…',
    'x'.repeat(300),
  ];
  for (const text of hostile)
    expect([text, (await harness.call('history.list', { text })).total]).toEqual([text, 0]);
  // Signs beside a word are left out.
  expect(await found('P%')).toEqual(['a']);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const query = matchQuery(phrasesOf(text));
      expect(query === null || /^"[^"\u0000]*"\*?( AND "[^"\u0000]*"\*?)*$/u.test(query)).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});

test('text without any letter or digit is looked for in names as it stands', async () => {
  await withRuns({ id: 'a', name: 'Load +++' }, { id: 'b', name: 'Load' });
  expect(await found('+++')).toEqual(['a']);
});

test('tags, folder, favourite and notes are kept beside the run, filter it, and survive a restart', async () => {
  await withRuns({ id: 'a', name: 'A' }, { id: 'b', name: 'B' });
  expect(
    await harness.call('history.annotate', {
      items: [run('a'), run('b'), run('nowhere')],
      patch: {
        addTags: ['  Array   A ', 'array a', 'Überlast'],
        folder: ' 2026\\ Q4 //./../ arrays ',
        favourite: true,
      },
    }),
  ).toEqual({
    done: [run('a'), run('b')],
    refused: [
      { ...run('nowhere'), name: 'nowhere', reason: 'There is no run nowhere in the history.' },
    ],
  });
  await harness.call('history.annotate', {
    items: [run('b')],
    patch: {
      removeTags: ['ARRAY A'],
      folder: null,
      favourite: false,
      notes: '\n## First line\nmore',
    },
  });
  await harness.restart();
  const { entries } = await harness.call('history.list', { sort: 'name', descending: false });
  expect(
    entries.map(({ tags, folder, favourite, noteHead }) => ({ tags, folder, favourite, noteHead })),
  ).toEqual([
    { tags: ['Array A', 'Überlast'], folder: '2026/Q4/arrays', favourite: true, noteHead: null },
    { tags: ['Überlast'], folder: null, favourite: false, noteHead: 'First line' },
  ]);
  const ids = async (
    query: Parameters<typeof harness.call<'history.list'>>[1],
  ): Promise<string[]> =>
    (await harness.call('history.list', query)).entries.map((entry) => entry.id);
  expect(await ids({ tag: 'ARRAY A' })).toEqual(['a']);
  expect(await ids({ folder: '2026' })).toEqual(['a']);
  expect(await ids({ folder: '202' })).toEqual([]);
  expect(await ids({ folder: '' })).toEqual(['b']);
  expect(await ids({ favourite: true })).toEqual(['a']);
  expect(await harness.call('history.notes', run('b'))).toEqual({
    markdown: '\n## First line\nmore',
    changedAtMs: harness.clock.now(),
  });
  expect(await harness.call('history.facets', {})).toEqual({
    tags: [
      { tag: 'Überlast', count: 2 },
      { tag: 'Array A', count: 1 },
    ],
    folders: [
      { folder: '2026', count: 1 },
      { folder: '2026/Q4', count: 1 },
      { folder: '2026/Q4/arrays', count: 1 },
    ],
    active: 2,
    archived: 0,
    deleted: 0,
    favourites: 1,
  });
});

test('what cannot be kept is refused, with the reason', async () => {
  await withRuns({ id: 'a', name: 'A' });
  const refused: [Input<'history.annotate'>['patch'], RegExp][] = [
    [{ addTags: ['a'.repeat(41)] }, /at most 40 characters/],
    [{ addTags: ['a,b'] }, /A tag begins with/],
    [{ addTags: ['<b>'] }, /A tag begins with/],
    [{ addTags: ['  '] }, /not empty/],
    [{ addTags: ['a\u202eb'] }, /A tag begins with/],
    [{ folder: 'a/b/c/d/e/f/g' }, /at most 6 deep/],
    [{ folder: 'x'.repeat(61) }, /at most 60 characters/],
    [{ notes: 'n'.repeat(65_537) }, /at most 65536 characters/],
  ];
  for (const [patch, message] of refused)
    await expect(harness.call('history.annotate', { items: [run('a')], patch })).rejects.toThrow(
      message,
    );
  expect(
    (
      await harness.call('history.annotate', {
        items: [run('a')],
        patch: { notes: 'n'.repeat(65_536) },
      })
    ).done,
  ).toEqual([run('a')]);
});

test('more than twenty tags are refused for that entry alone', async () => {
  await withRuns({ id: 'a', name: 'A' }, { id: 'b', name: 'B' });
  await harness.call('history.annotate', {
    items: [run('a')],
    patch: { addTags: Array.from({ length: 20 }, (_, i) => `t${i}`) },
  });
  const { done, refused } = await harness.call('history.annotate', {
    items: [run('a'), run('b')],
    patch: { addTags: ['one more'] },
  });
  expect([done, refused.map(({ id, reason }) => [id, reason])]).toEqual([
    [run('b')],
    [['a', 'It would have 21 tags; at most 20 are possible.']],
  ]);
});

test('archived entries are shown where they are asked for; deleted ones come back with all that lay beside them', async () => {
  await withRuns({ id: 'a', name: 'A' }, { id: 'b', name: 'B' });
  await harness.call('history.annotate', { items: [run('a')], patch: { addTags: ['keep'] } });
  await harness.call('history.archive', { items: [run('a')], archived: true });
  const ids = async (
    query: Parameters<typeof harness.call<'history.list'>>[1],
  ): Promise<string[]> =>
    (await harness.call('history.list', { sort: 'name', descending: false, ...query })).entries.map(
      (entry) => entry.id,
    );
  expect([await ids({}), await ids({ archived: 'yes' }), await ids({ archived: 'both' })]).toEqual([
    ['b'],
    ['a'],
    ['a', 'b'],
  ]);
  await harness.call('history.delete', { items: [run('a')] });
  expect([
    await ids({ archived: 'both' }),
    await ids({ deleted: true }),
    (await harness.call('run.list', {})).map((one) => one.id),
  ]).toEqual([['b'], ['a'], ['b']]);
  expect(harness.events.filter(({ event }) => event === 'history.changed').at(-1)).toEqual({
    event: 'history.changed',
    payload: { items: [run('a')] },
  });
  // A link to it, or a comparison with it, still works.
  expect((await harness.call('run.overview', { id: 'a' })).name).toBe('A');
  await harness.call('history.restore', { items: [run('a')] });
  await harness.call('history.archive', { items: [run('a')], archived: false });
  expect(
    (await harness.call('history.list', { tag: 'keep' })).entries.map((entry) => entry.id),
  ).toEqual(['a']);
});

test('a run that runs is neither archived nor deleted', async () => {
  const id = await harness.launch();
  for (const method of ['history.delete', 'history.purge'] as const) {
    const { done, refused } = await harness.call(method, { items: [run(id)] });
    expect([done, refused.map((one) => one.id)]).toEqual([[], [id]]);
  }
  const { refused } = await harness.call('history.archive', { items: [run(id)], archived: true });
  expect(refused[0]?.reason).toMatch(/running/);
  await harness.call('history.annotate', { items: [run(id)], patch: { addTags: ['live'] } });
  expect(
    (await harness.call('history.list', { tag: 'live' })).entries.map(
      (entry) => entry.storageBytes,
    ),
  ).toEqual([null]);
});
