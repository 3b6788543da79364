import { clashesOf } from './clashes.ts';
import type { ImportParts } from './parts.ts';

/** A testbed of one tile, as far as a comparison reads it. */
const parts = (params: Record<string, string>, name = 'One tile'): ImportParts =>
  ({
    connection: [],
    profile: [],
    plan: [],
    study: [],
    testbed: [
      {
        id: 'small',
        name,
        profileId: 'quick',
        tiles: [{ index: 0, workloads: [{ workloadId: 'database', params }] }],
      },
    ],
  }) as unknown as ImportParts;
const fields = (mine: Record<string, string>, theirs: Record<string, string>) =>
  clashesOf(parts(theirs), parts(mine), () => false)[0]?.fields;

test('what would be replaced is told by its values, however deep they lie', () => {
  expect(fields({ configFile: '/home/bench/db.cnf' }, { configFile: '/etc/other.cnf' })).toEqual([
    {
      field: 'tiles.0.workloads.0.params.configFile',
      mine: '/home/bench/db.cnf',
      theirs: '/etc/other.cnf',
    },
  ]);
});

test('many values of one member are counted after the first three', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}`, 'x']));
  const told = fields({ p0: 'y' }, many)!;
  expect(told).toHaveLength(4);
  expect(told[3]).toEqual({ field: 'tiles, 37 more values', mine: '1 entry', theirs: '1 entry' });
});

test('the same content is no clash', () => {
  expect(fields({ a: 'x' }, { a: 'x' })).toBeUndefined();
});
