import fc from 'fast-check';

import { byLooseOrder } from '../../../core/base/naturalOrder.ts';
import type { HistoryMatch } from '../../../core/history/history.ts';
import { type HistoryShown, noFilter, places } from '../../engine/historyShown.ts';
import { manySummaries } from '../runs/testing/records.ts';
import { listCsv } from './exportSelected.ts';
import { folderPaths, folderRows, folderTree } from './folders.ts';
import { historyColumns, moveColumn, sortEntries } from './historyColumns.tsx';
import {
  filterFromParams,
  findEntries,
  findRuns,
  indexEntries,
  paramsFromFilter,
  queryOf,
  shownOf,
  wordsOf,
} from './historyFilter.ts';
import { entryOf, studyEntry } from './testing/historyAnswers.ts';

const runs = manySummaries(120);
const entries = [
  ...runs.map((run, i) =>
    entryOf(run, {
      tags: i % 3 === 0 ? ['Firmware 5.2'] : [],
      folder: i % 4 === 0 ? 'Arrays/Old' : i % 5 === 0 ? 'Arrays' : null,
      favourite: i % 7 === 0,
      archivedAtMs: i % 11 === 0 ? 1 : null,
      hosts: [`esx${i}.lab`],
    }),
  ),
  studyEntry('s1', 'Tiles up'),
];
const indexed = indexEntries(entries);
const filters = fc.record<HistoryShown>({
  text: fc.constantFrom('', 'run', 'run 00', 'open tile', 'zzz', 'esx7'),
  state: fc.constantFrom('all', 'passed', 'failed', 'aborted', 'active', 'done'),
  place: fc.constantFrom(...places),
  kind: fc.constantFrom('all', 'run', 'study'),
  profileId: fc.constantFrom(null, 'open-tile', 'other'),
  origin: fc.constantFrom('all', 'real', 'simulated', 'replay', 'imported'),
  compliance: fc.constantFrom('all', 'compliant', 'notCompliant'),
  tag: fc.constantFrom(null, 'firmware 5.2'),
  folder: fc.constantFrom(null, '', 'Arrays', 'Arrays/Old'),
  favourite: fc.boolean(),
});
const names = (
  filter: Partial<HistoryShown>,
  matched: ReadonlyMap<string, HistoryMatch> | null = null,
): string[] =>
  findEntries(indexed, { ...noFilter, ...filter }, matched).map((one) => one.entry.name);

test('a filter survives the address and a saved view', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(filterFromParams(new URLSearchParams(paramsFromFilter(filter).toString()))).toEqual(
        filter,
      );
      const back = shownOf(queryOf(filter));
      expect({ ...back, place: back.place }).toEqual(filter);
    }),
  );
});
test('unknown words in an address are ignored', () =>
  expect(filterFromParams(new URLSearchParams('state=%3Cb&rules=x&place=y&kind=z'))).toEqual(
    noFilter,
  ));
test('filtering keeps order, only takes away, and twice is once', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const kept = findEntries(indexed, filter, null).map((one) => one.entry);
      expect(entries.filter((one) => kept.includes(one))).toEqual(kept);
      expect(findEntries(indexEntries(kept), filter, null).map((one) => one.entry)).toEqual(kept);
    }),
  );
});
test('every word must be found, in any order, case and field; quotes keep words together', () => {
  expect(names({ text: 'TILE 0007' })).toEqual(['Run 0007']);
  expect(names({ text: 'esx6.lab run' })).toEqual(['Run 0007']);
  expect(wordsOf('a "b c" d"')).toEqual(['a', 'b c', 'd"']);
  expect(names({ text: '"tile open"' })).toEqual([]);
});
test('a folder holds the folders in it; no folder is a choice; a tag is told by its letters, not their case', () => {
  expect(new Set(names({ folder: 'Arrays', place: 'all' })).size).toBe(
    entries.filter((one) => one.folder?.startsWith('Arrays')).length,
  );
  expect(names({ folder: '', place: 'all' })).toHaveLength(
    entries.filter((one) => one.folder === null).length,
  );
  expect(names({ tag: 'FIRMWARE 5.2', place: 'all' })).toHaveLength(40);
});
test('what the engine found counts, and says why; the name alone gives no reason', () => {
  const matched = new Map<string, HistoryMatch>([
    [
      'run run-3',
      {
        kind: 'run',
        id: 'run-3',
        hits: [{ field: 'findings', snippet: [{ text: 'queue', hit: true }] }],
      },
    ],
  ]);
  const found = findEntries(indexed, { ...noFilter, text: 'queue' }, matched);
  expect(found.map((one) => [one.entry.name, one.hits[0]?.field])).toEqual([
    ['Run 0004', 'findings'],
  ]);
  expect(findEntries(indexed, { ...noFilter, text: 'run 0007' }, null)[0]!.hits).toEqual([]);
  expect(findEntries(indexed, { ...noFilter, text: 'firmware' }, null)[0]!.hits).toEqual([
    {
      field: 'tags',
      snippet: [
        { text: '', hit: false },
        { text: 'Firmware', hit: true },
        { text: ' 5.2', hit: false },
      ],
    },
  ]);
});
const keyOrder = (a: string | number, b: string | number): number =>
  typeof a === 'string' ? byLooseOrder(a, String(b)) : a === b ? 0 : a - Number(b);
test('a list of runs counts as people do: #2 before #10, whichever case its words have', () => {
  const named = ['Tiles #10', 'tiles #9', 'Tiles #2'].map((name, i) =>
    entryOf({ ...runs[0]!, id: `n${i}`, name }),
  );
  const sorted = sortEntries(indexEntries(named), { columnId: 'name', descending: false });
  expect(sorted.map((one) => one.entry.name)).toEqual(['Tiles #2', 'tiles #9', 'Tiles #10']);
});
test('sorting keeps every entry and puts missing values last both ways', () => {
  const found = findEntries(indexed, { ...noFilter, place: 'all' }, null);
  fc.assert(
    fc.property(
      fc.constantFrom(...historyColumns.map((c) => c.id)),
      fc.boolean(),
      (columnId, descending) => {
        const sorted = sortEntries(found, { columnId, descending });
        expect(new Set(sorted)).toEqual(new Set(found));
        const keys = sorted.map((one) =>
          historyColumns.find((c) => c.id === columnId)!.key(one.entry),
        );
        const known = keys.filter((k) => k !== null);
        expect(keys.slice(known.length).every((k) => k === null)).toBe(true);
        for (let i = 1; i < known.length; i += 1)
          expect((descending ? -1 : 1) * keyOrder(known[i - 1]!, known[i]!)).toBeLessThanOrEqual(0);
      },
    ),
    { numRuns: 40 },
  );
});
test('a run that is about to start comes before all, one that never did after all', () => {
  const waiting = { ...runs[0]!, id: 'w', state: 'starting' as const, startedAtMs: null };
  const refused = { ...runs[0]!, id: 'r', state: 'failed' as const, startedAtMs: null };
  const sorted = sortEntries(indexEntries([...entries, entryOf(refused), entryOf(waiting)]), {
    columnId: 'started',
    descending: true,
  });
  expect([sorted[0]!.entry.id, sorted.at(-1)!.entry.id]).toEqual(['w', 'r']);
  expect(findRuns(runs, 'OPEN 0012').map((r) => r.name)).toEqual(['Run 0012']);
});
test('columns move by one place and stay within the table', () => {
  expect(moveColumn(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'c', 'b']);
  expect(moveColumn(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
  expect(moveColumn(['a', 'b', 'c'], 'a', 9)).toEqual(['b', 'c', 'a']);
});
test('folders are a tree with counts of all below; what is closed hides what it holds', () => {
  const tree = folderTree(entries);
  expect(folderPaths(tree)).toEqual(['Arrays', 'Arrays/Old']);
  expect(tree[0]!.count).toBe(entries.filter((one) => one.folder !== null).length);
  expect(folderRows(tree, new Set(['Arrays'])).map((row) => row.node.path)).toEqual(['Arrays']);
});
test('rows as CSV: quotes doubled, formulas disarmed, missing figures empty', () => {
  const [, row] = listCsv([
    entryOf({ ...runs[3]!, name: '=SUM("a",b)' }, { tags: ['x', 'y'] }),
  ]).split('\r\n');
  expect(row).toMatch(/^run,run-3,"'=SUM\(""a"",b\)",Aborted,real,,false,4,2026-/);
  expect(row).toContain(',x; y,');
});
