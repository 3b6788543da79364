import type { RunRecord } from '../run/run.ts';
import { newArray } from '../testbed/arrayFacts.ts';
import { snapshotClients, snapshotInventory, snapshotTestbed } from '../testing/snapshotLab.ts';
import { setupFacts } from './setupFacts.ts';
import { compareSetups } from './snapshotCompare.ts';
import { diffSnapshots } from './snapshotDiff.ts';
import { snapshotOfRun } from './snapshotTake.ts';

type Arrays = NonNullable<RunRecord['testbed']['arrays']>;
const datastores = snapshotInventory().datastores.map(({ ref, name }) => ({ ref, name }));
const spa = {
  ...newArray('spa'),
  model: 'CX500',
  disks: 10,
  writeCacheMb: 512,
  datastores: datastores.slice(0, 1),
};

/** Only what a set-up is made of; the rest of a record says nothing about it. */
const record = (arrays?: Arrays): RunRecord =>
  ({
    overview: { id: 'r', series: [], score: null },
    plan: {
      tiles: 2,
      phases: { rampUpS: 1, staggerS: 0, steadyS: 10, periods: 1, rampDownS: 1 },
      sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
      overrides: {},
    },
    testbed: { ...snapshotTestbed(4), ...(arrays ? { arrays } : {}) },
    profile: { id: 'p', name: 'P', version: '1', workloads: [], scoring: {}, phases: {} },
    clients: snapshotClients(),
    inventoryBefore: snapshotInventory(),
    inventoryAfter: null,
    planHash: '',
    appVersion: '1',
  }) as unknown as RunRecord;
const rows = (...records: RunRecord[]): string[] =>
  compareSetups(records).differences.map(
    (r) => `${r.label} | ${r.values.join(' | ')} | ${r.effect}`,
  );

test('another array of the same name differs field by field, with its likely effect', () => {
  const other = { ...spa, model: 'CX3-20', writeCacheMb: 1_024, note: 'new' };
  expect(rows(record([spa]), record([other]))).toEqual([
    'Array: Model | CX500 | CX3-20 | strong',
    'Array: Write cache | 512 MB | 1,024 MB | strong',
  ]);
});
test('a run of which no array was recorded is no run without an array', () => {
  expect(rows(record([spa]), record())).toEqual([]);
  const [with_, without] = [record([spa]), record()].map((one) => snapshotOfRun(one, 'before')!);
  expect(diffSnapshots(with_!, without!).changes).toEqual([]);
  expect(rows(record([spa]), record([spa, { ...newArray('spb') }])).join()).toContain('Arrays | ');
});
test('an array that only holds datastores of others is not part of the run', () => {
  const far = { ...spa, name: 'far', datastores: [{ ref: 'elsewhere', name: 'elsewhere' }] };
  const things = snapshotOfRun(record([spa, far]), 'before')!.things;
  expect(things.filter(({ kind }) => kind === 'array').map(({ name }) => name)).toEqual(['spa']);
});
test('set-up and reports tell what is known of it, and nothing else', () => {
  expect(setupFacts(record([spa])).filter(([, label]) => label.startsWith('Array'))).toEqual([
    ['Storage', 'Array spa', 'model CX500, disks 10, write cache 512 MB'],
  ]);
});
