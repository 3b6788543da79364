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

/** Rows of one figure: its milliseconds, and as many times the anchor. */
const rowsOf = (
  anchorMs: number,
  label: string,
  value: number,
  budgetMs: number,
  times: number,
): BenchRow[] => [
  { label, value, unit: 'ms', budget: budgetMs },
  {
    label: `${label}, against the clone`,
    value,
    unit: 'ms',
    ratio: value / anchorMs,
    budget: times,
  },
];

/** The testbed that is worked on, with all that the designer knows beside it. */
function boardOf() {
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
  const view = layoutView(testbed, inventory, profile, clients);
  return { profile, clients, inventory, testbed, pool, view };
}
type Board = ReturnType<typeof boardOf>;

/** Two edits by turns, each to another place than the last, with history and view. */
function editsOf({ profile, clients, inventory, testbed, pool, view }: Board) {
  const keys = keysOfTiles(testbed, [10, 11, 12]);
  let turn = 0;
  return {
    someVms: () => {
      const history = edit(
        createHistory(testbed),
        moveToHost(testbed, keys, pool.hosts[(turn += 1) % hosts]!),
      );
      return layoutView(history.present, inventory, profile, clients, view);
    },
    allTilesAndBack: () => {
      const all = testbed.tiles.map((_, i) => i);
      const history = edit(
        createHistory(testbed),
        moveTilesToDatastore(testbed, all, pool.datastores[(turn += 1) % luns]!),
      );
      const after = layoutView(history.present, inventory, profile, clients, view);
      return layoutView(undo(history).present, inventory, profile, clients, after);
    },
  };
}

const generate = (
  { profile, clients, inventory, testbed, pool }: Board,
  host: 'spread' | 'pack',
): unknown =>
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

/**
 * The designer's own work at full size: 64 hosts, 100 LUNs, 200 tiles of 6 VMs; the anchor is a
 * structured clone of the testbed.
 */
export async function run(): Promise<BenchResult[]> {
  const board = boardOf();
  const { profile, clients, inventory, testbed, view } = board;
  const anchorMs = took(() => structuredClone(testbed));
  const edits = editsOf(board);
  const row = (label: string, call: () => unknown, budgetMs: number, times: number): BenchRow[] =>
    rowsOf(anchorMs, label, took(call), budgetMs, times);
  return [
    {
      name: `layout: ${hosts} hosts, ${luns} LUNs, ${tiles} tiles, ${tiles * profile.workloads.length} VMs`,
      rows: [
        { label: 'structured clone of the testbed', value: anchorMs, unit: 'ms' },
        ...row('view of everything', () => layoutView(testbed, inventory, profile, clients), 10, 6),
        ...row('edit of 18 VMs, history and view after it', edits.someVms, 10, 4),
        ...row('edit of every tile, view, undo, view', edits.allTilesAndBack, 50, 12),
        ...row('50 tiles more', () => addTiles(testbed, profile, 50, ['client-1']), 50, 1),
        ...row('forecast', () => forecast(view), 16, 4),
        ...row('every rule, forecast included', () => checkLayout(view), 50, 12),
        ...row('generate 200 tiles, spread VM by VM', () => generate(board, 'spread'), 50, 30),
        ...row('generate 200 tiles, packed VM by VM', () => generate(board, 'pack'), 50, 30),
      ],
    },
  ];
}
