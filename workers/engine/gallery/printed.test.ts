import { spawnSync } from 'node:child_process';

import { basisLine } from '../../../src/core/study/basisWords.ts';
import { gallery } from './index.ts';

test('the printed report of a study names every constant it rests on: published, sourced, chosen, with its source and the lines it serves', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['scripts/studies.mjs', '--report', 'E10'],
    { encoding: 'utf8' },
  );
  expect(status).toBe(0);
  const told = stdout.slice(stdout.indexOf('E10 rests on')).split('\n');
  const { basis } = gallery.find(({ item }) => item.id === 'E10')!;
  expect(basis.length).toBeGreaterThan(0);
  for (const { what, figure } of basis)
    expect(told).toContainEqual(expect.stringContaining(`: ${what}, ${figure}; serves `));
  expect(told[1]).toMatch(/^ {2}(Published|Sourced): .+, .+; serves \d+ lines? \(.+\)$/);
});

test('a constant in one line', () => {
  expect(
    basisLine({
      kind: 'chosen',
      what: 'Disk FC 15k',
      figure: '3.5 ms',
      source: 'chosen: x',
      serves: 2,
    }),
  ).toBe('Chosen to match: Disk FC 15k, 3.5 ms; serves 2 lines (chosen: x)');
});
