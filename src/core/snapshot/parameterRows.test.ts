import { demoRun } from '../../ui/pages/runs/testing/records.ts';
import type { RunRecord } from '../run/run.ts';
import { parameterRows } from './parameterRows.ts';
import { setupFacts } from './setupFacts.ts';
import { compareSetups } from './snapshotCompare.ts';

const record = (edit: (it: RunRecord) => void = () => undefined): RunRecord => {
  const made = structuredClone(demoRun().record);
  edit(made);
  return made;
};
const onTiles =
  (tiles: readonly number[], threads: number) =>
  (it: RunRecord): void => {
    for (const tile of it.testbed.tiles)
      if (tiles.includes(tile.index))
        for (const one of tile.workloads)
          if (one.workloadId === 'database') one.params = { ...one.params, threads };
  };
const told = (...records: RunRecord[]) =>
  parameterRows(records).rows.map(({ label, values }) => `${label}: ${values.join(' → ')}`);

test('a parameter is told by its name, with the tiles on which it differs', () => {
  expect(told(record(), record(onTiles([0], 16)))).toEqual(['Database threads, tile 1: 8 → 16']);
  expect(told(record(), record(onTiles([0, 1], 16)))).toEqual(['Database threads: 8 → 16']);
  expect(
    told(
      record(),
      record((it) => {
        onTiles([0], 16)(it);
        onTiles([1], 32)(it);
      }),
    ),
  ).toEqual(['Database threads, tile 1: 8 → 16', 'Database threads, tile 2: 8 → 32']);
  expect(told(record(), record())).toEqual([]);
});

test('what a plan sets for all tiles counts before what the tile sets, in the facts as well', () => {
  const overridden = record((it) => {
    onTiles([0], 4)(it);
    it.plan.overrides = { database: { threads: 16 } };
  });
  expect(told(record(), overridden)).toEqual(['Database threads: 8 → 16']);
  expect(setupFacts(overridden)).toContainEqual(['Workloads', 'Database: threads', '16']);
});

test('tiles that only one of the runs loaded are no difference of parameters', () => {
  const one = record((it) => {
    it.plan.tiles = 1;
    onTiles([1], 16)(it);
  });
  expect(told(one, record(onTiles([1], 32)))).toEqual([]);
});

test('the version of a testbed is told only where nothing says what was changed in it', () => {
  const newer = (it: RunRecord): void => {
    it.testbed.version += 1;
  };
  const labels = (...records: RunRecord[]) =>
    compareSetups(records).differences.map(({ label }) => label);
  expect(labels(record(), record(newer))).toEqual(['Testbed version']);
  expect(
    labels(
      record(),
      record((it) => {
        newer(it);
        onTiles([0], 16)(it);
      }),
    ),
  ).toEqual(['Database threads, tile 1']);
});
