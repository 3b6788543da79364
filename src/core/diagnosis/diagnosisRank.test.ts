import type {
  HostFeature,
  RunFeatures,
  StoreFeature,
  Trace,
  UplinkFeature,
  WorkloadFeature,
} from './diagnosisFeatures.ts';
import { diagnose } from './diagnosisRank.ts';

const steps = 30,
  bucketMs = 20_000,
  rampSteps = 3;
/** A counter that is `first` in the ramp-up and `then` in the steady state. */
const trace = (then: number, first = then, id = 0): Trace => ({
  seriesIds: [id],
  mean: then,
  buckets: Array.from({ length: steps }, (_, i) => (i < rampSteps ? first : then)),
});
const host = (ref: string, change: Partial<HostFeature> = {}): HostFeature => ({
  ref,
  name: ref,
  cores: 8,
  memoryMb: 65_536,
  vcpus: 8,
  cpuPct: trace(40),
  busyPct: trace(40),
  readyPct: trace(4),
  swapMb: trace(0),
  balloonMb: trace(0),
  swapInKBps: trace(0),
  powerW: null,
  powerCapW: null,
  ...change,
});
const store = (ref: string, change: Partial<StoreFeature> = {}): StoreFeature => ({
  ref,
  name: ref,
  queueDepth: 32,
  hosts: 2,
  iops: trace(1_000, 300),
  deviceMs: trace(4),
  kernelMs: trace(0),
  queueMs: trace(0),
  abortedPerS: trace(0),
  conflictsPerS: trace(0),
  fullest: null,
  ...change,
});
const uplink = (kBps: number, packets?: number, droppedPct?: number): UplinkFeature => ({
  id: 'h1/n0',
  name: 'h1 n0',
  hostRef: 'h1',
  kbps: trace(kBps),
  speedMbps: 1_000,
  packetsPerS: packets === undefined ? null : trace(packets),
  droppedPct: droppedPct === undefined ? null : trace(droppedPct),
});
const workload = (
  tile: number,
  latencyMs: number,
  change: Partial<WorkloadFeature> = {},
): WorkloadFeature => {
  const latency = { ...trace(latencyMs, 10), metric: 'latencyMeanMs' as const, unit: 'ms' };
  return {
    entityId: `t${tile}.db`,
    name: `Tile ${tile + 1} Database`,
    tile,
    workloadId: 'db',
    scored: true,
    hostRef: tile % 2 === 0 ? 'h1' : 'h2',
    storeRefs: ['d1'],
    clientId: 'c1',
    throughput: trace(100),
    latency,
    limits: [
      {
        metric: 'latencyMeanMs',
        kind: 'max',
        limit: 30,
        unit: 'ms',
        source: 'test',
        worst: latencyMs,
        trace: latency,
      },
    ],
    ...change,
  };
};
const run = (change: Partial<RunFeatures> = {}): RunFeatures => ({
  runId: 'r1',
  name: 'r1',
  tiles: 2,
  label: '2 tiles',
  steady: { fromMs: rampSteps * bucketMs, toMs: steps * bucketMs },
  startMs: 0,
  bucketMs,
  workloads: [workload(0, 15), workload(1, 15)],
  hosts: [host('h1'), host('h2')],
  stores: [store('d1'), store('d2')],
  uplinks: [uplink(10_000)],
  clients: [{ id: 'c1', name: 'c1', cpuPct: trace(20), stealPct: null, behindPct: null }],
  vms: [],
  operations: [],
  operationsWatched: true,
  acts: [],
  ...change,
});
const failing = (change: Partial<RunFeatures>): RunFeatures =>
  run({
    runId: 'r2',
    name: 'r2',
    label: '3 tiles',
    tiles: 3,
    workloads: [0, 1, 2].map((tile) => workload(tile, 60)),
    ...change,
  });
const causesOf = (after: RunFeatures, before: RunFeatures | null = run()): string[] =>
  diagnose(before, after).hypotheses.map((one) => one.cause);

test.each<[string, Partial<RunFeatures>, string[]]>([
  [
    'every host full',
    {
      hosts: [
        host('h1', { cpuPct: trace(98), busyPct: trace(98) }),
        host('h2', { cpuPct: trace(97), busyPct: trace(97) }),
      ],
    },
    ['cpuSaturated'],
  ],
  [
    'vCPUs that wait beside idle cores',
    { hosts: [host('h1', { readyPct: trace(160) }), host('h2', { readyPct: trace(150) })] },
    ['cpuReady'],
  ],
  [
    'a clock held down under a limit',
    {
      hosts: ['h1', 'h2'].map((ref) =>
        host(ref, { cpuPct: trace(45), busyPct: trace(90), powerCapW: trace(200) }),
      ),
    },
    ['powerCap', 'cpuSaturated'],
  ],
  [
    'memory read back from swap',
    { hosts: [host('h1', { swapMb: trace(4_000), swapInKBps: trace(5_000) }), host('h2')] },
    ['memory'],
  ],
  [
    'a full queue before a quick device',
    { stores: [store('d1', { kernelMs: trace(12), queueMs: trace(12) }), store('d2')] },
    ['lunQueue'],
  ],
  [
    'a queue that esxtop saw full where vCenter tells no wait',
    {
      stores: [
        store('d1', {
          fullest: { host: 'h1', slots: 32, active: trace(31), queued: trace(9) },
        }),
        store('d2'),
      ],
    },
    ['lunQueue'],
  ],
  [
    'disks at their end',
    { stores: [store('d1', { deviceMs: trace(30, 4), iops: trace(1_050, 300) }), store('d2')] },
    ['spindles'],
  ],
  [
    'a device slower for the same commands',
    { stores: [store('d1', { deviceMs: trace(20, 20), iops: trace(900, 300) }), store('d2')] },
    ['deviceLatency'],
  ],
  [
    'commands refused because another host holds the LUN',
    { stores: [store('d1', { conflictsPerS: trace(60, 0) }), store('d2')] },
    ['reservations'],
  ],
  [
    'a LUN that is never held by another host, and one that is once in a while',
    { stores: [store('d1', { conflictsPerS: trace(1) }), store('d2')] },
    [],
  ],
  [
    'a full link',
    {
      uplinks: [uplink(122_000)],
    },
    ['uplink'],
  ],
  [
    'small packets that fill the wire where their bytes do not',
    { uplinks: [uplink(80_000, 1_250_000)] },
    ['uplink'],
  ],
  ['drops on a link that is full in bursts', { uplinks: [uplink(80_000, 54_000, 2)] }, ['uplink']],
  ['drops on a link that is nearly idle', { uplinks: [uplink(10_000, 7_000, 10)] }, []],
  ['as much traffic without drops', { uplinks: [uplink(80_000, 54_000, 0)] }, []],
  [
    'a client that measures itself',
    { clients: [{ id: 'c1', name: 'c1', cpuPct: trace(99), stealPct: null, behindPct: null }] },
    ['client'],
  ],
  [
    'a client that fell behind with room on its processors',
    {
      clients: [{ id: 'c1', name: 'c1', cpuPct: trace(20), stealPct: null, behindPct: trace(30) }],
    },
    ['client'],
  ],
  [
    'a client that is not given its processors',
    {
      clients: [{ id: 'c1', name: 'c1', cpuPct: trace(40), stealPct: trace(30), behindPct: null }],
    },
    ['client'],
  ],
  [
    'a client that fell behind, whatever else is full',
    {
      clients: [{ id: 'c1', name: 'c1', cpuPct: trace(99), stealPct: null, behindPct: trace(100) }],
      hosts: [host('h1', { cpuPct: trace(98), busyPct: trace(98) })],
    },
    ['client', 'hostsImbalanced', 'cpuSaturated'],
  ],
  ['nothing that was measured', {}, []],
])('%s', (_what, change, causes) => {
  const found = causesOf(failing(change));
  // The first is the cause; what follows from it may stand behind it.
  expect(found.slice(0, 1)).toEqual(causes.slice(0, 1));
  expect(causes).toEqual(expect.arrayContaining(found));
});

test('one full host beside one with room is an imbalance, not a full testbed', () => {
  const diagnosis = diagnose(
    run(),
    failing({ hosts: [host('h1', { cpuPct: trace(98), busyPct: trace(98) }), host('h2')] }),
  );
  expect(diagnosis.hypotheses[0]).toMatchObject({
    cause: 'hostsImbalanced',
    subjects: ['h1'],
    failing: { on: 2, of: 3, tiles: [0, 2] },
  });
  expect(diagnosis.healthy).toBe(false);
});

test('a full testbed is healthy, and storage that is as it was is cleared with its figures', () => {
  const diagnosis = diagnose(
    run(),
    failing({
      hosts: ['h1', 'h2'].map((ref) =>
        host(ref, { cpuPct: trace(99), busyPct: trace(99), readyPct: trace(200) }),
      ),
    }),
  );
  expect(diagnosis.healthy).toBe(true);
  expect(diagnosis.cleared.map((one) => one.cause)).toEqual(
    expect.arrayContaining(['lunQueue', 'spindles', 'deviceLatency', 'uplink', 'client']),
  );
  expect(diagnosis.sentence).toBe(
    '3 tiles after 2 tiles: 3 of 3 workloads break a quality limit (db), as the testbed is full. The processors of all 2 hosts in use are full at 99 %: the testbed is used up.',
  );
});

test('each threshold that is shown says who says so, and whether it is broken', () => {
  const { evidence } = diagnose(
    run(),
    failing({ stores: [store('d1', { deviceMs: trace(30, 4), iops: trace(1_050, 300) })] }),
  ).hypotheses[0]!;
  expect(evidence.find((row) => row.label === 'Device latency')).toMatchObject({
    before: 4,
    after: 30,
    threshold: 15,
    broken: true,
    thresholdSource: expect.stringMatching(/^VMware vSphere 6\.7/) as string,
  });
  expect(evidence.filter((row) => row.threshold !== null && row.thresholdSource === '')).toEqual(
    [],
  );
});

test('what was not measured is neither blamed nor cleared', () => {
  const blind = failing({
    hosts: [
      host('h1', { readyPct: null, swapMb: null, balloonMb: null, swapInKBps: null }),
      host('h2', { readyPct: null, swapMb: null, balloonMb: null, swapInKBps: null }),
    ],
    clients: [{ id: 'c1', name: 'c1', cpuPct: null, stealPct: null, behindPct: null }],
    uplinks: [],
    operationsWatched: false,
  });
  const { notMeasured, cleared } = diagnose(run(), blind);
  const unknown = notMeasured.flatMap((one) => one.causes);
  expect([...unknown].sort()).toEqual(['client', 'cpuReady', 'memory', 'operations', 'uplink']);
  expect(cleared.filter((one) => unknown.includes(one.cause))).toEqual([]);
});

test('operations in the way: slower while they run, and no slower otherwise', () => {
  const slow = (i: number): boolean => i >= rampSteps && i % 6 < 3;
  const buckets = Array.from({ length: steps }, (_, i) => (slow(i) ? 70 : 12));
  const latency = {
    seriesIds: [1],
    mean: 41,
    buckets,
    metric: 'latencyMeanMs' as const,
    unit: 'ms',
  };
  const operations = Array.from({ length: steps }, (_, i) => i)
    .filter(slow)
    .map((i) => ({ name: 'vMotion', fromMs: i * bucketMs, toMs: (i + 1) * bucketMs }));
  const after = run({
    runId: 'r2',
    operations,
    workloads: [0, 1].map((tile) =>
      workload(tile, 41, {
        latency,
        limits: [
          {
            metric: 'latencyMeanMs',
            kind: 'max',
            limit: 30,
            unit: 'ms',
            source: 'test',
            worst: 41,
            trace: latency,
          },
        ],
      }),
    ),
  });
  const [first] = diagnose(run(), after).hypotheses;
  expect(first).toMatchObject({ cause: 'operations', subjects: ['vMotion'] });
  expect(first!.alignment).toMatchObject({ whileFailing: 1, otherwise: 0 });
});

test('without a broken limit, what does less than in the first run is explained; without a first run, nothing is claimed', () => {
  const after = run({
    runId: 'r2',
    workloads: [
      workload(0, 15, { throughput: trace(60), limits: [] }),
      workload(1, 15, { limits: [] }),
    ],
    clients: [{ id: 'c1', name: 'c1', cpuPct: trace(99), stealPct: null, behindPct: null }],
  });
  expect(diagnose(run(), after)).toMatchObject({
    failing: [{ entityId: 't0.db', why: 'worse', metric: 'throughput', before: 100, after: 60 }],
    hypotheses: [{ cause: 'client' }],
  });
  expect(diagnose(null, after)).toMatchObject({ before: null, failing: [], hypotheses: [] });
});

test('a run held against its own ramp-up is not said to keep up with another run', () => {
  const { sentence } = diagnose(run({ runId: 'r2' }), run({ runId: 'r2' }));
  expect(sentence).toMatch(/: no quality limit is broken\. A second run tells/);
  expect(diagnose(run(), run({ runId: 'r2' })).sentence).toMatch(
    / after .*: no quality limit is broken, and no workload does less than before\.$/,
  );
  const free = run({ runId: 'r2', workloads: [workload(0, 15, { limits: [] })] });
  expect(diagnose(null, free).sentence).toMatch(
    /: it is held to no quality limit\. A second run tells/,
  );
});

test.each([
  ['does less', 60, 15, 'do less than before'],
  ['does more, and later', 160, 60, 'take longer than before'],
  ['does a little more of much', 110, 15, 'grow by less than half of what is asked of them'],
])('a workload that %s is said to do so', (_what, pace, latencyMs, words) => {
  const of = (rate: number, ms: number): RunFeatures =>
    run({ workloads: [workload(0, ms, { throughput: trace(rate), limits: [] })] });
  const more = { workloadId: 'db', factor: 1.5 };
  expect(diagnose(of(100, 15), of(pace, latencyMs), 'db', more).sentence).toContain(
    `1 of 1 workloads ${words} (db)`,
  );
});

test('the same runs give the same answer', () => {
  const after = failing({
    stores: [store('d1', { kernelMs: trace(12), queueMs: trace(12) })],
    clients: [{ id: 'c1', name: 'c1', cpuPct: trace(99), stealPct: null, behindPct: null }],
  });
  expect(diagnose(run(), after)).toEqual(diagnose(structuredClone(run()), structuredClone(after)));
});

test.each([
  ['all of it waits: the disks are full', 1, 1.4, ['spindles']],
  ['most of it waits', 1.15, 1.22, ['spindles']],
  ['it gets done: they have room', 1.38, 1.02, []],
])('fast disks asked for 1.4 times as much, %s', (_what, work, rise, named) => {
  const at = (pace: number, ms: number): RunFeatures =>
    run({
      workloads: [0, 1].map((tile) => workload(tile, 5, { throughput: trace(pace) })),
      stores: [store('d1', { iops: trace(2 * pace), deviceMs: trace(ms) })],
    });
  const { hypotheses, cleared } = diagnose(at(100, 5), at(100 * work, 5 * rise), 'db', {
    workloadId: 'db',
    factor: 1.4,
  });
  expect(hypotheses.map((one) => one.cause)).toEqual(named);
  expect(cleared.some((one) => one.cause === 'spindles')).toBe(named.length === 0);
});

test('asked for more and doing no more falls short, with full processors as the reason; what is full is never cleared', () => {
  const at = (busy: number, pace: number): RunFeatures =>
    run({
      workloads: [workload(0, 10, { throughput: trace(pace) })],
      hosts: [host('h1', { cpuPct: trace(busy), busyPct: trace(busy) })],
    });
  const more = { workloadId: 'db', factor: 1.09 };
  const knee = diagnose(at(97, 100), at(100, 101), 'db', more);
  expect(knee.failing).toHaveLength(1);
  expect(knee.hypotheses[0]).toMatchObject({ cause: 'cpuSaturated', subjects: ['h1'] });
  expect(diagnose(at(97, 100), at(98, 108), 'db', more).failing).toEqual([]);
  // Whatever is asked, a full processor is not told to be fine.
  for (const question of [more, null])
    expect(
      diagnose(at(97, 100), at(100, 108), 'db', question).cleared.map((one) => one.cause),
    ).not.toContain('cpuSaturated');
});

test('a testbed that was as full in the first run of as many tiles explains no difference', () => {
  const full = { busyPct: trace(99, 50), cpuPct: trace(99, 50) };
  const hosts = [host('h1', full), host('h2', full)];
  const of = (runId: string, latencyMs: number, tiles = 2): RunFeatures =>
    run({ runId, tiles, hosts, workloads: [workload(0, latencyMs), workload(1, latencyMs)] });
  const same = diagnose(of('a', 10), of('b', 60));
  expect(same.healthy).toBe(false);
  expect(same.sentence).toMatch(/full in both runs, which does not tell them apart/);
  expect(same.cleared.map((one) => one.cause)).not.toContain('hostsImbalanced');
  const more = diagnose(of('a', 10, 1), of('b', 60));
  expect(more.healthy).toBe(true);
  expect(more.sentence).toMatch(/the testbed is used up/);
});

test('the VMs that took most of a full host, and made most traffic of a datastore, are named beside it', () => {
  const vm = (
    name: string,
    on: { hostRef: string; storeRefs: string[] },
    means: { cpu?: number; disk?: number; ready?: number; packets?: number },
  ) => ({
    ref: name,
    entityId: `vm/${name}`,
    name,
    vcpus: 4,
    ...on,
    cpuPct: means.cpu === undefined ? null : trace(means.cpu),
    readyPct: means.ready === undefined ? null : trace(means.ready),
    diskKBps: means.disk === undefined ? null : trace(means.disk),
    packetsPerS: means.packets === undefined ? null : trace(means.packets),
    droppedPct: null,
  });
  const there = { hostRef: 'h1', storeRefs: ['d1'] };
  const vms = [
    vm('idle', there, { cpu: 0, disk: 0 }),
    vm('one', there, { cpu: 20, disk: 100, ready: 3, packets: 9 }),
    vm('two', there, { cpu: 90, disk: 900, ready: 12 }),
    vm('three', there, { cpu: 50, disk: 500, ready: 5, packets: 70 }),
    vm('four', there, { cpu: 40, disk: 400, ready: 4 }),
    vm('elsewhere', { hostRef: 'h2', storeRefs: ['d2'] }, { cpu: 100, disk: 9_999, packets: 99 }),
    vm('on both', { hostRef: 'h2', storeRefs: ['d1', 'd2'] }, { disk: 9_999 }),
    vm('unheard', there, {}),
  ];
  const namedBy = (change: Partial<RunFeatures>, label: string) =>
    diagnose(run(), failing({ ...change, vms }))
      .hypotheses[0]!.evidence.filter((row) => row.label === label)
      .map((row) => [row.entityName, row.after, row.seriesIds.length > 0]);
  const full = { hosts: [host('h1', { cpuPct: trace(98), busyPct: trace(98) }), host('h2')] };
  expect(namedBy(full, 'vCPUs the VM kept busy')).toEqual([
    ['two', 3.6, true],
    ['three', 2, true],
    ['four', 1.6, true],
  ]);
  const waiting = {
    hosts: [host('h1', { readyPct: trace(160) }), host('h2', { readyPct: trace(150) })],
  };
  expect(namedBy(waiting, 'Ready time of the VM, a vCPU').map(([name]) => name)).toEqual([
    'two',
    'three',
    'four',
  ]);
  const filled = { uplinks: [uplink(122_000, 82_000, 1)] };
  expect(namedBy(filled, 'Packets of the VM, both directions').map(([name]) => name)).toEqual([
    'three',
    'one',
  ]);
  // Whose disks lie on two datastores did no known part on either.
  const slow = { stores: [store('d1', { deviceMs: trace(60), iops: trace(1_000, 300) })] };
  expect(namedBy(slow, 'Disk traffic of the VM').map(([name]) => name)).toEqual([
    'two',
    'three',
    'four',
  ]);
});
