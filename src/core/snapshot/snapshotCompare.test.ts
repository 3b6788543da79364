import type { RunRecord } from '../run/run.ts';
import type { Inventory } from '../testbed/inventory.ts';
import { snapshotClients, snapshotInventory, snapshotTestbed } from '../testing/snapshotLab.ts';
import type { SetupDifference } from './setupRows.ts';
import { compareSetups } from './snapshotCompare.ts';

const profile = { id: 'p', name: 'Profile', version: '1', workloads: [], scoring: {}, phases: {} };
function record(
  edit: (inventory: Inventory) => void = () => undefined,
  tiles = 2,
  hosts = 2,
): RunRecord {
  const inventory = snapshotInventory(hosts);
  edit(inventory);
  const phases = { rampUpS: 1, staggerS: 0, steadyS: 10, periods: 1, rampDownS: 1 };
  // Only what a set-up is made of; the rest of a record says nothing about it.
  return {
    overview: { id: 'r', series: [], score: null },
    plan: { tiles, phases, sampling: { workloadMs: 1_000, vcenterMs: 20_000 }, overrides: {} },
    testbed: snapshotTestbed(2 * hosts),
    profile,
    clients: snapshotClients(),
    inventoryBefore: inventory,
    inventoryAfter: null,
    planHash: '',
    appVersion: '1',
  } as unknown as RunRecord;
}
const differencesOf = (records: readonly RunRecord[]): SetupDifference[] =>
  compareSetups(records).differences;
const brief = (rows: readonly SetupDifference[]): string[] =>
  rows.map((r) => `${r.group} | ${r.label} | ${r.values.join(' | ')} | ${r.effect}`);

test('equal set-ups do not differ, renamed machines and reordered lists included', () => {
  expect(
    differencesOf([
      record(),
      record((i) => {
        i.hosts[0]!.name = 'other';
        i.vms[0]!.name = 'renamed';
        i.hosts.reverse();
        i.datastores[0]!.freeBytes = 2 ** 39 - 5;
        i.takenAtMs = 5;
      }),
    ]),
  ).toEqual([]);
});
test('what differs is told by group, the strong first, with the things that differ', () => {
  const rows = differencesOf([
    record(),
    record((i) => {
      i.hosts[1]!.build = '9';
      i.hosts.forEach((h) => {
        h.bios = '3';
      });
      i.clusters[0]!.drsVmotionRate = 1;
      i.vms[0]!.vcpus = 4;
      i.hosts[0]!.settings!['Disk.SchedNumReqOutstanding'] = '64';
    }),
  ]);
  expect(brief(rows)).toEqual([
    'Build | Host: ESXi build | 22380479 | 1 × 9, 1 × 22380479 | strong',
    'Host and cluster policy | Cluster: DRS migration threshold | 3 | 1 | strong',
    'Host and cluster policy | Host: Disk.SchedNumReqOutstanding | 32 | 1 × 32, 1 × 64 | moderate',
    'VMs | VM: vCPUs | 2 | 1 × 2, 1 × 4 | strong',
    'Firmware and drivers | Host: BIOS | 2.19.1 | 3 | moderate',
  ]);
  expect(rows[0]!.subjects).toEqual([{ name: 'esx1.lab', values: ['22380479', '9'] }]);
});
test('more tiles of the same mix differ in number only', () => {
  const rows = differencesOf([record(undefined, 2), record(undefined, 4)]);
  expect(rows.map((r) => r.label)).toEqual([
    'Tiles',
    'VMs',
    'VMs on each host',
    'VMs on each datastore',
  ]);
  expect(rows[1]!.values).toEqual(['2: vm0, vm1', '4: vm0, vm1, vm2, vm3']);
});
test('the address of a VM under load weighs nothing, another parameter of its driver does', () => {
  const loaded = (target: string, users: number): RunRecord => {
    const made = record();
    const workload = {
      id: 'database',
      name: 'Database',
      driver: 'simload',
      params: { target, users },
    };
    return { ...made, profile: { ...made.profile, workloads: [workload] } } as unknown as RunRecord;
  };
  expect(
    differencesOf([loaded('db1', 5), loaded('db2', 6)]).map((r) => [r.label, r.effect]),
  ).toEqual([
    ['Database users', 'strong'],
    ['Database target', 'none'],
  ]);
});
test('a VM elsewhere is placement', () => {
  const [row, ...others] = differencesOf([
    record(),
    record((i) => {
      i.vms[0]!.hostRef = 'host-1';
      i.vms[1]!.hostRef = 'host-0';
      i.hosts[0]!.name = 'renamed';
    }),
  ]);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    label: 'VMs on each host',
    values: ['esx0.lab 1, esx1.lab 1', 'esx0.lab 1, esx1.lab 1'],
    subjects: [
      { name: 'vm0', values: ['esx0.lab', 'esx1.lab'] },
      { name: 'vm1', values: ['esx1.lab', 'esx0.lab'] },
    ],
  });
});
test('other machines are other hosts, of three runs', () => {
  const rows = differencesOf([
    record(),
    record(),
    record((i) => {
      i.hosts.forEach((h, n) => {
        h.uuid = `new-${n}`;
        h.ref = `host-x${n}`;
        h.name = `new${n}`;
        h.model = 'R2';
      });
      i.vms.forEach((v) => {
        v.hostRef = v.hostRef!.replace('host-', 'host-x');
      });
    }),
  ]);
  expect(brief(rows)).toEqual(
    expect.arrayContaining([
      'Hardware | Hosts | 2: esx0.lab, esx1.lab | 2: esx0.lab, esx1.lab | 2: new0, new1 | strong',
      'Hardware | Host: Model | ACME R1 | ACME R1 | ACME R2 | strong',
    ]),
  );
});
test('a run whose set-up was not recorded says so, and alone makes no row', () => {
  const missing = { ...record(), inventoryBefore: null };
  expect(differencesOf([record(), missing])).toEqual([]);
  expect(
    brief(
      differencesOf([
        record(),
        missing,
        record((i) => {
          i.hosts.forEach((h) => {
            h.build = '9';
          });
        }),
      ]),
    ),
  ).toEqual(['Build | Host: ESXi build | 22380479 | not recorded | 9 | strong']);
});
test('free space within the tolerance is no difference, beyond it a range', () => {
  expect(
    brief(
      differencesOf([
        record(),
        record((i) => {
          i.datastores[0]!.freeBytes = 2 ** 30;
        }),
      ]),
    ),
  ).toEqual(['Storage | Datastore: Free space | 512 GiB | 1 GiB to 512 GiB | slight']);
});
