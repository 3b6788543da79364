import { type PlanFile, planFileSchema } from '../../../src/core/plan/plan.ts';
import { createLabModel } from './model/model.ts';
import { createSimEngine } from './testing/simEngine.ts';
import { smallLab, smallPlan } from './testing/smallLab.ts';

const phases = { rampUpS: 10, staggerS: 0, steadyS: 120, periods: 3, rampDownS: 10 };
const password = { keychain: 'simulated' };
const tools = [
  { id: 'cpu', driver: 'sysbench-cpu', vm: 't1-java', in: 't1-java', params: { threads: 2 } },
  { id: 'file', driver: 'dbench', vm: 't1-mail', in: 't1-mail', params: { clients: 4 } },
  {
    id: 'io',
    driver: 'fio',
    vm: 't2-java',
    in: 't2-java',
    params: { readPct: 70, outstanding: 16, directory: '/data' },
  },
  {
    id: 'database',
    driver: 'sysbench-oltp',
    vm: 't2-mail',
    in: 'client1',
    params: { host: 't2-mail.small.sim', threads: 8 },
  },
  {
    id: 'standby',
    driver: 'heartbeat',
    vm: null,
    in: 'client1',
    params: { target: 't1-java.small.sim' },
  },
];

/** One tile of the five real drivers, three of them inside their VMs. */
function toolsPlan(): PlanFile {
  const base = smallPlan();
  const machines = [...new Set(tools.map((tool) => tool.in))];
  return planFileSchema.parse({
    ...base,
    connections: [
      ...base.connections.filter((c) => c.kind !== 'client'),
      ...machines.map((name) => ({
        kind: 'client',
        id: `in-${name}`,
        name,
        host: `${name}.small.sim`,
        user: 'lab',
        auth: { method: 'password', password },
      })),
    ],
    profile: {
      ...base.profile,
      phases,
      workloads: tools.map(({ id, driver, params }) => ({
        id,
        role: id,
        name: id,
        driver,
        params,
        unit: 'ops/s',
        scored: id !== 'standby',
        reference: 100,
        referenceSource: 'test',
      })),
    },
    testbed: {
      ...base.testbed,
      tiles: [
        {
          index: 0,
          workloads: tools.map(({ id, vm, in: machine }) => ({
            workloadId: id,
            vm: vm === null ? null : { ref: vm, name: vm },
            clientId: `in-${machine}`,
            params: {},
          })),
        },
      ],
    },
    plan: { ...base.plan, tiles: 1, phases },
  });
}

test('the real drivers run on the simulated lab: every line understood, every report agreeing, every figure above zero', async () => {
  const sim = await createSimEngine({ createModel: createLabModel });
  try {
    sim.lab.control.load(smallLab);
    const id = await sim.launch(toolsPlan());
    const overview = await sim.ended(id);
    expect(
      overview.findings
        .filter((f) => f.id.startsWith('lines.') || f.id.startsWith('report.'))
        .map((f) => f.text),
    ).toEqual([]);
    expect(overview.findings.find((f) => f.id === 'reports')?.text).toContain(
      'of 4 workloads agrees',
    );
    expect(overview.state).toBe('passed');
    for (const def of overview.series.filter(
      (s) => s.entity.kind === 'workload' && s.metric !== 'errorRate',
    )) {
      const [data] = await sim.call('run.samples', {
        runId: id,
        seriesIds: [def.id],
        maxPoints: 0,
      });
      expect({
        series: `${def.entity.id} ${def.metric}`,
        enough: data!.value.length >= 130,
        positive: data!.value.every((v) => v > 0),
      }).toEqual({ series: `${def.entity.id} ${def.metric}`, enough: true, positive: true });
    }
    const logs = await sim.call('run.log', { id });
    expect(logs.find((log) => log.name === 'Tile 1 file')?.text).toContain('minimum warmup');
  } finally {
    await sim.close();
  }
});

test('more threads of a database bring more of it until its VM is full, and longer waits from then on', async () => {
  const figures: { tps: number; p95: number }[] = [];
  for (const threads of [1, 2, 32]) {
    const sim = await createSimEngine({ createModel: createLabModel });
    try {
      sim.lab.control.load({ ...smallLab, noise: 0 });
      const file = toolsPlan();
      const id = await sim.launch({
        ...file,
        plan: { ...file.plan, overrides: { database: { threads } } },
      });
      const overview = await sim.ended(id);
      const last = async (metric: string): Promise<number> => {
        const [data] = await sim.call('run.samples', {
          runId: id,
          seriesIds: [
            overview.series.find((s) => s.entity.id === 't0.database' && s.metric === metric)!.id,
          ],
          maxPoints: 0,
        });
        return data!.value[60]!;
      };
      figures.push({ tps: await last('throughput'), p95: await last('latencyP95Ms') });
    } finally {
      await sim.close();
    }
  }
  const [one, two, many] = figures;
  expect(two!.tps / one!.tps).toBeGreaterThan(1.4);
  expect(many!.tps / two!.tps).toBeLessThan(8);
  expect(many!.p95).toBeGreaterThan(two!.p95 * 2);
});

test('a host that goes down takes the drivers in its VMs with it, and the run says so', async () => {
  const sim = await createSimEngine({ createModel: createLabModel });
  try {
    sim.lab.control.load({
      ...smallLab,
      faults: [{ id: 'down', kind: 'hostDown', targetId: 'h1', fromS: 60, toS: 90, amount: 1 }],
    });
    const overview = await sim.ended(await sim.launch(toolsPlan()));
    expect(overview).toMatchObject({ state: 'failed', abortReason: 'workloadFailed' });
    expect(overview.findings.filter((f) => f.severity === 'block').map((f) => f.text)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Tile 1 (cpu|file) failed: it ended before its time \(rebooted\): .*restarted while the job ran/,
        ),
      ]),
    );
  } finally {
    await sim.close();
  }
});
