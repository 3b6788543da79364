import type { RunRecord } from '../run/run.ts';
import type { ClientRecord } from '../run/run.ts';
import type { Inventory } from '../testbed/inventory.ts';
import { snapshotClients, snapshotInventory, snapshotTestbed } from '../testing/snapshotLab.ts';
import { driftFindings, driftOf } from './drift.ts';

type Edit = (inventory: Inventory, clients: ClientRecord[]) => void;
function record(edit: Edit, change: Partial<RunRecord> = {}, hosts = 2): RunRecord {
  const after = snapshotInventory(hosts);
  const clientsAfter = snapshotClients();
  edit(after, clientsAfter);
  // Only what drift is made of.
  return {
    overview: { events: [] },
    plan: { tiles: 2 },
    testbed: snapshotTestbed(2),
    clients: snapshotClients(),
    clientsAfter,
    inventoryBefore: snapshotInventory(hosts),
    inventoryAfter: after,
    ...change,
  } as unknown as RunRecord;
}
const told = (given: RunRecord): string[] =>
  driftFindings(given).map((f) => `${f.severity} ${f.id}: ${f.text}`);

test('a set-up that stands still has no drift', () => {
  expect(
    told(
      record((i) => {
        i.takenAtMs = 9_999;
        i.datastores[0]!.freeBytes! -= 2 ** 30;
        i.vms[0]!.committedBytes = 5;
      }),
    ),
  ).toEqual([]);
});
test('what changed is told by its effect, the same change of many in one', () => {
  expect(
    told(
      record(
        (i) => {
          i.hosts.forEach((h) => {
            h.powerPolicy = 'low';
          });
          i.hosts[3]!.name = 'other';
          i.vms[0]!.powerState = 'poweredOff';
        },
        {},
        5,
      ),
    ),
  ).toEqual([
    'warn drift.host.host-0.Power policy: The set-up changed during the run. Host esx0.lab, esx1.lab and 3 more (5 Hosts): Power policy static → low.',
    'warn drift.vm.vm-0.Power: The set-up changed during the run. VM vm0: Power poweredOn → poweredOff.',
    'info drift.host.host-3.renamed: The set-up changed during the run. Host other is renamed: esx3.lab → other.',
  ]);
});
test('clocks of all clients that moved alike are the clock of this computer, which no client is blamed for', () => {
  const moved = (...ms: number[]): string[] =>
    told(
      record((_, clients) => {
        ms.forEach((by, i) => {
          clients[i]!.clockOffsetMs! += by;
        });
      }),
    );
  expect(moved(60_000, 60_100)).toEqual([
    expect.stringMatching(
      /^info drift\.clock: The clocks of all 2 clients moved alike .* its own moved by .60,050 ms/,
    ),
  ]);
  expect(moved(60_000, 0)).toEqual([expect.stringContaining('The clock of load1 moved by')]);
  expect(moved(60_000, 30_000)).toHaveLength(2);
});
test('a clock that moved says what it does to the samples', () => {
  expect(
    told(
      record((_i, c) => {
        c[0]!.clockOffsetMs = 2_001;
      }),
    ),
  ).toEqual([
    'warn drift.client-1: The clock of load1 moved by 2,000 ms during the run: its samples are shifted by up to that.',
  ]);
});

const moved: Edit = (i) => {
  i.vms[0]!.hostRef = 'host-1';
};
const event = (more: object) =>
  ({
    overview: { events: [{ id: 1, tMs: 1, text: '', entityId: 'vm-0', ...more }] },
  }) as unknown as Partial<RunRecord>;
const before = (edit: (inventory: Inventory) => void): Partial<RunRecord> => {
  const inventory = snapshotInventory();
  edit(inventory);
  return { inventoryBefore: inventory };
};
test.each<[string, Partial<RunRecord>, boolean]>([
  ['by nobody known', {}, true],
  ['by DRS, as vCenter said', event({ kind: 'drs', by: 'drs' }), false],
  [
    'by an operation of the run',
    event({
      kind: 'operation',
      by: 'run',
      entityId: 'vmotion',
      operation: { id: 'vmotion', vmRef: 'vm-0' },
    }),
    false,
  ],
  ['by somebody else, as vCenter said', event({ kind: 'vm', by: 'other' }), true],
  [
    'in a cluster where DRS acts by itself',
    {
      ...before((i) => {
        i.clusters[0]!.drsBehavior = 'fullyAutomated';
      }),
      inventoryAfter: (() => {
        const i = snapshotInventory();
        i.clusters[0]!.drsBehavior = 'fullyAutomated';
        moved(i, []);
        return i;
      })(),
    },
    false,
  ],
  [
    'as a VM that vMotion works on',
    {
      testbed: {
        ...snapshotTestbed(2),
        infrastructure: {
          vmotionVmRefs: ['vm-0'],
          storageVmotion: null,
          xvmotion: null,
          deploy: null,
          snapshotVmRefs: [],
          pauseS: 0,
        },
      },
    },
    false,
  ],
])('a VM moved %s', (_name, change, drifts) => {
  const given = record(moved, change);
  expect(told(given)).toEqual(
    drifts
      ? [
          'warn drift.vm.vm-0.Host: The set-up changed during the run. VM vm0: Host esx0.lab → esx1.lab.',
        ]
      : [],
  );
  expect(driftOf(given)!.moves).toHaveLength(drifts ? 0 : 1);
});

test('what was not read on one side is said, and is no drift', () => {
  const noInventory = driftOf(record(() => undefined, { inventoryAfter: null }))!;
  expect([noInventory.changes, noInventory.unread]).toEqual([
    [],
    ['The inventory was not read after the run.'],
  ]);
  const silent = driftOf(
    record((_i, c) => {
      c.pop();
    }),
  )!;
  expect([silent.changes, silent.unread]).toEqual([[], ['load2 did not answer after the run.']]);
  const older = driftOf(record(() => undefined, { clientsAfter: undefined }))!;
  expect([older.changes, older.unread]).toEqual([
    [],
    ['The client machines were not read after the run.'],
  ]);
  expect(driftOf(record(() => undefined, { inventoryAfter: null, clientsAfter: null }))).toBeNull();
});

test('a run gets at most twenty findings of drift and one that counts the rest', () => {
  const many = record(
    (i) => {
      i.hosts.forEach((h, n) => {
        h.bios = `b${n}`;
      });
    },
    {},
    30,
  );
  const findings = driftFindings(many);
  expect(findings).toHaveLength(21);
  expect(findings.at(-1)!.text).toBe(
    'The set-up changed during the run in 10 more ways; the set-up tab lists them.',
  );
});
