import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byLooseOrder, byNaturalOrder } from './naturalOrder.ts';

test.each([
  [
    ['client10', 'client2', 'client1'],
    ['client1', 'client2', 'client10'],
  ],
  [
    ['naa.600a10', 'naa.600a9'],
    ['naa.600a9', 'naa.600a10'],
  ],
  [
    ['esx-b', 'ESX-a', 'esx-C'],
    ['ESX-a', 'esx-b', 'esx-C'],
  ],
])('%j is sorted as people count', (names, sorted) => {
  expect([...names].sort(byNaturalOrder)).toEqual(sorted);
});
test('upper and lower case are one where a list says so', () => {
  expect(byLooseOrder('Tile', 'tile')).toBe(0);
  expect(byLooseOrder('tile2', 'Tile10')).toBeLessThan(0);
});

/**
 * Sorted for a comparison by the machine, a hash, or as numbers: never shown in this order.
 * Whoever adds a file here says by it that nobody reads the list.
 */
const sortedForTheMachine: readonly string[] = [
  'src/core/base/canonicalJson.ts',
  'src/core/planImport/preview.ts',
  'src/core/redact/learn.ts',
  'src/core/snapshot/setupRows.ts',
  'src/core/snapshot/snapshot.ts',
  'src/core/snapshot/snapshotDiff.ts',
  'src/core/snapshot/snapshotTake.ts',
  'src/core/stats/bootstrap.ts',
  'src/core/stats/quantile.ts',
  'src/core/study/studyCurves.ts',
  'src/ui/charts/chartText.ts',
  'src/ui/engine/series.ts',
  'workers/engine/profiles/shipped.ts',
  'workers/engine/reports/fonts/charsOf.ts',
  'workers/engine/reports/pptx.ts',
  'workers/engine/simlab/index.ts',
];

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name) ? [path] : [];
  });
}

/** An order of another module's making: `a < b ? -1 : 1` in any of its spellings. */
const ownOrder =
  /[<>]=?\s*[A-Za-z_][\w.!()[\]]*\s*\?\s*(?:-1\s*:|-(\w+)\s*:\s*\1\b|(\w+)\s*:\s*-\2\b)/;
const sortedPlainly = /\.(?:sort|toSorted)\(\)/;
/** By the bytes of a name, as a database sorts: `Plan 10` before `Plan 2`. */
const sortedInSql = /ORDER BY[^'"`;)]*\b(?:name|tag|tag_key|folder|title|label|path)\b/i;

/** What in a source orders names by another rule than this module's; null = nothing. */
function wrongOrder(text: string, forTheMachine = false): string | null {
  const found =
    /localeCompare\(|Intl\.Collator/.exec(text) ??
    sortedInSql.exec(text) ??
    (forTheMachine ? null : (sortedPlainly.exec(text) ?? ownOrder.exec(text)));
  return found?.[0] ?? null;
}

test.each([
  'names.sort()',
  'names.toSorted()',
  'names.sort((a, b) => a.localeCompare(b))',
  'new Intl.Collator()',
  'rows.sort((a, b) => (a.name < b.name ? -1 : 1))',
  'rows.sort((a, b) => (a.name > b.name ? 1 : -1))',
  'rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))',
  'return a.key < b.key ? -sign : sign;',
  'return a.key! >\n  b.key!\n  ? sign\n  : -sign;',
  '`SELECT json FROM ${table} ORDER BY name COLLATE NOCASE, id`',
  "'SELECT tag FROM history_tags ORDER BY entry, tag_key'",
])('%s is seen', (source) => expect(wrongOrder(source)).not.toBeNull());
test.each([
  'rows.sort((a, b) => a.tMs - b.tMs || byNaturalOrder(a.name, b.name))',
  'const weight = work < lessWork ? 1 : 0.8;',
  'const activeRow = activeTile < 0 ? -1 : rows.indexOf(activeTile);',
  "'SELECT id, json FROM runs ORDER BY created_at_ms DESC'",
])('%s is none', (source) => expect(wrongOrder(source)).toBeNull());

test('names are sorted by this module alone', () => {
  const others = ['src', 'workers', 'electron']
    .flatMap(sources)
    .filter((path) => path !== join('src', 'core', 'base', 'naturalOrder.ts'))
    .flatMap((path) => {
      const found = wrongOrder(readFileSync(path, 'utf8'), sortedForTheMachine.includes(path));
      return found === null ? [] : [`${path}: ${found}`];
    });
  expect(others).toEqual([]);
});
