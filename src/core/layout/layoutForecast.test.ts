import { outstandingOf } from '../profile/driverKinds.ts';
import type { HostInfo, Inventory, VmInfo } from '../testbed/inventory.ts';
import type { ClientFacts } from '../testbed/layoutModel.ts';
import { layoutView } from '../testbed/layoutView.ts';
import type { Testbed } from '../testbed/testbed.ts';
import {
  datastoreRef,
  gib,
  hostRef,
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
  layoutVm,
  random,
} from '../testing/layoutLab.ts';
import { keysOfTiles, moveToDatastore, moveToHost } from './layoutEdit.ts';
import { forecast } from './layoutForecast.ts';
import { setTemplate } from './layoutSettings.ts';
import { type Figure, type Forecast, type PlannedLoad } from './layoutTypes.ts';

const profile = layoutProfile();
const lab = layoutInventory({ hosts: 3, datastores: 3, tiles: 2 });
const withVm = (
  change: (vm: VmInfo) => Partial<VmInfo>,
  inventory: Inventory = lab,
): Inventory => ({ ...inventory, vms: inventory.vms.map((vm) => ({ ...vm, ...change(vm) })) });
const withHost = (change: Partial<HostInfo>): Inventory => ({
  ...lab,
  hosts: lab.hosts.map((host, i) => (i === 0 ? { ...host, ...change } : host)),
});

function figures(
  testbed: Testbed,
  inventory: Inventory | null,
  plan?: PlannedLoad,
  clients: ClientFacts[] = layoutClients(2),
): {
  all: Forecast;
  of: (
    kind: 'hosts' | 'datastores' | 'clients' | 'uplinks',
    ref: string,
    id: Figure['id'],
  ) => Figure;
} {
  const all = forecast(layoutView(testbed, inventory, profile, clients), plan);
  return {
    all,
    of: (kind, ref, id) =>
      all[kind].find((row) => row.ref === ref)!.figures.find((figure) => figure.id === id)!,
  };
}

it('adds up what two tiles ask of their host, LUN and clients', () => {
  const { of } = figures(layoutTestbed(2), lab);
  expect(of('hosts', 'host-1', 'vcpu')).toMatchObject({
    value: 24,
    others: 0,
    limit: 16,
    ratio: 1.5,
    level: 'warn',
    missing: null,
  });
  expect(of('hosts', 'host-1', 'memory')).toMatchObject({
    value: 12 * 4_096,
    limit: 65_536,
    ratio: 0.75,
    level: 'ok',
  });
  // fio of each tile keeps 4 outstanding; heartbeat and primes none; the other three drivers do not
  // say.
  expect(of('hosts', 'host-1', 'hbaQueue')).toMatchObject({
    value: 8,
    limit: 32,
    level: 'unknown',
    missing: 'the number of outstanding I/Os of 6 of 12 is not known',
    label: 'Commands to lun1',
  });
  expect(of('datastores', 'datastore-1', 'commands')).toMatchObject({
    value: 8,
    limit: 256,
    missingParts: 6,
  });
  expect(of('datastores', 'datastore-1', 'tiles')).toMatchObject({
    value: 2,
    limit: 1,
    level: 'warn',
  });
  expect(of('datastores', 'datastore-2', 'tiles')).toMatchObject({ value: 0, level: 'ok' });
  expect(of('clients', 'client-1', 'load')).toMatchObject({ value: 6, limit: 16, level: 'ok' });
  expect(of('uplinks', 'host-1/vmnic0', 'traffic')).toMatchObject({
    value: null,
    limit: 10_000,
    ratio: null,
    level: 'unknown',
    warnAt: 0.75,
    missing: 'the traffic of 12 of 12 is not known',
  });
});

it('counts only the tiles of the plan, with its parameters; VMs of the others that are on stay as others', () => {
  const { of } = figures(layoutTestbed(2), lab, {
    tiles: 1,
    overrides: { file: { outstanding: 32, jobs: 10 }, mail: {} },
  });
  expect(of('hosts', 'host-1', 'vcpu')).toMatchObject({ value: 24, others: 12 });
  expect(of('datastores', 'datastore-1', 'commands')).toMatchObject({
    value: 320,
    level: 'over',
    ratio: 1.25,
  });
  expect(of('hosts', 'host-1', 'hbaQueue')).toMatchObject({
    value: 320,
    limit: 32,
    ratio: 10,
    level: 'warn',
  });
  const moved = moveToHost(layoutTestbed(2), keysOfTiles(layoutTestbed(2), [0]), {
    ref: hostRef(1),
    name: 'esx2',
  }).testbed;
  expect(figures(moved, lab, { tiles: 2, overrides: {} }).of('hosts', 'host-2', 'vcpu').value).toBe(
    0,
  );
  expect(
    figures(moved, lab, { tiles: 2, overrides: {}, startPlacement: 'planned' }).of(
      'hosts',
      'host-2',
      'vcpu',
    ).value,
  ).toBe(12);
  expect(
    figures(layoutTestbed(2), lab, {
      tiles: 2,
      overrides: {},
      startPlacement: { allOnHostRef: hostRef(2) },
    }).of('hosts', 'host-3', 'vcpu'),
  ).toMatchObject({ value: 24 });
});

it.each<[string, Inventory | null, Partial<Figure>]>([
  [
    'no cores read',
    withHost({ cores: null }),
    {
      value: 24,
      limit: null,
      ratio: null,
      level: 'unknown',
      missing: 'the number of cores was not read',
    },
  ],
  [
    'one vCPU count missing, the rest over one a core',
    withVm((vm) => ({ vcpus: vm.name === 'tile1-mail' ? null : vm.vcpus })),
    { value: 22, ratio: 22 / 16, level: 'warn', missing: 'the vCPU count of 1 of 12 is not known' },
  ],
  [
    'most vCPU counts missing, the rest under one a core',
    withVm((vm) => ({ vcpus: vm.name.startsWith('tile1') ? null : vm.vcpus })),
    { value: 12, ratio: 0.75, level: 'unknown' },
  ],
  [
    'no vCPU count at all',
    withVm(() => ({ vcpus: null })),
    { value: null, ratio: null, level: 'unknown' },
  ],
])('says what is missing: %s', (_, inventory, expected) =>
  expect(figures(layoutTestbed(2), inventory).of('hosts', 'host-1', 'vcpu')).toMatchObject(
    expected,
  ),
);

it('knows nothing without a discovery, and invents nothing', () => {
  const placed = moveToHost(layoutTestbed(1), keysOfTiles(layoutTestbed(1), [0]), {
    ref: 'host-9',
    name: 'esx9',
  }).testbed;
  const { all, of } = figures(placed, null, undefined, []);
  expect(all.hosts.map(({ name }) => name)).toEqual(['esx9']);
  expect(of('hosts', 'host-9', 'vcpu')).toMatchObject({
    value: null,
    limit: null,
    ratio: null,
    level: 'unknown',
    missing: 'the vCPU count of 6 of 6 is not known; the number of cores was not read',
  });
  expect(of('clients', 'client-1', 'load')).toMatchObject({
    value: 6,
    limit: null,
    missing: 'its CPUs were not read',
  });
});

it('counts space for clones, moved disks and swap files, once each', () => {
  const bed = layoutTestbed(1),
    keys = keysOfTiles(bed, [0]);
  const to2 = moveToDatastore(bed, keys, { ref: datastoreRef(1), name: 'lun2' }).testbed;
  const space = (testbed: Testbed, inventory: Inventory, ref: string): number | null =>
    figures(testbed, inventory).of('datastores', ref, 'space').value;
  expect(space(bed, lab, 'datastore-1')).toBe(0);
  expect(
    space(
      bed,
      withVm((vm) => ({ powerState: vm.name === 'tile1-mail' ? 'poweredOff' : vm.powerState })),
      'datastore-1',
    ),
  ).toBe(4 * gib);
  const reserved = withVm((vm) => ({
    powerState: 'poweredOff',
    memory: {
      reservation: vm.name === 'tile1-mail' ? 3_072 : 0,
      limit: null,
      shares: null,
      level: null,
    },
  }));
  expect(space(bed, reserved, 'datastore-1')).toBe(5 * 4 * gib + gib);
  expect(space(to2, lab, 'datastore-2')).toBe(6 * 24 * gib);
  expect(
    space(
      to2,
      withVm((vm) => ({ disks: vm.name === 'tile1-mail' ? null : vm.disks })),
      'datastore-2',
    ),
  ).toBe(5 * 24 * gib);
  // A slot without VM takes what its template takes; without a template nobody knows.
  const empty = moveToDatastore(layoutTestbed(1, { assigned: false }), keys, {
    ref: datastoreRef(1),
    name: 'lun2',
  }).testbed;
  const gold = layoutVm('vm-gold', 'gold', {
    template: true,
    memoryMb: 2_048,
    powerState: 'poweredOff',
  });
  const cloned = setTemplate(empty, 'mail', { ref: 'vm-gold', name: 'gold' }).testbed;
  expect(
    figures(cloned, { ...lab, vms: [gold] }).of('datastores', 'datastore-2', 'space'),
  ).toMatchObject({ value: 22 * gib, missing: 'the size of 5 of 6 is not known' });
});

it('holds commands against every LUN under a datastore, and against none on NFS', () => {
  const stores = (change: object): Inventory => ({
    ...lab,
    datastores: lab.datastores.map((store) => ({ ...store, ...change })),
  });
  const two = [...lab.datastores[0]!.luns, ...lab.datastores[1]!.luns];
  expect(
    figures(layoutTestbed(1), stores({ luns: two })).of('datastores', 'datastore-1', 'commands')
      .limit,
  ).toBe(512);
  expect(
    figures(layoutTestbed(1), stores({ luns: [] })).of('datastores', 'datastore-1', 'commands')
      .limit,
  ).toBe(256);
  const nfs = figures(layoutTestbed(1), stores({ luns: [], type: 'NFS' }));
  expect(nfs.of('datastores', 'datastore-1', 'commands')).toMatchObject({
    limit: null,
    missing: expect.stringContaining('it stands on no LUN'),
  });
  expect(nfs.of('hosts', 'host-1', 'hbaQueue').limit).toBeNull();
  // Where no HBA told its depth, the LUN's own stands in.
  expect(
    figures(
      layoutTestbed(1),
      withHost({ hbas: [{ device: 'vmhba0', model: null, driver: null }] }),
    ).of('hosts', 'host-1', 'hbaQueue').limit,
  ).toBe(64);
});

it('counts a VM of several datastores where most of its disk space is', () => {
  const disk = (store: number, sizeBytes: number): NonNullable<VmInfo['disks']>[number] => ({
    label: 'd',
    sizeBytes,
    datastoreRef: datastoreRef(store),
    controller: null,
    thin: null,
    mode: null,
  });
  const spread = withVm(() => ({
    datastoreRefs: [datastoreRef(0), datastoreRef(1)],
    disks: [disk(0, gib), disk(1, 9 * gib)],
  }));
  expect(figures(layoutTestbed(1), spread).all.datastores.map(({ vms }) => vms)).toEqual([0, 6, 0]);
});

it('sums equal parts, wherever VMs are', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const next = random(seed);
    const inventory = withVm(() => ({
      vcpus: next() < 0.1 ? null : 1 + Math.floor(next() * 8),
      memoryMb: Math.floor(next() * 9_000),
    }));
    let bed = layoutTestbed(2);
    for (const key of keysOfTiles(bed, [0, 1]))
      bed = moveToHost(bed, [key], { ref: hostRef(Math.floor(next() * 3)), name: 'x' }).testbed;
    const { all } = figures(bed, inventory);
    const total = (id: Figure['id']): number =>
      all.hosts.reduce(
        (sum, row) => sum + (row.figures.find((figure) => figure.id === id)!.value ?? 0),
        0,
      );
    expect(total('vcpu')).toBe(inventory.vms.reduce((sum, vm) => sum + (vm.vcpus ?? 0), 0));
    expect(total('memory')).toBe(inventory.vms.reduce((sum, vm) => sum + vm.memoryMb!, 0));
    expect(all.hosts.reduce((sum, row) => sum + row.vms, 0)).toBe(12);
  }
});

it.each([
  ['fio', {}, 8],
  ['fio', { outstanding: 4, jobs: 16 }, 64],
  ['heartbeat', {}, 0],
  ['sysbench-cpu', {}, 0],
  ['simload', {}, null],
  ['simload', { users: 4, outstanding: 8 }, 32],
  ['dbench', {}, null],
  ['sysbench-oltp', { threads: 8 }, null],
  ['command', {}, null],
] as const)('outstanding I/Os of %s with %j: %s', (driver, params, expected) =>
  expect(outstandingOf(driver, params)).toBe(expected),
);
