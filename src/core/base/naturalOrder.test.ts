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
  'src/core/planImport/preview.ts',
  'src/core/redact/learn.ts',
  'src/core/snapshot/setupRows.ts',
  'src/core/snapshot/snapshotDiff.ts',
  'src/core/snapshot/snapshotTake.ts',
  'src/core/stats/bootstrap.ts',
  'src/core/stats/quantile.ts',
  'src/core/study/studyCurves.ts',
  'src/ui/charts/chartText.ts',
  'src/ui/engine/series.ts',
  'workers/engine/profiles/shipped.ts',
  'workers/engine/simlab/index.ts',
];

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name) ? [path] : [];
  });
}

test('names are sorted by this module alone', () => {
  const others = ['src', 'workers', 'electron']
    .flatMap(sources)
    .filter((path) => path !== join('src', 'core', 'base', 'naturalOrder.ts'))
    .filter((path) => {
      const text = readFileSync(path, 'utf8');
      return (
        /localeCompare\(|Intl\.Collator/.test(text) ||
        (/\.(sort|toSorted)\(\)/.test(text) && !sortedForTheMachine.includes(path))
      );
    });
  expect(others).toEqual([]);
});
