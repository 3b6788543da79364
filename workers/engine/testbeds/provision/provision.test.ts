import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fail } from '../../../../src/core/base/errors.ts';
import type { VmInfo } from '../../../../src/core/testbed/inventory.ts';
import {
  provisionCounts,
  type ProvisionJob,
  type ProvisionOptions,
} from '../../../../src/core/testbed/provision.ts';
import { layoutSchema, type Testbed, testbedSchema } from '../../../../src/core/testbed/testbed.ts';
import { openDatabase } from '../../db/open.ts';
import type { Database } from '../../db/types.ts';
import { silentLog } from '../../deps.ts';
import { testProfile } from '../../testing/engineHarness.ts';
import { createFakeClock, type FakeClock } from '../../testing/fakeClock.ts';
import { createFakeLab, type FakeLab } from '../../testing/fakeLab.ts';
import { createProvisionService, type ProvisionService } from './service.ts';

const log = silentLog;
const signal = new AbortController().signal;
let dir: string;
let clock: FakeClock;
let lab: FakeLab;
let db: Database;
let service: ProvisionService;
let told: ProvisionJob[];
let notices: string[];

/** Three tiles of two workloads: the first has its VMs, the others are to be made on two hosts. */
function bed(): Testbed {
  const host = (i: number) => ({ ref: `host-${(i % 2) + 1}`, name: `esx-host-${(i % 2) + 1}` });
  return testbedSchema.parse({
    id: 'tb',
    name: 'Bed',
    profileId: 'test-tile',
    vcenterId: 'vc',
    layout: layoutSchema.parse({
      network: { ref: 'network-1', name: 'Lab' },
      templates: { java: { ref: 'vm-0', name: 'vm0' }, batch: { ref: 'vm-0', name: 'vm0' } },
    }),
    tiles: [0, 1, 2].map((index) => ({
      index,
      workloads: ['java', 'batch'].map((workloadId, i) => ({
        workloadId,
        clientId: 'c1',
        vm: index === 0 ? { ref: `vm-${i}`, name: `vm${i}` } : null,
        planned: { host: host(index), datastore: { ref: 'datastore-1', name: 'lun1' } },
      })),
    })),
  });
}
function startService(): ProvisionService {
  return createProvisionService({
    deps: { clock, log, ids: { next: (prefix) => `${prefix}-1` } },
    db,
    peers: { vcenter: async () => lab.edges.vcenter.connect({} as never, '') },
    emit: (event, payload) => {
      if (event === 'provision.changed') told.push(payload as ProvisionJob);
      if (event === 'notice') notices.push((payload as { text: string }).text);
    },
    profile: () => testProfile,
  });
}
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-provision-'));
  clock = createFakeClock();
  lab = createFakeLab(clock);
  told = [];
  notices = [];
  db = openDatabase({ dataDir: dir, clock, log, powerSafe: false });
  db.testbeds.save(bed());
  service = startService();
});
afterEach(() => {
  service.close();
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const start = (options: Partial<ProvisionOptions> = {}): Promise<ProvisionJob> =>
  service.methods['provision.start'](
    { testbedId: 'tb', options: { powerOn: true, stageSize: 2, stagePauseS: 30, ...options } },
    signal,
  );
const act = (verb: 'cancel' | 'retry' | 'cleanUp'): Promise<ProvisionJob> =>
  service.methods[`provision.${verb}`]({ testbedId: 'tb' }, signal);
const status = (): ProvisionJob => db.provisions.get('tb')!;
const until = (...states: ProvisionJob['state'][]): Promise<void> =>
  clock.advanceUntil(() => states.includes(status().state), 3_600_000);
const made = (): VmInfo[] => lab.inventory.vms.filter((vm) => vm.ref.startsWith('vm-clone'));
const assigned = (): (string | null)[] =>
  db.testbeds.get('tb')!.tiles.flatMap((tile) => tile.workloads.map((one) => one.vm?.name ?? null));

test('what is missing is cloned to its place, marked, assigned, and powered on in stages', async () => {
  const before = db.testbeds.get('tb')!.version;
  const first = await start();
  expect(first.items.map(({ name, host, step }) => [name, host.name, step])).toEqual([
    ['tile2-java', 'esx-host-2', 'waiting'],
    ['tile2-batch', 'esx-host-2', 'waiting'],
    ['tile3-java', 'esx-host-1', 'waiting'],
    ['tile3-batch', 'esx-host-1', 'waiting'],
  ]);
  const startedMs = clock.now();
  await until('done');
  expect(made().map(({ name, hostRef, powerState }) => [name, hostRef, powerState])).toEqual([
    ['tile2-java', 'host-2', 'poweredOn'],
    ['tile2-batch', 'host-2', 'poweredOn'],
    ['tile3-java', 'host-1', 'poweredOn'],
    ['tile3-batch', 'host-1', 'poweredOn'],
  ]);
  expect(assigned()).toEqual([
    'vm0',
    'vm1',
    'tile2-java',
    'tile2-batch',
    'tile3-java',
    'tile3-batch',
  ]);
  const { layout, version } = db.testbeds.get('tb')!;
  expect(layout!.made.map(({ name }) => name).sort()).toEqual(
    made()
      .map(({ name }) => name)
      .sort(),
  );
  expect(layout!.madeFolder?.name).toBe('Tilebench Bed');
  expect([...lab.operations.networks]).toEqual(made().map(({ ref }) => [ref, 'network-1']));
  // Two at a time to one datastore: twice 40 s; two stages of 2 s with 30 s between them.
  expect(lab.operations.most).toEqual({ clones: 2, perDatastore: 2 });
  expect(clock.now() - startedMs).toBeGreaterThanOrEqual(114_000);
  expect(clock.now() - startedMs).toBeLessThan(120_000);
  // Five saves, one step for people.
  expect(version).toBe(before + 5);
  expect(db.testbeds.versions('tb').map(({ origin }) => origin)).toEqual(['provision-1', '']);
  expect(notices).toEqual(['Testbed Bed: 4 of 4 VMs made.']);
  expect(told.map(({ rev }) => rev)).toEqual(told.map((_, i) => i + 1));
  expect(
    told.some((job) =>
      job.items.some((item) => item.step === 'cloning' && item.progressPct === 50),
    ),
  ).toBe(true);
});

test('one that fails stops no other, and is all that a retry makes again', async () => {
  let refuse = true;
  let clones = 0;
  lab.operations.setFault(async (name) => {
    if (name === 'clone' && (clones += 1) === 2 && refuse)
      throw fail('conflict', 'The resource is in use.', 'Wait.');
  });
  await start();
  await until('failed');
  expect(
    status().items.map(({ name, step, error }) => [name, step, error?.message ?? null]),
  ).toEqual([
    ['tile2-java', 'done', null],
    ['tile2-batch', 'failed', 'The resource is in use.'],
    ['tile3-java', 'done', null],
    ['tile3-batch', 'done', null],
  ]);
  refuse = false;
  await act('retry');
  await until('done');
  expect(clones).toBe(5);
  expect(assigned()).not.toContain(null);
});

test('cancelled: clones under way end, what was made stays and is listed, a clone that was quicker goes again', async () => {
  await start();
  await clock.advance(45_000);
  expect(made()).toHaveLength(2);
  lab.operations.setStubborn(true);
  await act('cancel');
  await until('cancelled');
  expect(provisionCounts(status())).toMatchObject({ done: 0, cancelled: 4, active: 0, waiting: 0 });
  const { items } = status();
  expect(items[0]!.note).toBe('Made, and cancelled before it was powered on and checked.');
  expect(items[3]!.note).toMatch(
    /cancelled the clone|finished before it could be cancelled, and is removed/,
  );
  await clock.advance(60_000);
  expect(made().map(({ name }) => name)).toEqual(['tile2-java', 'tile2-batch']);
  await expect(act('cancel')).rejects.toMatchObject({ kind: 'conflict' });
  lab.operations.setStubborn(false);
  await act('retry');
  await until('done');
  expect(made().map(({ name }) => name)).toEqual([
    'tile2-java',
    'tile2-batch',
    'tile3-java',
    'tile3-batch',
  ]);
  expect(lab.operations.calls.get('clone')).toBe(6);
});

test('clean-up removes what was made and its folder, and nothing that only looks alike', async () => {
  const before = structuredClone(lab.inventory.vms);
  const stranger: VmInfo = {
    ...before[0]!,
    ref: 'vm-99',
    name: 'tile9-java',
    powerState: 'poweredOff',
  };
  lab.inventory.vms.push(stranger);
  await start();
  await until('done');
  // Somebody strips the mark of one, and renames another.
  const [bare, renamed] = made();
  lab.operations.marks.set(bare!.ref, { ...lab.operations.marks.get(bare!.ref)!, extraConfig: {} });
  renamed!.name = 'theirs';
  await act('cleanUp');
  await until('failed');
  expect(lab.inventory.vms.map(({ name }) => name)).toEqual([
    ...before.map(({ name }) => name),
    'tile9-java',
    'tile2-java',
    'theirs',
  ]);
  expect(
    status()
      .items.filter((item) => item.step === 'failed')
      .map((item) => item.error?.message),
  ).toEqual([
    'Not deleted: tile2-java does not carry the mark of this app.',
    'Not deleted: theirs was renamed or copied: its mark is of tile2-batch.',
  ]);
  expect([...lab.operations.folders.values()]).toEqual(['Tilebench Bed']);
  renamed!.name = 'tile2-batch';
  lab.inventory.vms.splice(lab.inventory.vms.indexOf(bare!), 1);
  await act('retry');
  await until('cleaned');
  expect(lab.inventory.vms.map(({ ref }) => ref)).toEqual([
    ...before.map(({ ref }) => ref),
    'vm-99',
  ]);
  expect(lab.operations.folders.size).toBe(0);
  expect(db.testbeds.get('tb')!.layout).toMatchObject({ made: [], madeFolder: null });
  expect(assigned()).toEqual(['vm0', 'vm1', null, null, null, null]);
  await expect(
    service.methods['provision.retry']({ testbedId: 'tb' }, signal),
  ).rejects.toMatchObject({ kind: 'conflict' });
});

test('a VM of another testbed with the same name and list is not deleted', async () => {
  await start();
  await until('done');
  const copy = testbedSchema.parse({ ...db.testbeds.get('tb')!, id: 'copy' });
  db.testbeds.save(copy);
  await service.methods['provision.cleanUp']({ testbedId: 'copy' }, signal);
  await clock.advanceUntil(() => db.provisions.get('copy')!.state === 'failed', 600_000);
  expect(made()).toHaveLength(4);
  expect(db.provisions.get('copy')!.items[0]!.error?.message).toContain(
    'carries the mark of another testbed',
  );
});

test.each([
  ['its clones under way', 15_000],
  ['clones ended while no engine was there', 15_000, 200_000],
  ['the first made and recorded', 45_000],
  ['powering on', 83_000],
])(
  'an engine that died with %s is followed by one that goes on, and makes nothing twice',
  async (_, diedMs, awayMs = 0) => {
    lab.operations.setStubborn(true);
    await start();
    await clock.advance(diedMs);
    service.close();
    await clock.advance(awayMs);
    service = startService();
    service.recover();
    await until('done');
    expect(
      made()
        .map(({ name, powerState }) => [name, powerState])
        .sort(),
    ).toEqual(
      ['tile2-batch', 'tile2-java', 'tile3-batch', 'tile3-java'].map((name) => [name, 'poweredOn']),
    );
    expect(lab.operations.calls.get('clone')).toBe(4);
    expect(assigned()).not.toContain(null);
    expect(db.testbeds.get('tb')!.layout!.made).toHaveLength(4);
  },
);

test('vCenter away: the job says so, and a retry makes the rest', async () => {
  await start();
  await clock.advance(15_000);
  service.close();
  lab.setVcenter(false);
  service = startService();
  service.recover();
  await until('failed');
  expect(status()).toMatchObject({
    state: 'failed',
    error: { message: 'vCenter vc does not answer.' },
  });
  lab.setVcenter(true);
  await act('retry');
  await until('done');
  expect(made()).toHaveLength(4);
});

test('a clean-up that could not reach vCenter is retried as a clean-up, and makes nothing', async () => {
  await start();
  await until('done');
  service.close();
  lab.setVcenter(false);
  service = startService();
  await act('cleanUp');
  await until('failed');
  expect(made()).toHaveLength(4);
  lab.setVcenter(true);
  await act('retry');
  await until('cleaned');
  expect(made()).toEqual([]);
  expect(lab.operations.calls.get('clone')).toBe(4);
});

test('an engine that died in a clean-up is followed by one that ends it', async () => {
  await start();
  await until('done');
  await act('cleanUp');
  await clock.advance(2_500);
  service.close();
  service = startService();
  service.recover();
  await until('cleaned');
  expect(made()).toEqual([]);
  expect(db.testbeds.get('tb')!.layout).toMatchObject({ made: [], madeFolder: null });
});

test('nothing to make, or nothing that can be made, is said and starts no job', async () => {
  const full = bed();
  db.testbeds.save({ ...full, tiles: full.tiles.slice(0, 1) });
  await expect(start()).rejects.toMatchObject({
    kind: 'conflict',
    message: 'Every workload has its VM: there is nothing to make.',
  });
  db.testbeds.save({ ...full, layout: layoutSchema.parse({}) });
  await expect(start()).rejects.toMatchObject({
    kind: 'conflict',
    message: 'No VM can be made. No template is chosen for java.',
  });
  expect(await service.methods['provision.status']({ testbedId: 'tb' }, signal)).toBeNull();
});

test('who hears of the end may begin the next at once', async () => {
  service.close();
  const heard: Promise<ProvisionJob>[] = [];
  service = createProvisionService({
    deps: { clock, log, ids: { next: (prefix) => `${prefix}-1` } },
    db,
    peers: { vcenter: async () => lab.edges.vcenter.connect({} as never, '') },
    emit: (event, payload) => {
      if (event === 'provision.changed' && (payload as ProvisionJob).state === 'done')
        heard.push(act('cleanUp'));
    },
    profile: () => testProfile,
  });
  await start();
  await until('cleaned');
  expect(await Promise.all(heard)).toMatchObject([{ state: 'cleaningUp' }]);
  expect(made()).toEqual([]);
});

test('one job at a time, and none under a testbed whose VMs are being made', async () => {
  await start();
  await expect(start()).rejects.toMatchObject({ kind: 'conflict' });
  await expect(act('cleanUp')).rejects.toMatchObject({ kind: 'conflict' });
  await until('done');
});
