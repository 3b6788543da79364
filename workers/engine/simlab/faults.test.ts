import type { LabFault } from '../../../src/core/lab/lab.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';
import { createLabModel } from './model/model.ts';
import { createSimEngine, type SimEngine } from './testing/simEngine.ts';
import { smallLab, smallPlan } from './testing/smallLab.ts';

let sim: SimEngine;
beforeEach(async () => {
  sim = await createSimEngine({ createModel: createLabModel });
});
afterEach(() => sim.close());

/** A run of the small plan with faults that begin that many seconds after its load. */
async function runWith(...faults: Omit<LabFault, 'id' | 'amount'>[]): Promise<RunOverview> {
  sim.lab.control.load({
    ...smallLab,
    faults: faults.map((fault, index) => ({ id: `f${index}`, amount: 1, ...fault })),
  });
  return sim.ended(await sim.launch(smallPlan()));
}
const words = (overview: RunOverview): string =>
  overview.findings
    .filter((f) => f.severity !== 'info')
    .map((f) => f.text)
    .join('\n');
async function valuesOf(
  overview: RunOverview,
  metric: string,
  entity: RegExp,
): Promise<{ t: number; v: number }[]> {
  const def = overview.series.find((s) => s.metric === metric && entity.test(s.entity.id))!;
  const [data] = await sim.call('run.samples', {
    runId: overview.id,
    seriesIds: [def.id],
    maxPoints: 0,
  });
  return [...data!.tMs].map((tMs, i) => ({
    t: (tMs - overview.startedAtMs!) / 1_000,
    v: data!.value[i]!,
  }));
}

test('a driver that crashes fails the run and is named, nothing is left running', async () => {
  const overview = await runWith({
    kind: 'driverCrash',
    targetId: 't0.mail',
    fromS: 120,
    toS: 121,
  });
  expect(overview).toMatchObject({
    state: 'failed',
    abortReason: 'workloadFailed',
    verdict: { sentence: expect.stringContaining('Tile 1 mail failed') },
  });
  expect(words(overview)).toMatch(
    /^Tile 1 mail failed: it ended before its time \(exit code 1\): FATAL: the driver crashed \(fault f0 of the simulated lab\)$/,
  );
  expect(
    await sim.lab.edges.ssh
      .host({
        id: 'x',
        name: 'x',
        hops: [
          {
            host: 'client1.small.sim',
            port: 22,
            user: 'u',
            auth: { method: 'password', password: '' },
          },
        ],
      })
      .exec('ls "${TILEBENCH_ROOT:-$HOME}/.tilebench" 2>/dev/null'),
  ).toMatchObject({ stdout: '' });
});

test('a client that is away for a minute loses and repeats nothing', async () => {
  const overview = await runWith({ kind: 'hostDown', targetId: 'client1', fromS: 120, toS: 180 });
  expect(overview.state).toBe('passed');
  expect(
    overview.events.filter((e) => e.kind === 'fault' || e.kind === 'recovered').map((e) => e.kind),
  ).toEqual(expect.arrayContaining(['fault', 'recovered']));
  const times = (await valuesOf(overview, 'throughput', /^t0\.java$/)).map(({ t }) =>
    Math.round(t),
  );
  expect(times).toEqual(Array.from({ length: times.length }, (_, i) => times[0]! + i));
  expect(times.length).toBeGreaterThan(300);
});

test('a client that stays away ends the run as unreachable', async () => {
  const overview = await runWith({ kind: 'hostDown', targetId: 'client1', fromS: 70, toS: 4_000 });
  expect(overview.state).toBe('failed');
  expect(words(overview)).toMatch(/lost for 300 s/);
});

test('a vCenter that is away becomes a finding; its counters are read afterwards', async () => {
  const overview = await runWith({
    kind: 'vcenterAway',
    targetId: 'vcenter',
    fromS: 100,
    toS: 220,
  });
  expect(overview.state).toBe('passed');
  expect(overview.findings.map((f) => f.text).join('\n')).toMatch(
    /vCenter.* did not answer \d:\d\d–\d:\d\d, recovered, no sample missing\./,
  );
  const times = (await valuesOf(overview, 'cpuPct', /^h1$/)).map(({ t }) => t);
  expect(Math.max(...times.slice(1).map((t, i) => t - times[i]!))).toBeLessThanOrEqual(20);
});

test('a silent meter is told and drawn as a gap', async () => {
  const overview = await runWith({ kind: 'meterSilent', targetId: 'meter', fromS: 100, toS: 200 });
  expect(overview.state).toBe('passed');
  const told = overview.findings.filter((f) => /^(outage|gap)\./.test(f.id));
  expect(told).toMatchObject([{ id: 'outage.small-meter', severity: 'warn' }]);
  expect(told[0]!.text).toMatch(
    /meter did not answer \d:\d\d–\d:\d\d, recovered; missing: \d+ s of meter Power\./,
  );
});

test('a clock that is set forward during the run is told at its end', async () => {
  sim.lab.control.load({
    ...smallLab,
    faults: [
      { id: 'skew', kind: 'clockSkew', targetId: 'client1', fromS: 100, toS: 4_000, amount: 2_500 },
    ],
  });
  const overview = await sim.ended(await sim.launch(smallPlan()));
  expect(overview.findings.map((f) => f.text).join('\n')).toContain(
    'The clock of client1 moved by 2,500 ms',
  );
});

test('a host that goes down takes its counters with it and brings the finding', async () => {
  const overview = await runWith({ kind: 'hostDown', targetId: 'h2', fromS: 150, toS: 260 });
  const times = (await valuesOf(overview, 'cpuPct', /^h2$/)).map(({ t }) => t);
  expect(Math.max(...times.slice(1).map((t, i) => t - times[i]!))).toBeGreaterThan(80);
});

const slowing: [LabFault['kind'], string, number][] = [
  ['lunSlow', 'l1', 20],
  ['clientSaturated', 'client1', 4],
  ['memoryPressure', 'h1', 0.9],
];
test.each(slowing)(
  '%s on %s slows the mail load while it lasts',
  async (kind, targetId, amount) => {
    sim.lab.control.load({
      ...smallLab,
      noise: 0,
      faults: [{ id: 'slow', kind, targetId, fromS: 150, toS: 250, amount }],
    });
    const overview = await sim.ended(await sim.launch(smallPlan()));
    const latency = await valuesOf(overview, 'latencyMeanMs', /^t0\.mail$/);
    const mean = (from: number, to: number): number => {
      const own = latency.filter(({ t }) => t > from && t <= to);
      return own.reduce((sum, { v }) => sum + v, 0) / own.length;
    };
    expect(mean(180, 250)).toBeGreaterThan(mean(100, 150) * 1.02);
  },
);

test('a power cap holds the host at its watts', async () => {
  sim.lab.control.load({
    ...smallLab,
    noise: 0,
    faults: [{ id: 'cap', kind: 'powerCap', targetId: 'h1', fromS: 150, toS: 300, amount: 181 }],
  });
  const overview = await sim.ended(await sim.launch(smallPlan()));
  const before = await valuesOf(overview, 'powerW', /meter/);
  const mean = (from: number, to: number): number => {
    const own = before.filter(({ t }) => t > from && t <= to);
    return own.reduce((sum, { v }) => sum + v, 0) / own.length;
  };
  expect(mean(160, 290)).toBeLessThan(mean(100, 145));
});

test('a fault added while the run goes counts from now, shows in the status and can be taken back', async () => {
  sim.lab.control.load(smallLab);
  const runId = await sim.launch(smallPlan());
  await sim.pass(100_000);
  await sim.call('lab.fault', {
    labId: 'small',
    fault: { id: 'now', kind: 'vcenterAway', targetId: 'vcenter', fromS: 10, toS: 500, amount: 1 },
  });
  const status = await sim.call('lab.status', {});
  expect(status.labs[0]!.faults).toMatchObject([{ id: 'now', fromS: 10, toS: 500 }]);
  await sim.pass(60_000);
  expect((await sim.call('lab.status', {})).labs[0]!.faults).toMatchObject([
    { id: 'now', fromS: 0, toS: 440 },
  ]);
  await sim.call('lab.clearFault', { labId: 'small', id: 'now' });
  const overview = await sim.ended(runId);
  expect(overview.state).toBe('passed');
  expect(overview.events.filter((e) => e.kind === 'recovered')).toHaveLength(1);
});

test.each([
  [
    { id: 'x', kind: 'lunSlow' as const, targetId: 'l99', fromS: 0, toS: 10, amount: 2 },
    'nothing named l99',
  ],
  [
    { id: 'x', kind: 'lunSlow' as const, targetId: 'l1', fromS: 10, toS: 10, amount: 2 },
    'before it begins',
  ],
])('the fault %j is refused with words', async (fault, text) => {
  sim.lab.control.load(smallLab);
  await expect(sim.call('lab.fault', { labId: 'small', fault })).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringContaining(text),
  });
});
