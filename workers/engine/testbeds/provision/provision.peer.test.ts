import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from '../../../../e2e/lab/poll.ts';
import type { Vcsim } from '../../../../e2e/lab/vcsim.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { ProvisionJob } from '../../../../src/core/testbed/provision.ts';
import { layoutSchema, type Testbed, testbedSchema } from '../../../../src/core/testbed/testbed.ts';
import { openDatabase } from '../../db/open.ts';
import type { Database } from '../../db/types.ts';
import { silentLog } from '../../deps.ts';
import { type VCenterSession } from '../../deps/vcenter.ts';
import { testProfile } from '../../testing/engineHarness.ts';
import { createBench, realClock } from '../../vcenter/testing/peer.ts';
import { createProvisionService, type ProvisionService } from './service.ts';

const bench = createBench();
const dir = mkdtempSync(join(tmpdir(), 'tb-provision-'));
const signal = new AbortController().signal;
let vcsim: Vcsim;
let session: VCenterSession;
let db: Database;
let service: ProvisionService;
let before: Inventory;
let jobs = 0;

const startService = (): ProvisionService =>
  createProvisionService({
    deps: {
      clock: realClock,
      log: silentLog,
      ids: { next: (prefix) => `${prefix}-${(jobs += 1)}` },
    },
    db,
    peers: { vcenter: async () => session },
    emit: () => undefined,
    profile: () => testProfile,
  });

/** Tile 1 is there; tiles 2 and 3 lack both VMs. tile9-java is somebody else's. */
function bed(): Testbed {
  const named = (
    list: readonly { ref: string; name: string }[],
    name: string,
  ): { ref: string; name: string } => {
    const { ref } = list.find((one) => one.name === name)!;
    return { ref, name };
  };
  const { hosts, datastores, vms } = before;
  const template = named(vms, 'golden');
  return testbedSchema.parse({
    id: 'bed',
    name: 'Bed 50%/two',
    profileId: 'test-tile',
    vcenterId: 'vc1',
    layout: layoutSchema.parse({
      templates: { java: template, batch: template },
      network: named(before.networks, 'VM Network'),
    }),
    tiles: [0, 1, 2].map((index) => ({
      index,
      workloads: ['java', 'batch'].map((workloadId) => ({
        workloadId,
        clientId: 'c1',
        vm: index === 0 ? named(vms, `tile1-${workloadId}`) : null,
        planned: {
          host: named(hosts, hosts[index]!.name),
          datastore: named(datastores, datastores[index - 1 < 0 ? 0 : index - 1]!.name),
        },
      })),
    })),
  });
}
beforeAll(async () => {
  vcsim = await bench.start({
    clusters: 1,
    hosts: 4,
    vms: 6,
    datastores: 2,
    vmNames: ['tile1-java', 'tile1-batch', 'golden', 'tile9-java'],
    templates: ['golden'],
  });
  session = await bench.connect(vcsim);
  before = await session.inventory();
  db = openDatabase({ dataDir: dir, clock: realClock, log: silentLog, powerSafe: false });
  service = startService();
});
afterAll(async () => {
  service.close();
  db.close();
  await bench.cleanUp();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  db.testbeds.save(bed());
});
afterEach(async () => {
  await vcsim.control.clearFaults();
  await vcsim.control.delay({ taskMs: 0 });
});

const start = (): Promise<ProvisionJob> =>
  service.methods['provision.start'](
    { testbedId: 'bed', options: { powerOn: true, stageSize: 2, stagePauseS: 0 } },
    signal,
  );
const act = (verb: 'cancel' | 'retry' | 'cleanUp'): Promise<ProvisionJob> =>
  service.methods[`provision.${verb}`]({ testbedId: 'bed' }, signal);
const until = (state: ProvisionJob['state']): Promise<ProvisionJob> =>
  poll(`job is ${state}`, () => {
    const job = db.provisions.get('bed')!;
    return job.state === state ? job : null;
  });
const look = ({ vms }: Inventory): unknown =>
  vms.map(({ ref, name, powerState, datastoreRefs, template }) => ({
    ref,
    name,
    powerState,
    datastoreRefs,
    template,
  }));

test('two missing tiles: one clone refused and retried, all on their places and running; the clean-up leaves vCenter as it was', async () => {
  await vcsim.control.fault({
    method: 'CloneVM_Task',
    type: 'resourceInUse',
    message: 'The template is in use.',
    count: 1,
  });
  await start();
  const failed = await until('failed');
  expect(
    failed.items.filter((item) => item.step === 'failed').map((item) => item.error?.message),
  ).toEqual([expect.stringContaining('The template is in use.')]);
  expect(failed.items.filter((item) => item.step === 'done')).toHaveLength(3);
  await act('retry');
  const done = await until('done');
  const { vms } = await session.inventory();
  const made = vms.filter((vm) => !before.vms.some((one) => one.ref === vm.ref));
  expect(
    made.map(({ ref, name, powerState, hostRef, datastoreRefs }) => ({
      ref,
      name,
      powerState,
      hostRef,
      datastoreRefs,
    })),
  ).toEqual(
    done.items
      .map(({ vmRef, name, host, datastore }) => ({
        ref: vmRef,
        name,
        powerState: 'poweredOn',
        hostRef: host.ref,
        datastoreRefs: [datastore.ref],
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  );
  expect(
    db.testbeds.get('bed')!.tiles.flatMap((tile) => tile.workloads.map((one) => one.vm?.name)),
  ).toEqual([
    'tile1-java',
    'tile1-batch',
    'tile2-java',
    'tile2-batch',
    'tile3-java',
    'tile3-batch',
  ]);
  expect(done.folder?.name).toBe('Tilebench Bed 50-two');
  for (const vm of made) expect((await session.vmMark(vm.ref)).folderRef).toBe(done.folder!.ref);
  // The simulator's VMs are on a distributed port group; these were put on the standard network,
  // and back.
  const standard = before.networks.find(({ name }) => name === 'VM Network')!;
  expect(made.map((vm) => vm.nics?.[0]?.networkRef)).toEqual(made.map(() => standard.ref));
  const group = before.networks.find(
    ({ ref }) => ref.startsWith('dvportgroup-') && ref === before.vms[0]!.nics?.[0]?.networkRef,
  )!;
  await session.connectNetwork(made[0]!.ref, group.ref);
  expect(
    (await session.inventory()).vms.find(({ ref }) => ref === made[0]!.ref)!.nics?.[0]?.networkRef,
  ).toBe(group.ref);
  // Found again, not made again: the folder is there.
  expect(await session.makeFolder(done.folder!.name, before.hosts[0]!.ref)).toEqual({
    ref: done.folder!.ref,
    made: false,
  });
  expect(await session.removeEmptyFolder(done.folder!.ref)).toBe(false);

  await act('cleanUp');
  await until('cleaned');
  expect(look(await session.inventory())).toEqual(look(before));
  expect(db.testbeds.get('bed')!.layout).toMatchObject({ made: [], madeFolder: null });
  const anew = await session.makeFolder(done.folder!.name, before.hosts[0]!.ref);
  expect(anew.made).toBe(true);
  expect(await session.removeEmptyFolder(anew.ref)).toBe(true);
});

test('cancelled mid-way: clone tasks are cancelled in vCenter, and what it made of them all the same is found by its mark and removed', async () => {
  const cancelsBefore = (await vcsim.control.calls())['CancelTask'] ?? 0;
  // Long enough for all four to be under way, however slow this machine is.
  await vcsim.control.delay({ taskMs: 12_000 });
  await start();
  await poll(
    'two clones are under way',
    () =>
      db.provisions.get('bed')!.items.filter((item) => item.taskRef !== null).length === 4 || null,
  );
  await act('cancel');
  const cancelled = await until('cancelled');
  expect(cancelled.items.map((item) => item.step)).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
    'cancelled',
  ]);
  expect((await vcsim.control.calls())['CancelTask']! - cancelsBefore).toBe(4);
  // This simulator carries a cancelled clone through: the case that a clean-up must not miss.
  await vcsim.control.delay({ taskMs: 0 });
  await poll(
    'the simulator has made them',
    async () => (await session.inventory()).vms.length === before.vms.length + 4 || null,
  );
  await act('cleanUp');
  await until('cleaned');
  expect(look(await session.inventory())).toEqual(look(before));
});

test('an engine that dies while vCenter clones is followed by one that goes on with the same tasks', async () => {
  await vcsim.control.delay({ taskMs: 8_000 });
  await start();
  await poll(
    'clones are under way',
    () =>
      db.provisions.get('bed')!.items.filter((item) => item.taskRef !== null).length === 4 || null,
  );
  const clones = (await vcsim.control.calls())['CloneVM_Task'];
  service.close();
  service = startService();
  service.recover();
  await vcsim.control.delay({ taskMs: 0 });
  const done = await until('done');
  expect((await vcsim.control.calls())['CloneVM_Task']).toBe(clones);
  expect(done.items.every((item) => item.step === 'done')).toBe(true);
  await act('cleanUp');
  await until('cleaned');
  expect(look(await session.inventory())).toEqual(look(before));
});
