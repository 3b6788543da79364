import {
  addTiles,
  keysOfTiles,
  moveTilesToDatastore,
  moveToHost,
} from '../src/core/layout/layoutEdit.ts';
import { forecast } from '../src/core/layout/layoutForecast.ts';
import { generateDefaults, generateLayout } from '../src/core/layout/layoutGenerate.ts';
import { createHistory, edit, undo } from '../src/core/layout/layoutHistory.ts';
import { checkLayout } from '../src/core/layout/layoutRules.ts';
import { layoutView } from '../src/core/testbed/layoutView.ts';
import {
  datastoreRef,
  hostRef,
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
} from '../src/core/testing/layoutLab.ts';
import type { BenchResult, BenchRow } from './row.ts';

const [hosts, luns, tiles, rounds] = [64, 100, 200, 30];

/** Median milliseconds of a call. */
function took(call: () => unknown): number {
  for (let i = 0; i < 5; i += 1) call();
  const times = Array.from({ length: rounds }, () => {
    const startedMs = performance.now();
    call();
    return performance.now() - startedMs;
  });
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

/**
 * The designer's own work at full size: 64 hosts, 100 LUNs, 200 tiles of 6 VMs; the anchor is a
 * structured clone of the testbed.
 */
export async function run(): Promise<BenchResult[]> {
  const profile = layoutProfile(),
    clients = layoutClients(40);
  const inventory = layoutInventory({ hosts, datastores: luns, tiles }),
    testbed = layoutTestbed(tiles, { clients: 40 });
  const pool = {
    hosts: Array.from({ length: hosts }, (_, i) => ({ ref: hostRef(i), name: `esx${i + 1}` })),
    datastores: Array.from({ length: luns }, (_, i) => ({
      ref: datastoreRef(i),
      name: `lun${i + 1}`,
    })),
  };
  const anchor = took(() => structuredClone(testbed));
  const before = layoutView(testbed, inventory, profile, clients);
  const keys = keysOfTiles(testbed, [10, 11, 12]);
  let turn = 0;
  const generate = (host: 'spread' | 'pack'): unknown =>
    generateLayout(testbed, inventory, profile, clients, {
      ...generateDefaults,
      ...pool,
      clientIds: clients.map(({ id }) => id),
      tiles,
      host,
      unit: 'vm',
      vcpusPerCore: 4,
      pattern: 'tile{tile}-{workload}',
    });
  const row = (label: string, value: number, budgetMs: number, times: number): BenchRow[] => [
    { label, value, unit: 'ms', budget: budgetMs },
    {
      label: `${label}, against the clone`,
      value,
      unit: 'ms',
      ratio: value / anchor,
      budget: times,
    },
  ];
  return [
    {
      name: `layout: ${hosts} hosts, ${luns} LUNs, ${tiles} tiles, ${tiles * profile.workloads.length} VMs`,
      rows: [
        { label: 'structured clone of the testbed', value: anchor, unit: 'ms' },
        ...row(
          'view of everything',
          took(() => layoutView(testbed, inventory, profile, clients)),
          10,
          6,
        ),
        ...row(
          'edit of 18 VMs, history and view after it',
          took(() => {
            const history = edit(
              createHistory(testbed),
              moveToHost(testbed, keys, pool.hosts[(turn += 1) % hosts]!),
            );
            return layoutView(history.present, inventory, profile, clients, before);
          }),
          10,
          4,
        ),
        ...row(
          'edit of every tile, view, undo, view',
          took(() => {
            const all = testbed.tiles.map((_, i) => i);
            const history = edit(
              createHistory(testbed),
              moveTilesToDatastore(testbed, all, pool.datastores[(turn += 1) % luns]!),
            );
            const after = layoutView(history.present, inventory, profile, clients, before);
            return layoutView(undo(history).present, inventory, profile, clients, after);
          }),
          50,
          12,
        ),
        ...row(
          '50 tiles more',
          took(() => addTiles(testbed, profile, 50, ['client-1'])),
          50,
          1,
        ),
        ...row(
          'forecast',
          took(() => forecast(before)),
          16,
          4,
        ),
        ...row(
          'every rule, forecast included',
          took(() => checkLayout(before)),
          50,
          12,
        ),
        ...row(
          'generate 200 tiles, spread VM by VM',
          took(() => generate('spread')),
          50,
          30,
        ),
        ...row(
          'generate 200 tiles, packed VM by VM',
          took(() => generate('pack')),
          50,
          30,
        ),
      ],
    },
  ];
}
