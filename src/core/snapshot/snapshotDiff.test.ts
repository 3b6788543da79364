import fc from 'fast-check';

import type { ClientRecord } from '../run/run.ts';
import type { Inventory } from '../testbed/inventory.ts';
import { snapshotClients, snapshotInventory } from '../testing/snapshotLab.ts';
import { snapshotHash } from './snapshot.ts';
import { type Change, diffSnapshots, sayChange, sayValue } from './snapshotDiff.ts';
import { takeSnapshot } from './snapshotTake.ts';

type Edit = (inventory: Inventory, clients: ClientRecord[]) => void;
function after(...edits: readonly Edit[]) {
  const inventory = snapshotInventory();
  const clients = snapshotClients();
  for (const edit of edits) edit(inventory, clients);
  return takeSnapshot(inventory, clients);
}
const said = (edit: Edit): string[] =>
  diffSnapshots(after(), after(edit)).changes.map(
    (c) => `${c.group}, ${c.effect}, ${c.kind}: ${sayChange(c)}`,
  );

/** Every edit and what it is to be called; also what the properties below draw from. */
const table: readonly (readonly [name: string, edit: Edit, said: readonly string[]])[] = [
  [
    'a renamed host',
    (i) => {
      i.hosts[0]!.name = 'new.lab';
    },
    ['hardware, none, renamed: Host new.lab is renamed: esx0.lab → new.lab'],
  ],
  [
    'a host added again under another reference',
    (i) => {
      i.hosts[0]!.ref = 'host-99';
      i.vms.forEach((v) => {
        if (v.hostRef === 'host-0') v.hostRef = 'host-99';
      });
      i.clusters[0]!.hostRefs = ['host-99', 'host-1'];
    },
    [],
  ],
  [
    'another build',
    (i) => {
      i.hosts[1]!.build = '2';
    },
    ['build, strong, changed: Host esx1.lab: ESXi build 22380479 → 2'],
  ],
  [
    'another driver',
    (i) => {
      i.hosts[0]!.software!.packages = { 'nmlx5-core': '4.23.0.66' };
    },
    ['firmware, moderate, changed: Host esx0.lab: package nmlx5-core 4.19.16.8 → 4.23.0.66'],
  ],
  [
    'a package that came',
    (i) => {
      i.hosts[0]!.software!.packages!['vmware-fdm'] = '8.0';
    },
    ['firmware, moderate, added: Host esx0.lab: package vmware-fdm is new: 8.0'],
  ],
  [
    'a setting put back to what it was shipped with',
    (i) => {
      i.hosts[1]!.software!.settings = {};
    },
    ['policy, moderate, changed: Host esx1.lab: Net.TcpipHeapMax 1536 → as shipped'],
  ],
  [
    'a host that does not tell its packages any more',
    (i) => {
      i.hosts[1]!.software = { packages: null, settings: null, note: 'Access denied.' };
    },
    [],
  ],
  [
    'less memory',
    (i) => {
      i.hosts[1]!.memoryBytes = 384 * 2 ** 30;
    },
    ['hardware, strong, changed: Host esx1.lab: Memory 512 GiB → 384 GiB'],
  ],
  [
    'another BIOS',
    (i) => {
      i.hosts[0]!.bios = '2.20';
      i.hosts[0]!.biosDate = '2025-01-01';
    },
    [
      'firmware, moderate, changed: Host esx0.lab: BIOS 2.19.1 → 2.20',
      'firmware, slight, changed: Host esx0.lab: BIOS date 2024-01-05 → 2025-01-01',
    ],
  ],
  [
    'another NIC driver',
    (i) => {
      i.hosts[1]!.nics[1]!.driver = 'ixgben';
    },
    ['firmware, moderate, changed: Host esx1.lab: adapter vmnic1 driver i40en → ixgben'],
  ],
  [
    'a slower link',
    (i) => {
      i.hosts[1]!.nics[0]!.speedMbps = 1_000;
    },
    ['network, strong, changed: Host esx1.lab: adapter vmnic0 link speed 25,000 Mb/s → 1,000 Mb/s'],
  ],
  [
    'an adapter taken out',
    (i) => {
      i.hosts[0]!.nics.pop();
    },
    ['network, strong, removed: Host esx0.lab: adapter vmnic1 is gone'],
  ],
  [
    'another HBA queue',
    (i) => {
      i.hosts[0]!.hbas[0]!.queueDepth = 32;
    },
    ['storage, strong, changed: Host esx0.lab: HBA vmhba2 queue depth 64 → 32'],
  ],
  [
    'an advanced setting',
    (i) => {
      i.hosts[0]!.settings!['Disk.SchedNumReqOutstanding'] = '64';
    },
    ['policy, moderate, changed: Host esx0.lab: Disk.SchedNumReqOutstanding 32 → 64'],
  ],
  [
    'power policy',
    (i) => {
      i.hosts[0]!.powerPolicy = 'low';
    },
    ['policy, strong, changed: Host esx0.lab: Power policy static → low'],
  ],
  [
    'jumbo frames',
    (i) => {
      i.hosts[0]!.switches![0]!.mtu = 9_000;
    },
    ['network, moderate, changed: Host esx0.lab: switch vSwitch0 MTU 1,500 B → 9,000 B'],
  ],
  [
    'DRS',
    (i) => {
      i.clusters[0]!.drsBehavior = 'fullyAutomated';
      i.clusters[0]!.drsVmotionRate = 1;
    },
    [
      'policy, strong, changed: Cluster bench: DRS automation manual → fullyAutomated',
      'policy, strong, changed: Cluster bench: DRS migration threshold 3 → 1',
    ],
  ],
  [
    'a DRS option',
    (i) => {
      i.clusters[0]!.drsOptions = {};
    },
    ['policy, moderate, removed: Cluster bench: TryBalanceVmsPerHost is gone; it was 1'],
  ],
  [
    'a lost path',
    (i) => {
      i.datastores[0]!.luns[0]!.activePaths = 3;
    },
    ['storage, strong, changed: LUN naa.6000: Paths alive 4 → 3'],
  ],
  [
    'a datastore on another LUN',
    (i) => {
      i.datastores[0]!.luns = [i.datastores[1]!.luns[0]!];
    },
    [
      'storage, strong, moved: Datastore lun0: LUNs naa.6000 → naa.6001',
      'storage, strong, removed: LUN naa.6000 is gone',
    ],
  ],
  [
    'a little less space',
    (i) => {
      i.datastores[0]!.freeBytes = 2 ** 39 - 2 ** 34;
    },
    [],
  ],
  [
    'much less space',
    (i) => {
      i.datastores[0]!.freeBytes = 2 ** 38;
    },
    ['storage, slight, changed: Datastore lun0: Free space 512 GiB → 256 GiB'],
  ],
  [
    'a moved VM',
    (i) => {
      i.vms[0]!.hostRef = 'host-1';
    },
    ['vms, strong, moved: VM vm0: Host esx0.lab → esx1.lab'],
  ],
  [
    'a moved disk',
    (i) => {
      i.vms[0]!.datastoreRefs = ['datastore-1'];
      i.vms[0]!.disks![0]!.datastoreRef = 'datastore-1';
    },
    [
      'vms, strong, moved: VM vm0: Datastores lun0 → lun1',
      'vms, strong, moved: VM vm0: Hard disk 1 datastore lun0 → lun1',
    ],
  ],
  [
    'a bigger VM',
    (i) => {
      i.vms[0]!.vcpus = 8;
    },
    ['vms, strong, changed: VM vm0: vCPUs 2 → 8'],
  ],
  [
    'a limit',
    (i) => {
      i.vms[0]!.cpu!.limit = 2_000;
    },
    ['vms, strong, changed: VM vm0: CPU limit none → 2,000 MHz'],
  ],
  [
    'another adapter type',
    (i) => {
      i.vms[0]!.nics![0]!.type = 'VirtualE1000';
    },
    ['vms, strong, changed: VM vm0: Network adapter 1 type VirtualVmxnet3 → VirtualE1000'],
  ],
  [
    'a second disk',
    (i) => {
      i.vms[0]!.disks!.push({
        label: 'Hard disk 2',
        sizeBytes: 1,
        datastoreRef: null,
        controller: null,
        thin: null,
        mode: null,
      });
    },
    ['vms, strong, added: VM vm0: Hard disk 2 is new'],
  ],
  [
    'a snapshot left',
    (i) => {
      i.vms[0]!.snapshotCount = 1;
    },
    ['vms, moderate, changed: VM vm0: Snapshots 0 → 1'],
  ],
  [
    'a VM that is gone',
    (i) => {
      i.vms.splice(0, 1);
    },
    ['vms, strong, removed: VM vm0 is gone'],
  ],
  [
    'a new kernel',
    (_i, c) => {
      c[0]!.facts['kernel'] = 'Linux 6.2';
    },
    ['clients, moderate, changed: Client load1: Kernel Linux 6.1.0 → Linux 6.2'],
  ],
  [
    'a new driver',
    (_i, c) => {
      c[1]!.facts['fio'] = 'fio-3.36';
    },
    ['tools, strong, changed: Client load2: fio fio-3.33 → fio-3.36'],
  ],
  [
    'a driver installed',
    (_i, c) => {
      c[1]!.facts['sysbench'] = '1.0.20';
    },
    ['tools, strong, added: Client load2: sysbench is new: 1.0.20'],
  ],
  [
    'a clock that wanders a little',
    (_i, c) => {
      c[0]!.clockOffsetMs = 480;
    },
    [],
  ],
  [
    'a clock that jumps',
    (_i, c) => {
      c[0]!.clockOffsetMs = 20_000;
    },
    ['clients, moderate, changed: Client load1: Clock against the engine 1 ms → 20,000 ms'],
  ],
  [
    'a renamed client',
    (_i, c) => {
      c[0]!.id = 'other';
      c[0]!.name = 'big';
    },
    ['clients, none, renamed: Client big is renamed: load1 → big'],
  ],
];
test.each(table)('%s', (_name, edit, expected) => {
  expect(said(edit)).toEqual(expected);
});

test('a figure that one side did not tell is no change, and is said apart', () => {
  const { changes, oneSided } = diffSnapshots(
    after(),
    after((i, c) => {
      i.hosts[0]!.uuid = null;
      i.hosts[0]!.bios = null;
      i.hosts[0]!.settings = null;
      delete c[0]!.facts['cpu'];
    }),
  );
  expect(changes).toEqual([]);
  expect(oneSided).toEqual([
    { thing: 'client', subject: 'load1', field: 'CPU', told: 'before' },
    { thing: 'host', subject: 'esx0.lab', field: 'BIOS', told: 'before' },
    { thing: 'host', subject: 'esx0.lab', field: 'settings', told: 'before' },
  ]);
});

test('what was not read on one side is neither gone nor new', () => {
  expect(diffSnapshots(after(), takeSnapshot(null, snapshotClients())).changes).toEqual([]);
  expect(diffSnapshots(takeSnapshot(snapshotInventory(), null), after()).changes).toEqual([]);
  expect(
    diffSnapshots(after(), takeSnapshot(snapshotInventory(), [])).changes.map(sayChange),
  ).toEqual(['Client load1 is gone', 'Client load2 is gone']);
});

const edits = fc.array(fc.constantFrom(...table.map(([, edit]) => edit)), { maxLength: 6 });
test('what equals itself has no difference, and differences hash apart', () => {
  fc.assert(
    fc.property(edits, (chosen) => {
      const [a, b] = [after(...chosen), after(...chosen)];
      expect(diffSnapshots(a, b)).toEqual({ changes: [], oneSided: [] });
      const strong = diffSnapshots(after(), a).changes.some(
        (c) => c.effect === 'strong' && c.kind !== 'renamed',
      );
      if (strong) expect(snapshotHash(a)).not.toBe(snapshotHash(after()));
    }),
    { numRuns: 40 },
  );
});
const opposite: Readonly<Record<Change['kind'], Change['kind']>> = {
  added: 'removed',
  removed: 'added',
  changed: 'changed',
  renamed: 'renamed',
  moved: 'moved',
};
const key = (c: Change): string => JSON.stringify([c.thing, c.field, c.kind, c.before, c.after]);
test('the other way round is the same with before and after exchanged', () => {
  fc.assert(
    fc.property(edits, edits, (first, second) => {
      const [a, b] = [after(...first), after(...second)];
      const there = diffSnapshots(a, b).changes.map(key).sort();
      const back = diffSnapshots(b, a)
        .changes.map((c) => key({ ...c, kind: opposite[c.kind], before: c.after, after: c.before }))
        .sort();
      expect(back).toEqual(there);
    }),
    { numRuns: 40 },
  );
});
test('the order of things does not matter', () => {
  fc.assert(
    fc.property(edits, fc.integer({ min: 1, max: 30 }), (chosen, by) => {
      const [a, b] = [after(), after(...chosen)];
      const turned = { ...b, things: [...b.things.slice(by), ...b.things.slice(0, by)] };
      expect(diffSnapshots(a, turned).changes).toEqual(diffSnapshots(a, b).changes);
    }),
    { numRuns: 40 },
  );
});

test.each([
  [512 * 2 ** 30, 'B', '512 GiB'],
  [1_500, 'B', '1,500 B'],
  [25_000, 'Mb/s', '25,000 Mb/s'],
  [true, null, 'yes'],
  [null, null, 'none'],
  [[], null, 'none'],
  [3, null, '3'],
] as const)('%p %p is %p', (value, unit, text) => {
  expect(sayValue(value as never, unit)).toBe(text);
});
