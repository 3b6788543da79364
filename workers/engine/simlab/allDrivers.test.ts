import { type PlanFile, planFileSchema } from '../../../src/core/plan/plan.ts';
import { type DriverId, driverKinds } from '../../../src/core/profile/driverKinds.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import { getDriver } from '../workloads/index.ts';
import { createLabModel } from './model/model.ts';
import { createSimEngine, type SimEngine } from './testing/simEngine.ts';
import { smallLab, smallPlan } from './testing/smallLab.ts';

const target = 't1-mail.small.sim';
const ids = Object.keys(driverKinds) as DriverId[];
/** What each driver needs to be a load of a plan; the compiler asks for a line of each. */
const paramsOf: Readonly<Record<DriverId, Record<string, string | number | boolean>>> = {
  fio: { directory: '/data' },
  'sysbench-oltp': { host: target },
  dbench: {},
  'sysbench-cpu': {},
  heartbeat: {},
  tilekit: { host: target },
  'tilekit-dvdstore': { host: target },
  iperf3: { target },
  'tilekit-mail': { host: target },
  'tilekit-file': { host: target },
  'tilekit-net': { host: target },
  'tilekit-orders': { host: target },
  jmeter: { target },
  k6: { target },
  sockperf: { target },
  netperf: { target },
  imaptest: { target },
  pgbench: { host: target },
  'go-tpc': { host: target },
  h2load: { target },
  wrk: { target },
  command: { command: 'own-load', pattern: '(?<throughput>[0-9.]+)' },
  simload: { kind: 'mail', target },
};
/** Those whose programs the machines of a lab have; the others are refused before a run. */
const withTwin: readonly DriverId[] = [
  'fio',
  'sysbench-oltp',
  'dbench',
  'sysbench-cpu',
  'heartbeat',
  'simload',
];
const phases = { rampUpS: 5, staggerS: 0, steadyS: 30, periods: 1, rampDownS: 5 };

/** One tile with this load alone, started inside its VM, as a load of a disk or processor is. */
function planOf(driver: DriverId): PlanFile {
  const base = smallPlan();
  const password = { keychain: 'simulated' };
  return planFileSchema.parse({
    ...base,
    connections: [
      ...base.connections.filter(({ kind }) => kind !== 'client'),
      {
        kind: 'client',
        id: 'inside',
        name: 'inside',
        host: target,
        user: 'lab',
        auth: { method: 'password', password },
      },
    ],
    profile: {
      ...base.profile,
      phases,
      workloads: [
        {
          id: 'only',
          role: 'only',
          name: 'Only load',
          driver,
          params: paramsOf[driver],
          unit: 'ops/s',
          reference: 100,
          referenceSource: 'test',
        },
      ],
    },
    testbed: {
      ...base.testbed,
      tiles: [
        {
          index: 0,
          workloads: [
            {
              workloadId: 'only',
              vm: { ref: 't1-mail', name: 't1-mail' },
              clientId: 'inside',
              params: {},
            },
          ],
        },
      ],
    },
    plan: { ...base.plan, tiles: 1, phases },
  });
}

let sim: SimEngine;
beforeEach(async () => {
  sim = await createSimEngine({ createModel: createLabModel });
  sim.lab.control.load(smallLab);
});
afterEach(() => sim.close());

/** What the check before a run says against the only load; null where the run may begin. */
async function refusalOf(file: PlanFile): Promise<{ text: string; fix: string } | null> {
  await importOwn(sim, sourceOf(file));
  const { ready, findings } = await sim.call('plan.check', { id: file.plan.id });
  if (ready) return null;
  const blocking = findings.filter(({ severity }) => severity === 'block');
  expect(blocking.map(({ id }) => id)).toEqual(['client.driver']);
  const [one] = blocking;
  return { text: `${one!.title}: ${one!.evidence}`, fix: one!.fix ?? '' };
}

test.each(ids)(
  '%s in the simulated lab either runs to a result or is refused before the run, by name',
  async (driver) => {
    const file = planOf(driver);
    const refusal = await refusalOf(file);
    expect(refusal === null).toBe(withTwin.includes(driver));
    if (refusal) {
      expect(refusal.text).toBe(
        `Tile 1 Only load: ${getDriver(driver).title} on inside: ${getDriver(driver).title} ` +
          `(${driver}) has no twin in the simulated lab: nothing there runs its command`,
      );
      expect(refusal.fix).toContain('Give Only load the driver simulated load with a kind of');
      expect(refusal.fix).toContain('mail');
      return;
    }
    const overview = await sim.ended(await sim.launch(file));
    expect({ state: overview.state, findings: overview.findings.map(({ text }) => text) }).toEqual({
      state: 'passed',
      findings: expect.not.arrayContaining([expect.stringMatching(/failed|could not be used/)]),
    });
    for (const { metric } of getDriver(driver).series(
      getDriver(driver).params.parse(paramsOf[driver]),
    )) {
      const def = overview.series.find((s) => s.entity.id === 't0.only' && s.metric === metric)!;
      const [data] = await sim.call('run.samples', {
        runId: overview.id,
        seriesIds: [def.id],
        maxPoints: 0,
      });
      expect({ metric, enough: data!.value.length >= 30 }).toEqual({ metric, enough: true });
    }
  },
);

test('a load that the lab has no definition for is refused before the run, not at its start', async () => {
  sim.lab.control.load({
    ...smallLab,
    workloads: smallLab.workloads.filter(({ kind }) => kind !== 'dbench'),
  });
  const refusal = await refusalOf(planOf('dbench'));
  expect(refusal?.text).toContain('lab small defines no load of kind dbench');
  expect(refusal?.fix).toContain('(java, mail, sysbench-oltp, sysbench-cpu)');
});
