import type { Vcsim } from '../../../e2e/lab/vcsim.ts';
import { type Inventory, inventorySchema } from '../../../src/core/testbed/inventory.ts';
import type { PerfProvider, PerfSeries, VCenterSession } from '../deps/vcenter.ts';
import { createBench } from './testing/peer.ts';

const bench = createBench();
let vcsim: Vcsim;
let session: VCenterSession;
beforeAll(async () => {
  vcsim = await bench.start({
    clusters: 2,
    hosts: 64,
    vms: 1_000,
    datastores: 4,
    vmNames: ['tile0-database', 'tile0-file'],
  });
  session = await bench.connect(vcsim);
});
afterAll(() => bench.cleanUp());
afterEach(async () => {
  await vcsim.control.clearFaults();
  await vcsim.control.delay({ callMs: 0 });
});

/** Hosts, then datastores: read once, as nothing here changes which there are. */
let inventory: Inventory;
let watched: PerfProvider[];
beforeAll(async () => {
  inventory = await session.inventory();
  const { hosts, datastores } = inventory;
  watched = [
    ...hosts.map((h) => ({ kind: 'host' as const, ref: h.ref })),
    ...datastores.map((d) => ({ kind: 'datastore' as const, ref: d.ref })),
  ];
});
const valuesOf = (series: readonly PerfSeries[], metric: PerfSeries['metric']): number[] =>
  series.filter((s) => s.metric === metric).flatMap((s) => s.points.map((p) => p.value));

test('64 hosts and 1,000 VMs come complete, over several pages', async () => {
  expect(inventorySchema.parse(inventory)).toEqual(inventory);
  expect([
    inventory.clusters.length,
    inventory.hosts.length,
    inventory.vms.length,
    inventory.datastores.length,
  ]).toEqual([2, 64, 1_000, 4]);
  expect(new Set(inventory.vms.map((vm) => vm.ref)).size).toBe(1_000);
  expect(inventory.vms.filter((vm) => vm.name.startsWith('tile0-')).map((vm) => vm.name)).toEqual([
    'tile0-database',
    'tile0-file',
  ]);
  expect(
    inventory.hosts.every(
      (host) => host.clusterRef !== null && host.cores !== null && host.nics.length > 0,
    ),
  ).toBe(true);
  expect(inventory.datastores[0]!.luns[0]).toMatchObject({
    queueDepth: 64,
    paths: 2,
    policy: 'VMW_PSP_RR',
    activePaths: 2,
    blockSizeBytes: 512,
  });
  expect(inventory.datastores[0]!.hostRefs).toHaveLength(64);
  expect((await vcsim.control.calls())['ContinueRetrievePropertiesEx']).toBeGreaterThanOrEqual(4);
});

test('hosts, VMs, datastores, pools and folders come in the depth of a snapshot', async () => {
  const { hosts, vms, clusters, datastores, resourcePools, folders, networks } = inventory;
  expect(new Set(hosts.map((h) => h.uuid)).size).toBe(64);
  expect(hosts[0]).toMatchObject({
    serial: `LAB-${hosts[0]!.ref}`,
    biosDate: '2024-01-05',
    powerPolicy: 'High Performance',
  });
  // Only the allow-list is kept of what a host has.
  expect(hosts.map((h) => h.settings)).toEqual(
    hosts.map(() => ({
      'Disk.SchedNumReqOutstanding': '32',
      'Disk.QFullSampleSize': '0',
      'Mem.ShareScanTime': '60',
      'Power.UseCStates': '1',
      'Power.CpuPolicy': 'High Performance',
    })),
  );
  expect(hosts[0]!.switches![0]).toMatchObject({ mtu: 1_500 });
  expect(hosts[0]!.nics[0]!.mac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
  expect(clusters[0]).toMatchObject({ evc: 'intel-cascadelake', drsEnabled: true });
  expect(datastores[0]).toMatchObject({
    fileSystem: '6.82',
    blockSizeBytes: 2 ** 20,
    ioControl: false,
  });
  expect(new Set(vms.map((vm) => vm.instanceUuid)).size).toBe(1_000);
  for (const vm of vms) {
    expect(vm.disks!.length).toBeGreaterThan(0);
    expect(datastores.map((d) => d.ref)).toContain(vm.disks![0]!.datastoreRef);
    expect(networks.map((n) => n.ref)).toContain(vm.nics![0]!.networkRef);
    expect(resourcePools!.map((pool) => pool.ref)).toContain(vm.resourcePoolRef);
    expect(folders!.map((folder) => folder.ref)).toContain(vm.folderRef);
  }
  expect(vms[0]).toMatchObject({
    hardwareVersion: expect.stringMatching(/^vmx-/) as string,
    cpu: { limit: null },
    memory: { limit: null },
  });
});

test('a host that does not tell its settings has none, the others keep theirs', async () => {
  await vcsim.control.fault({ method: 'QueryOptions', count: 1 });
  const { hosts } = await session.inventory();
  expect(hosts.filter((h) => h.settings === null)).toHaveLength(1);
});

test('hosts tell their packages and changed settings by their own command line; one that refuses has a note', async () => {
  const [first, second] = inventory.hosts.map((host) => host.ref);
  expect(await session.hostSoftware([first!, second!])).toEqual(
    [first, second].map((hostRef) => ({
      hostRef,
      packages: expect.objectContaining({
        'esx-ui': expect.stringMatching(/^\d/) as string,
      }) as Record<string, string>,
      // The simulator tells two, of which one is at its default.
      settings: { 'Net.GuestIPHack': '1' },
      note: null,
    })),
  );
  await vcsim.control.fault({ method: 'ExecuteSoap', type: 'noPermission' });
  expect(await session.hostSoftware([first!])).toEqual([
    { hostRef: first, packages: null, settings: null, note: expect.stringMatching(/privilege/) },
  ]);
});

test('counters are in range, on the 20 s grid, in order, and newer than asked', async () => {
  const sinceMs = Date.now() - 120_000;
  const series = await session.perf(watched, sinceMs);
  const range = (metric: PerfSeries['metric'], low: number, high: number, count: number): void => {
    const values = valuesOf(series, metric);
    expect(values.length).toBeGreaterThanOrEqual(count);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(low);
    expect(Math.max(...values)).toBeLessThanOrEqual(high);
  };
  range('cpuPct', 0.1, 100, 64 * 4);
  range('memoryPct', 0.1, 100, 64 * 4);
  range('powerW', 1, 1_000, 64 * 4);
  range('netKbps', 0, 1e7, 64 * 4);
  range('iops', 64 * 100, 64 * 5_000, 4 * 4);
  range('deviceLatencyMs', 1, 30, 4 * 4);
  range('queueLatencyMs', 0, 20, 4 * 4);
  range('readyPct', 0.1, 30, 64 * 4);
  range('cpuBusyPct', 0.1, 100, 64 * 4);
  range('swapMb', 0.1, 30, 64 * 4);
  range('balloonMb', 0.1, 30, 64 * 4);
  range('swapInKBps', 0, 200, 64 * 4);
  range('powerCapW', 1, 2_000, 64 * 4);
  expect(await session.storeMetrics()).toEqual([
    'maxQueueDepth',
    'abortedPerS',
    'busResetsPerS',
    'reservationConflictsPerS',
  ]);
  range('maxQueueDepth', 1, 128, 4 * 4);
  range('abortedPerS', 0, 64, 4 * 4);
  range('reservationConflictsPerS', 0, 64, 4 * 4);
  for (const { points } of series) {
    expect(
      points.every(
        (p, i) =>
          p.tMs > sinceMs && p.tMs % 20_000 === 0 && (i === 0 || p.tMs > points[i - 1]!.tMs),
      ),
    ).toBe(true);
  }
});

test('VMs are counted one by one: what each took and what it waited for, in units of the metrics', async () => {
  const metrics = await session.vmMetrics();
  const vms = (await session.inventory()).vms.slice(0, 40).map(({ ref }) => ref);
  const sinceMs = Date.now() - 120_000;
  const series = await session.perf(
    vms.map((ref) => ({ kind: 'vm', ref })),
    sinceMs,
  );
  const expected: Partial<Record<PerfSeries['metric'], readonly [low: number, high: number]>> = {
    cpuPct: [0.1, 100],
    readyPct: [0, 30],
    costopPct: [0, 30],
    activeMb: [1, 100_000],
    swapMb: [0, 30],
    balloonMb: [0, 30],
    netKbps: [0, 1e6],
    diskKBps: [0, 1e6],
    diskLatencyMs: [0, 30],
    packetsRxPerS: [0, 1e5],
    packetsTxPerS: [0, 1e5],
    droppedRxPerS: [0, 1e5],
    droppedTxPerS: [0, 1e5],
  };
  expect(metrics).toEqual(Object.keys(expected));
  for (const metric of metrics) {
    const own = series.filter((one) => one.metric === metric);
    expect(new Set(own.map(({ ref }) => ref))).toEqual(new Set(vms));
    const [low, high] = expected[metric]!;
    const values = valuesOf(own, metric);
    expect(values.length).toBeGreaterThanOrEqual(40 * 4);
    expect(values.filter((value) => value < low || value > high)).toEqual([]);
  }
  expect(
    series.every(({ points }) => points.every((p) => p.tMs > sinceMs && p.tMs % 20_000 === 0)),
  ).toBe(true);
});

test('the simulator tells no uplink apart: none is claimed', async () => {
  expect(await session.uplinks(watched.filter((p) => p.kind === 'host').map((p) => p.ref))).toEqual(
    [],
  );
  const series = await session.perf(watched.slice(0, 2), Date.now() - 120_000);
  expect(series.filter((s) => s.instance !== undefined)).toEqual([]);
  expect(series.filter((s) => s.metric === 'netKbps')).toHaveLength(2);
});

test('a gap of any length is back-filled up to the hour that hosts keep', async () => {
  const series = await session.perf(watched.slice(0, 3), 0);
  const power = series.find((s) => s.metric === 'powerW')!.points;
  expect(power.length).toBeGreaterThanOrEqual(178);
  expect(power.length).toBeLessThanOrEqual(181);
  expect(power.at(-1)!.tMs - power[0]!.tMs).toBe((power.length - 1) * 20_000);
});

test('an expired session is renewed in inventory, counters, clock and privileges', async () => {
  const few = watched.slice(0, 2);
  const logins = (await vcsim.control.calls())['Login']!;
  const works: (() => Promise<unknown>)[] = [
    async () => expect((await session.inventory()).vms).toHaveLength(1_000),
    () => session.perf(few, Date.now() - 60_000),
    () => session.clockOffset(),
    () => session.missingPrivileges(),
    () => session.power('vm-0', true).catch((error: unknown) => error),
  ];
  for (const work of works) {
    await vcsim.control.expireSessions();
    await work();
  }
  // A call that failed may not have logged in.
  await session.clockOffset();
  expect((await vcsim.control.calls())['Login']).toBe(logins + works.length);
});

test('many calls at once after an expiry log in once', async () => {
  await vcsim.control.expireSessions();
  const logins = (await vcsim.control.calls())['Login']!;
  await Promise.all([
    session.clockOffset(),
    session.clockOffset(),
    session.perf(watched, Date.now() - 60_000),
    session.perf([], 0),
  ]);
  expect((await vcsim.control.calls())['Login']).toBe(logins + 1);
});

test('one faulting answer is asked again host by host', async () => {
  await vcsim.control.fault({ method: 'QueryPerf', count: 1 });
  const series = await session.perf(
    watched.filter((p) => p.kind === 'host'),
    Date.now() - 60_000,
  );
  expect(new Set(series.map((s) => s.ref)).size).toBe(64);
});

test('a datastore that is gone does not cost the others their counters', async () => {
  const series = await session.perf(
    [{ kind: 'datastore', ref: 'datastore-gone' }, ...watched],
    Date.now() - 60_000,
  );
  expect(new Set(series.map((s) => s.ref))).toEqual(new Set(watched.map((p) => p.ref)));
});

test('the clock offset is small on one machine', async () => {
  const { offsetMs, errorMs } = await session.clockOffset();
  expect(Math.abs(offsetMs)).toBeLessThanOrEqual(errorMs + 5);
});

test('a cancelled call ends at once', async () => {
  // Longer than any test may take: no answer ends it.
  await vcsim.control.delay({ callMs: 3_600_000 });
  await expect(session.inventory(AbortSignal.timeout(200))).rejects.toMatchObject({
    kind: 'aborted',
  });
});
