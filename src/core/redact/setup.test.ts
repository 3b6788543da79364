import { demoRun } from '../../ui/pages/runs/testing/records.ts';
import { runRecord } from '../run/run.ts';
import { snapshotHash } from '../snapshot/snapshot.ts';
import { snapshotOfRun } from '../snapshot/snapshotTake.ts';
import { snapshotClients, snapshotInventory } from '../testing/snapshotLab.ts';
import { runRedactor } from './runRedactor.ts';

test('identities of hardware, machines, pools and folders leave under pseudonyms; the snapshot stays one', () => {
  const inventory = snapshotInventory();
  Object.assign(inventory.hosts[0]!, {
    serial: 'CZJ1234',
    uuid: '4c4c4544-0042-3510-8051-b7c04f4d3432',
    switches: [{ name: 'zebra-dvs', mtu: 9_000, uplinks: ['vmnic0'] }],
  });
  Object.assign(inventory.vms[0]!, { hostName: 'db01.zebra.example' });
  inventory.datastores[0]!.instanceUuid = '5f3c1234-abcdef12-ab12-0050569a0001';
  inventory.resourcePools = [
    ...inventory.resourcePools!,
    {
      ref: 'resgroup-2',
      name: 'zebra-gold',
      path: 'bench/zebra-gold',
      ownerRef: 'domain-c1',
      parentRef: 'resgroup-1',
    },
  ];
  inventory.folders = [{ ref: 'group-v1', name: 'vm', path: 'zebra-dc/vm', parentRef: null }];
  const clients = snapshotClients().map((c, i) => ({
    ...c,
    machineId: `3d1219c7c4c5404aaa1f6d2a48adfda${i}`,
  }));
  const record = {
    ...demoRun().record,
    inventoryBefore: inventory,
    inventoryAfter: structuredClone(inventory),
    clients,
    clientsAfter: clients,
  };
  const leaving = runRedactor([record]).value(runRecord, record);
  expect(runRecord.safeParse(leaving).success).toBe(true);
  const text = JSON.stringify(leaving).toLowerCase();
  expect(
    ['czj1234', '4c4c4544', 'zebra', 'db01', '5f3c1234', '0050569a0001', '3d1219c7'].filter(
      (name) => text.includes(name),
    ),
  ).toEqual([]);
  expect(leaving.inventoryBefore?.hosts[0]?.settings).toEqual(inventory.hosts[0]?.settings);
  // Before and after are still told to be the same things.
  expect(snapshotHash(snapshotOfRun(leaving, 'before')!)).toBe(
    snapshotHash(snapshotOfRun(leaving, 'after')!),
  );
});
