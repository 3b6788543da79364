import { namesBeside, sideName } from './index.ts';

const run = (name: string, study: string | null = 's') => ({
  name,
  study: study === null ? null : { id: study, key: name },
});

test('points of one study are named without it; others keep their names', () => {
  expect(
    namesBeside(
      ['ESX 3.0.2', 'ESX 3.0.2, run 2', 'ESX 3.5, run 1'].map((words) =>
        run(`ESX 3.0.2 and 3.5: ${words}`),
      ),
    ),
  ).toEqual(['ESX 3.0.2', 'ESX 3.0.2, run 2', 'ESX 3.5, run 1']);
  expect(namesBeside([run('Disks: 1 tile'), run('Disks: 1 tile', 't')])).toEqual([
    'Disks: 1 tile (1)',
    'Disks: 1 tile (2)',
  ]);
  expect(namesBeside([run('Disks: 1 tile'), run('Disks: 1 tile', 't')], ['off', 'on'])).toEqual([
    'Disks: 1 tile, off',
    'Disks: 1 tile, on',
  ]);
  expect(namesBeside([run('A: x', null), run('A: y', null)])).toEqual(['A: x', 'A: y']);
  expect(namesBeside([run('A x'), run('A y')])).toEqual(['A x', 'A y']);
  expect(namesBeside([])).toEqual([]);
});

test('points of one study leave away what all of them say', () =>
  expect(
    namesBeside([
      run('Scaling a cluster: 20 tiles, DRS'),
      run('Scaling a cluster: 20 tiles, by hand'),
    ]),
  ).toEqual(['DRS', 'by hand']));

test('a side of repeats is named by its point, not by its first repeat', () => {
  expect(sideName(run('x'), 'ESX 3.5, run 1', 4)).toBe('ESX 3.5 (4 repeats)');
  expect(sideName(run('x'), 'ESX 3.5, run 1', 1)).toBe('ESX 3.5, run 1');
  expect(sideName(run('x', null), 'Nightly, run 3', 2)).toBe('Nightly, run 3 (2 repeats)');
});
