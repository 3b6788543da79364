import type { Inventory } from '../testbed/inventory.ts';
import { snapshotClients, snapshotInventory, snapshotTestbed } from '../testing/snapshotLab.ts';
import { canonicalText, snapshotHash, snapshotSchema } from './snapshot.ts';
import { everything, scopeOf, takeSnapshot } from './snapshotTake.ts';

const take = (inventory: Inventory = snapshotInventory(), scope = everything) =>
  takeSnapshot(inventory, snapshotClients(), scope);
const named = (snapshot: ReturnType<typeof take>, kind: string): string[] =>
  snapshot.things.filter((t) => t.kind === kind).map((t) => t.name);
function reversed(inventory: Inventory): Inventory {
  const back = <T>(list: readonly T[]): T[] => [...list].reverse();
  return {
    ...inventory,
    clusters: back(inventory.clusters),
    datastores: back(inventory.datastores),
    networks: back(inventory.networks),
    hosts: back(inventory.hosts).map((h) => ({
      ...h,
      nics: back(h.nics),
      settings: Object.fromEntries(back(Object.entries(h.settings ?? {}))),
      switches: h.switches!.map((s) => ({ ...s, uplinks: back(s.uplinks) })),
    })),
    vms: back(inventory.vms).map((v) => ({ ...v, disks: back(v.disks ?? []) })),
  };
}

test('is valid, of one form whatever the order, and round-trips', () => {
  const snapshot = take();
  expect(snapshotSchema.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
  const other = takeSnapshot(reversed(snapshotInventory()), [...snapshotClients()].reverse());
  expect(canonicalText(other)).toBe(canonicalText(snapshot));
  expect(snapshotHash(other)).toBe(snapshotHash(snapshot));
});

test('a scope takes the VMs of the tiles with their hosts, the cluster, datastores, LUNs, networks and clients', () => {
  const snapshot = take(snapshotInventory(3), scopeOf(snapshotTestbed(3), 1));
  expect(named(snapshot, 'vm')).toEqual(['vm0']);
  expect(named(snapshot, 'host')).toEqual(['esx0.lab', 'esx1.lab', 'esx2.lab']);
  expect(named(snapshot, 'datastore')).toEqual(['lun0']);
  expect(named(snapshot, 'lun')).toEqual(['naa.6000']);
  expect(named(snapshot, 'network')).toEqual(['VM Network']);
  expect(named(snapshot, 'client')).toEqual(['load1']);
});
test('a scope takes what the infrastructure operations and the layout name', () => {
  const testbed = {
    ...snapshotTestbed(1),
    infrastructure: {
      vmotionVmRefs: ['vm-3'],
      storageVmotion: { vmRefs: ['vm-2'], datastoreRef: 'datastore-2' },
      xvmotion: null,
      deploy: null,
      snapshotVmRefs: [],
      pauseS: 0,
    },
  };
  const snapshot = take(snapshotInventory(3), scopeOf(testbed, 1));
  expect(named(snapshot, 'vm')).toEqual(['vm0', 'vm2', 'vm3']);
  expect(named(snapshot, 'datastore')).toEqual(['lun0', 'lun2']);
});
test('hosts are known by hardware UUID, VMs by instance UUID, LUNs by NAA, clients by machine id', () => {
  expect(take().things.map((t) => t.id)).toEqual(
    expect.arrayContaining([
      'host:44454c4c-0',
      'vm:5012-0',
      'lun:naa.6000',
      'client:machine-1',
      'datastore:5f3c-0',
    ]),
  );
});
test('an identity that two machines share tells nothing: both are known by their reference', () => {
  const shared = snapshotInventory();
  shared.hosts.forEach((h) => {
    h.uuid = 'same';
  });
  expect(
    take(shared)
      .things.filter((t) => t.kind === 'host')
      .map((t) => t.id),
  ).toEqual(['ref:host:host-0', 'ref:host:host-1']);
  const clones = takeSnapshot(
    null,
    snapshotClients().map((c) => ({ ...c, machineId: 'image' })),
  );
  expect(clones.things.map((t) => t.id)).toEqual(['ref:client:client-1', 'ref:client:client-2']);
});
test('what was not told is absent, and an older inventory without the newer fields is taken', () => {
  const old = snapshotInventory();
  old.hosts[0] = {
    ref: 'host-0',
    name: 'esx0',
    clusterRef: null,
    vendor: null,
    model: null,
    cpuModel: null,
    sockets: null,
    cores: null,
    threads: null,
    mhz: null,
    memoryBytes: null,
    build: null,
    version: null,
    bios: null,
    powerPolicy: null,
    connectionState: 'connected',
    maintenance: false,
    nics: [],
    hbas: [],
  };
  expect(take(old).things.find((t) => t.name === 'esx0')).toEqual({
    kind: 'host',
    id: 'ref:host:host-0',
    ref: 'host-0',
    name: 'esx0',
    values: { connectionState: 'connected', maintenance: false },
    parts: { nic: {}, hba: {} },
  });
});

test('the hash leaves out names, times and volatile figures, and nothing else', () => {
  const hash = snapshotHash(take());
  const changed = (change: (inventory: Inventory) => void): string => {
    const next = snapshotInventory();
    change(next);
    return snapshotHash(take(next));
  };
  expect(
    changed((i) => {
      i.takenAtMs = 9;
      i.hosts[0]!.name = 'renamed';
      i.vms[0]!.name = 'renamed';
      i.datastores[0]!.freeBytes = 1;
    }),
  ).toBe(hash);
  for (const change of [
    (i: Inventory) => {
      i.hosts[0]!.build = 'x';
    },
    (i: Inventory) => {
      i.vms[0]!.hostRef = 'host-1';
    },
    (i: Inventory) => {
      i.hosts[0]!.nics[0]!.driver = 'x';
    },
    (i: Inventory) => {
      i.hosts[0]!.settings!['Disk.SchedNumReqOutstanding'] = '64';
    },
    (i: Inventory) => {
      i.datastores[0]!.luns[0]!.queueDepth = 32;
    },
    (i: Inventory) => {
      i.clusters[0]!.drsVmotionRate = 5;
    },
    (i: Inventory) => {
      i.vms[0]!.disks = [];
    },
  ])
    expect(changed(change)).not.toBe(hash);
});
