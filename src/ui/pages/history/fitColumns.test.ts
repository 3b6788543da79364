import { demoRun } from '../runs/testing/records.ts';
import { fitColumns, type FittedColumns } from './fitColumns.ts';
import { columnsOf, firstColumns } from './historyColumns.tsx';
import { nameParts } from './nameParts.ts';
import { entryOf } from './testing/historyAnswers.ts';

const run = demoRun().summary;
const tagged = entryOf(run, { tags: ['array-a'] });
const fit = (placePx: number, { ids = firstColumns, drawn = {}, entries = [tagged] } = {}) =>
  fitColumns(columnsOf(ids), drawn, entries, placePx);
const idsOf = ({ columns }: FittedColumns): string[] => columns.map(({ id }) => id);

test('with room for all every column is there, the name with its first width', () => {
  const fitted = fit(1_600);
  expect(idsOf(fitted)).toEqual(firstColumns);
  expect(fitted.leftOut).toEqual({});
  expect(fitted.widths['name']).toBe(292);
});

test('where it is narrow the name gives way, then whole columns, told with the reason', () => {
  // Tags somebody gave are read longer than what a run's page says as well.
  expect(fit(710).leftOut).toEqual({ duration: 'noRoom', tiles: 'noRoom' });
  const narrow = fit(570);
  expect(idsOf(narrow)).toEqual(['name', 'state', 'score', 'started']);
  expect(narrow.leftOut).toEqual({ tags: 'noRoom', duration: 'noRoom', tiles: 'noRoom' });
  const all = Object.values(narrow.widths).reduce((a, b) => a + b, 60);
  expect(all).toBeLessThanOrEqual(570);
  expect(narrow.widths['name']).toBeGreaterThanOrEqual(210);
});

test('a column that is empty in every row is left out; the order of the columns does not matter', () => {
  const bare = fit(1_600, { ids: [...firstColumns].reverse(), entries: [entryOf(run)] });
  expect(bare.leftOut).toEqual({ tags: 'empty' });
  expect(idsOf(bare)).not.toContain('tags');
});

test('columns somebody chose all stay, however narrow, and so does a width somebody drew', () => {
  const fitted = fit(300, { ids: ['name', 'folder', 'totals'], drawn: { name: 400 } });
  expect(idsOf(fitted)).toEqual(['name', 'folder', 'totals']);
  expect(fitted.widths['name']).toBe(400);
});

test('before anything is measured nothing gives way', () => {
  expect(idsOf(fit(-17))).toEqual(firstColumns);
});

test('a long name has an end that is always shown, whole words of it', () => {
  expect(nameParts('Baseline')).toEqual(['Baseline', '']);
  expect(nameParts('Practice 3 min with queue depth 64, repeat 12')).toEqual([
    'Practice 3 min with queue depth',
    ' 64, repeat 12',
  ]);
  expect(nameParts('a'.repeat(30) + '0123456789')).toEqual(['a'.repeat(26), 'aaaa0123456789']);
});
