import { actWords } from './diagnosisActs.ts';
import type {
  ActFeature,
  ActOnWorkload,
  HostFeature,
  RunFeatures,
  Trace,
  WorkloadFeature,
} from './diagnosisFeatures.ts';
import { diagnose } from './diagnosisRank.ts';
import { beforeActs, timesOf, windowed } from './diagnosisWindows.ts';

const bucketMs = 20_000;
/** A run of 60 minutes steady from its start on; its act begins at 20 minutes. */
const steps = 180;
const actMs = 60 * bucketMs;
/** By step: `usual`, but `hit` from the act on for `hitS` seconds. */
const trace = (usual: number, hit = usual, hitS = 0, from = actMs): Trace => {
  const buckets = Array.from({ length: steps }, (_, i) => {
    const atMs = i * bucketMs;
    return atMs >= from && atMs < from + hitS * 1_000 ? hit : usual;
  });
  return { seriesIds: [1], mean: buckets.reduce((sum, one) => sum + one, 0) / steps, buckets };
};
const workload = (tile: number, change: Partial<WorkloadFeature> = {}): WorkloadFeature => ({
  entityId: `t${tile}.db`,
  name: `Tile ${tile + 1} Database`,
  tile,
  workloadId: 'db',
  scored: true,
  hostRef: `h${(tile % 2) + 1}`,
  storeRefs: [],
  clientId: 'c1',
  throughput: trace(100),
  latency: null,
  limits: [],
  ...change,
});
/** With a limit on a latency that is `usual`, but `hit` for `hitS` seconds from `from` on. */
const limited = (tile: number, usual: number, hit: number, hitS: number, from = actMs) => {
  const latency = trace(usual, hit, hitS, from);
  return workload(tile, {
    limits: [
      {
        metric: 'latencyMeanMs',
        kind: 'max',
        limit: 30,
        unit: 'ms',
        source: 'test',
        worst: Math.max(latency.mean, hit),
        trace: latency,
      },
    ],
  });
};
const on = (tile: number, change: Partial<ActOnWorkload> = {}): ActOnWorkload => ({
  entityId: `t${tile}.db`,
  isOnTarget: false,
  outcome: 'even',
  recoveryS: null,
  violatedS: null,
  throughputBefore: 100,
  throughputAfter: 100,
  downS: null,
  ...change,
});
const act = (workloads: ActOnWorkload[], change: Partial<ActFeature> = {}): ActFeature => ({
  id: 'act',
  kind: 'hostFails',
  label: 'Host h1 fails at 20:00',
  beforeMs: 0,
  fromMs: actMs,
  doneMs: actMs,
  endedMs: null,
  untilMs: steps * bucketMs,
  hostRef: 'h1',
  workloads,
  ...change,
});
const host = (ref: string, cpuPct: Trace): HostFeature => ({
  ref,
  name: ref,
  cores: 8,
  memoryMb: 65_536,
  vcpus: 8,
  cpuPct,
  busyPct: cpuPct,
  readyPct: trace(4),
  swapMb: trace(0),
  balloonMb: trace(0),
  swapInKBps: trace(0),
  powerW: null,
  powerCapW: null,
});
const run = (change: Partial<RunFeatures>): RunFeatures => ({
  runId: 'r1',
  name: 'r1',
  tiles: 2,
  label: 'Run',
  steady: { fromMs: 0, toMs: steps * bucketMs },
  startMs: 0,
  bucketMs,
  workloads: [workload(0), workload(1)],
  hosts: [host('h1', trace(40)), host('h2', trace(40))],
  stores: [],
  uplinks: [],
  clients: [],
  vms: [],
  operations: [],
  operationsWatched: true,
  acts: [],
  ...change,
});
const down = on(0, {
  isOnTarget: true,
  outcome: 'recovered',
  recoveryS: 100,
  downS: 90,
  violatedS: 100,
});

test('what an act did is told in figures', () => {
  expect(actWords(act([down, on(1)]))).toBe(
    'Host h1 fails at 20:00: 1 workload on it did nothing for 90 s; 1 of 2 workloads were ' +
      'disturbed; the slowest was back after 100 s; quality limits were broken for up to 100 s.',
  );
  expect(actWords(act([on(0, { outcome: 'lost' }), on(1, { outcome: 'uneven' })]))).toBe(
    'Host h1 fails at 20:00: 1 of 2 workloads were disturbed; 1 did not come back; 1 too uneven ' +
      'to tell.',
  );
  expect(actWords(act([on(0), on(1, { outcome: 'unknown' })]))).toBe(
    'Host h1 fails at 20:00: it disturbed no workload that could be judged; 1 not measured.',
  );
  expect(actWords(act([]))).toContain('told when the run has ended');
});

test.each<[string, Partial<RunFeatures>, string | undefined]>([
  [
    'a workload that is down and back, where no limit is broken',
    {
      acts: [act([down, on(1)])],
      workloads: [workload(0, { throughput: trace(100, 0, 100) }), workload(1)],
    },
    'acts',
  ],
  [
    'a limit that is broken from the act on',
    {
      acts: [act([on(0, { outcome: 'lost' }), on(1)])],
      workloads: [limited(0, 10, 60, 2_400), workload(1)],
    },
    'acts',
  ],
  [
    'a limit that is broken from the act on, of a workload too uneven for its result',
    {
      acts: [act([on(0, { outcome: 'uneven' }), on(1)])],
      workloads: [limited(0, 10, 60, 2_400), workload(1)],
    },
    'acts',
  ],
  [
    'a limit that was broken long before the act, and is no more after it',
    {
      acts: [act([on(0), on(1)])],
      workloads: [limited(0, 10, 60, 600, 0), workload(1)],
    },
    undefined,
  ],
  [
    'a limit that is broken all the time, the act or not, on a host that is full',
    {
      acts: [act([on(0), on(1)])],
      workloads: [limited(0, 60, 60, 0), limited(1, 60, 60, 0)],
      hosts: [host('h1', trace(97)), host('h2', trace(97))],
    },
    'cpuSaturated',
  ],
  [
    'operations that run all the time beside an act that breaks a limit',
    {
      acts: [act([on(0, { outcome: 'lost' }), on(1)])],
      workloads: [limited(0, 10, 60, 2_400), workload(1)],
      operations: [{ name: 'vMotion', fromMs: 0, toMs: steps * bucketMs }],
    },
    'acts',
  ],
])('%s', (_what, change, first) => {
  const after = run(change);
  const { hypotheses } = diagnose(beforeActs(after), after);
  expect(hypotheses[0]?.cause).toBe(first);
});

test('without acts nothing is said of them', () => {
  const { acts, cleared } = diagnose(null, run({}));
  expect([acts, cleared.map((one) => one.cause)]).toEqual([
    [],
    expect.not.arrayContaining(['acts']),
  ]);
});

test('the times around an act are judged by themselves: what broke before it is not its doing', () => {
  const after = run({
    acts: [act([{ ...down, recoveryS: 600 }, on(1)])],
    workloads: [workload(0, { throughput: trace(100, 20, 600) }), workload(1)],
    hosts: [host('h1', trace(40)), host('h2', trace(40, 97, 600))],
  });
  const [only] = diagnose(beforeActs(after), after).acts;
  expect(
    only!.windows.map(({ name, fromMs, toMs, failing }) => [name, fromMs, toMs, failing]),
  ).toEqual([
    ['before', 0, actMs, 0],
    ['during', actMs, actMs + 600_000, 1],
    ['after', actMs + 600_000, steps * bucketMs, 0],
  ]);
  expect(only!.windows[1]!.words).toMatch(/^1 of 2 workloads do less than before\./);
});

test('a time too short to judge, or nothing to hold it against, is said', () => {
  const brief = run({ acts: [act([on(0, { outcome: 'recovered', recoveryS: 30 })])] });
  expect(diagnose(null, brief).acts[0]!.windows[1]).toMatchObject({
    name: 'during',
    failing: null,
    words: 'Too short to be judged by itself.',
  });
  const early = run({ acts: [act([on(0)], { fromMs: 20_000 })] });
  expect(beforeActs(early)).toBeNull();
  expect(diagnose(null, early).acts[0]!.windows.map((one) => one.failing)).not.toContain(0);
});

test('an act that is put back at a time of its own is under way until then', () => {
  expect(
    timesOf(act([on(0)], { endedMs: actMs + 300_000 })).map(({ name, to }) => [name, to]),
  ).toEqual([
    ['before', actMs],
    ['during', actMs + 300_000],
    ['after', steps * bucketMs],
  ]);
});

test('a time of a run has the means of that time, and nothing where nothing was measured', () => {
  const of = run({ workloads: [limited(0, 10, 60, 600)] });
  const { workloads } = windowed(of, { fromMs: actMs, toMs: actMs + 600_000 }, 'during');
  expect(workloads[0]!.limits[0]).toMatchObject({ worst: 60, trace: { mean: 60 } });
  const later = windowed(of, { fromMs: steps * bucketMs, toMs: steps * bucketMs + 60_000 }, 'none');
  expect(later.workloads[0]).toMatchObject({ throughput: null, limits: [{ worst: null }] });
});
