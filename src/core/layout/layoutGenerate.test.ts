import type { Inventory } from '../testbed/inventory.ts';
import { layoutView } from '../testbed/layoutView.ts';
import type { Testbed } from '../testbed/testbed.ts';
import {
  datastoreRef,
  hostRef,
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
  layoutVm,
  random,
  vmRef,
  workloadIds,
} from '../testing/layoutLab.ts';
import {
  type Generated,
  generateDefaults,
  generateLayout,
  type GenerateOptions,
} from './layoutGenerate.ts';
import { setExcludedVms, setMaintenanceDatastore } from './layoutSettings.ts';

const profile = layoutProfile();
const esx = (count: number): { ref: string; name: string }[] =>
  Array.from({ length: count }, (_, i) => ({ ref: hostRef(i), name: `esx${i + 1}` }));
const luns = (count: number): { ref: string; name: string }[] =>
  Array.from({ length: count }, (_, i) => ({ ref: datastoreRef(i), name: `lun${i + 1}` }));
const clients = layoutClients(4);

function generate(
  change: Partial<GenerateOptions>,
  testbed: Testbed = layoutTestbed(0),
  inventory: Inventory = layoutInventory({ hosts: 4, datastores: 6, tiles: 20 }),
): Generated & { at: (key: string) => string; view: ReturnType<typeof layoutView> } {
  const made = generateLayout(testbed, inventory, profile, clients, {
    ...generateDefaults,
    hosts: esx(4),
    datastores: luns(6),
    clientIds: clients.map(({ id }) => id),
    pattern: 'tile{tile}-{workload}',
    ...change,
  });
  const view = layoutView(made.change.testbed, inventory, profile, clients);
  return {
    ...made,
    view,
    at: (key) => {
      const vm = view.byKey.get(key)!;
      return `${vm.host?.name} ${vm.datastore?.name} ${vm.clientId}`;
    },
  };
}

it.each<[string, Partial<GenerateOptions>, string[]]>([
  [
    'a datastore each, tiles round-robin, a client a tile',
    { host: 'roundRobin', client: 'onePerTile' },
    ['esx1 lun1 client-1', 'esx2 lun2 client-2', 'esx3 lun3 client-3'],
  ],
  [
    'all on one datastore and one host',
    { datastore: 'one', host: 'allOnOne', client: 'onePerTile' },
    ['esx1 lun1 client-1', 'esx1 lun1 client-2', 'esx1 lun1 client-3'],
  ],
  [
    'VMs round-robin over hosts and datastores',
    { datastore: 'roundRobin', host: 'roundRobin', unit: 'vm' },
    ['esx1 lun1 client-1', 'esx3 lun1 client-3', 'esx1 lun1 client-1'],
  ],
  [
    'packed: a 16-core host takes a tile of 12 vCPUs',
    { host: 'pack', datastore: 'asIs', client: 'asIs' },
    ['esx1 lun1 ', 'esx2 lun1 ', 'esx3 lun1 '],
  ],
  [
    'packed at two vCPUs a core',
    { host: 'pack', vcpusPerCore: 2, client: 'onePerTile' },
    ['esx1 lun1 client-1', 'esx1 lun2 client-2', 'esx2 lun3 client-3'],
  ],
  [
    'spread',
    { host: 'spread', client: 'onePerTile' },
    ['esx1 lun1 client-1', 'esx2 lun2 client-2', 'esx3 lun3 client-3'],
  ],
])('places %s', (_, change, places) => {
  const { at, notes, naming, view } = generate({ tiles: 3, ...change });
  expect(['0/mail', '1/mail', '2/mail'].map(at)).toEqual(places);
  expect(notes).toEqual([]);
  expect(naming!.matched).toHaveLength(18);
  expect(view.tiles.every((tile) => tile.missing === 0)).toBe(true);
});

it('says what could not be held', () => {
  const bed = setMaintenanceDatastore(layoutTestbed(0), luns(6)[5]!).testbed;
  expect(
    generate(
      { tiles: 20, host: 'pack', client: 'onePerTile', pattern: 'nothing{tile}-{workload}' },
      bed,
    ).notes,
  ).toEqual([
    '120 of 120 workloads have no VM by the pattern nothing{tile}-{workload}.',
    'lun6 is the maintenance datastore and takes no tile.',
    '20 tiles on 5 datastores: 15 share one. Choose 15 more for a datastore each.',
    '120 VMs without a known size: each counts as one vCPU and no memory where its figure is missing.',
    '12 of 20 tiles fit on no host within 1 vCPUs a core and 100 % of memory; they are on the hosts they overfill least.',
    '20 tiles and 4 clients: 16 tiles share one.',
  ]);
});

it.each<[Partial<GenerateOptions>, string]>([
  [{ tiles: 0 }, '0 tiles: Six VMs takes 1 to 400.'],
  [{ tiles: 401 }, '401 tiles'],
  [{ hosts: [] }, 'No host is chosen'],
  [{ datastores: [] }, 'No datastore is chosen'],
  [{ clientIds: [] }, 'No client machine is chosen'],
  [{ pattern: '{x}' }, 'position 1'],
])('refuses %j', (change, message) =>
  expect(() => generate({ tiles: 2, ...change })).toThrow(message),
);

it('keeps what is assigned already, and excluded VMs out of tiles', () => {
  const bed = setExcludedVms(layoutTestbed(1), [
    { ref: vmRef(1, 'mail'), name: 'tile2-mail' },
  ]).testbed;
  const kept = {
    ...bed,
    tiles: [
      {
        index: 0,
        workloads: bed.tiles[0]!.workloads.map((one) => ({ ...one, params: { seed: 7 } })),
      },
    ],
  };
  const {
    change: { testbed, label },
    naming,
  } = generate({ tiles: 2, client: 'asIs', host: 'asIs', datastore: 'asIs' }, kept);
  expect(testbed.tiles[0]).toBe(kept.tiles[0]);
  expect(naming!.unmatched.map(({ slot }) => slot.key)).toEqual(['1/mail']);
  expect(testbed.tiles[1]!.workloads.map(({ vm }) => vm?.name ?? null)).toEqual([
    null,
    ...workloadIds.slice(1).map((id) => `tile2-${id}`),
  ]);
  expect(label).toBe('Lay out 2 tiles: places left as they are');
});

/** Sizes that are powers of two on equal hosts: first-fit decreasing misses no packing there. */
function randomLab(seed: number): { inventory: Inventory; tiles: number; hosts: number } {
  const next = random(seed),
    tiles = 1 + Math.floor(next() * 8),
    hosts = 1 + Math.floor(next() * 5);
  const base = layoutInventory({ hosts, datastores: 8, tiles: 0 });
  const vms = Array.from({ length: tiles }, (_, tile) =>
    workloadIds.map((id) =>
      layoutVm(vmRef(tile, id), `tile${tile + 1}-${id}`, {
        vcpus: 2 ** Math.floor(next() * 4),
        memoryMb: 1_024,
      }),
    ),
  ).flat();
  return { inventory: { ...base, vms }, tiles, hosts };
}

it('places every VM, holds a LUN each where LUNs suffice, and never overfills a host when all fit', () => {
  for (let seed = 1; seed <= 80; seed += 1) {
    const { inventory, tiles, hosts } = randomLab(seed);
    for (const host of ['pack', 'spread', 'roundRobin', 'allOnOne'] as const) {
      const { view, notes } = generate(
        { tiles, host, unit: 'vm', hosts: esx(hosts), datastores: luns(8) },
        layoutTestbed(0),
        inventory,
      );
      expect([view.unplaced.host, view.unplaced.datastore, view.unplaced.client]).toEqual([
        [],
        [],
        [],
      ]);
      expect(new Set(view.tiles.map((tile) => tile.datastoreRefs.join())).size).toBe(tiles);
      const loads = view.hosts.map(({ vms }) => vms.reduce((sum, vm) => sum + vm.vcpus!, 0));
      const total = loads.reduce((sum, one) => sum + one, 0);
      if (host === 'pack') {
        expect(Math.max(...loads) <= 16).toBe(total <= hosts * 16);
        expect(notes.length > 0).toBe(total > hosts * 16);
        // Host after host: all but one of those in use are so full that the smallest VM would not
        // have fitted.
        if (total <= hosts * 16)
          expect(loads.filter((load) => load > 0).length).toBe(Math.ceil(total / 16));
      }
      if (host === 'spread') expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(8);
      if (host === 'allOnOne') expect(loads[0]).toBe(total);
    }
  }
});

it.each(['roundRobin', 'spread', 'pack'] as const)(
  '%s keeps to hosts that mount the datastore, and says where none does',
  (host) => {
    const base = layoutInventory({ hosts: 4, datastores: 6, tiles: 20 });
    // Local datastores: lun1 only on esx1, lun2 only on esx2, and so on.
    const local: Inventory = {
      ...base,
      datastores: base.datastores.map((store, i) => ({ ...store, hostRefs: [hostRef(i)] })),
    };
    const { at, notes } = generate({ tiles: 4, host, vcpusPerCore: 4 }, layoutTestbed(0), local);
    expect(
      ['0/mail', '1/web', '2/java', '3/file'].map((key) =>
        at(key).split(' ').slice(0, 2).join(' '),
      ),
    ).toEqual([1, 2, 3, 4].map((i) => `esx${i} lun${i}`));
    expect(notes).toEqual([]);
    expect(generate({ tiles: 5, host, vcpusPerCore: 4 }, layoutTestbed(0), local).notes).toEqual([
      '6 VMs are on a host that does not mount their datastore: choose datastores that the hosts share.',
    ]);
  },
);

it('gives the same layout for the same input', () => {
  expect(generate({ tiles: 7, host: 'spread', unit: 'vm' }).change.testbed).toEqual(
    generate({ tiles: 7, host: 'spread', unit: 'vm' }).change.testbed,
  );
});
