import * as z from 'zod';

import { field } from '../../../src/core/base/field.ts';
import type * as Sources from '../../../src/core/testbed/power/index.ts';
import type * as Kind from '../../../src/core/testbed/power/kind.ts';
import type { PowerSource } from '../../../src/core/testbed/powerSources.ts';
import type * as Tools from '../simlab/programs/tools.ts';
import type { Format, SimulatedTool } from '../simlab/programs/types.ts';
import type * as Words from '../simlab/programs/words.ts';
import { createFakeModel } from '../simlab/testing/fakeModel.ts';
import { createSimEngine } from '../simlab/testing/simEngine.ts';
import { smallLab, smallPlan } from '../simlab/testing/smallLab.ts';
import {
  createHarness,
  type Harness,
  testPlanFile,
  testProfile,
} from '../testing/engineHarness.ts';
import type { Driver, DriverTiming } from '../workloads/driver.ts';
import type * as Drivers from '../workloads/drivers.ts';
import type * as SysbenchCpu from '../workloads/sysbenchCpu.ts';
import { createPowerEdge } from './edge.ts';
import type * as Meters from './meters.ts';

/*
 * The recipes of a power source and of a driver, followed for two that are none. What a line in a
 * list is there, a mocked list is here; nothing else knows of them.
 */
jest.mock('../../../src/core/testbed/power/index.ts', () => {
  const { meteredKind, meterPeriodMs } = jest.requireActual<typeof Kind>(
    '../../../src/core/testbed/power/kind.ts',
  );
  const shipped = jest.requireActual<typeof Sources>('../../../src/core/testbed/power/index.ts');
  const toy = meteredKind({
    schema: z.object({
      type: z.literal('toy'),
      shelf: field.name('meter').min(1),
      periodMs: meterPeriodMs,
    }),
    label: 'Toy meter',
    rows: [],
    address: ({ shelf }) => `toy on ${shelf}`,
    peer: ({ shelf }) => shelf,
    host: ({ shelf }) => shelf,
  });
  return { powerSources: { ...shipped.powerSources, toy } };
});
jest.mock('./meters.ts', () => ({
  ...jest.requireActual<typeof Meters>('./meters.ts'),
  meters: {
    toy: {
      test: async ({ shelf }: { shelf: string }) => ({
        ok: true,
        steps: [{ step: 'permission', ok: true, detail: `${shelf} gives 123 W.` }],
      }),
      open: (
        { shelf, periodMs }: { shelf: string; periodMs: number },
        { clock }: { clock: { now(): number } },
      ) => ({
        source: `toy on ${shelf}`,
        periodMs,
        lagMs: 0,
        decimals: 0,
        read: async () => [{ tMs: clock.now(), watts: 123 }],
        close: () => undefined,
      }),
    },
  },
}));
jest.mock('../workloads/drivers.ts', () => {
  const { sysbenchCpu } = jest.requireActual<typeof SysbenchCpu>('../workloads/sysbenchCpu.ts');
  const shipped = jest.requireActual<typeof Drivers>('../workloads/drivers.ts');
  // It prints what that tool prints, as the client machine of these tests does.
  const toy: Record<string, unknown> = {
    ...(sysbenchCpu as unknown as Driver),
    id: 'toy-driver',
    title: 'Toy',
    params: z.object({ pace: z.number().default(3).describe('How fast it plays') }),
    check: async () => ({ ok: true, version: '1.0 of the toy' }),
    command: (_params: unknown, { durationS, intervalS }: DriverTiming) =>
      `exec toy --time=${durationS} --every=${intervalS}`,
  };
  return { driverList: { ...shipped.driverList, 'toy-driver': toy } };
});

jest.mock('../simlab/programs/tools.ts', () => {
  const shipped = jest.requireActual<typeof Tools>('../simlab/programs/tools.ts');
  const { readOptions } = jest.requireActual<typeof Words>('../simlab/programs/words.ts');
  const toy: SimulatedTool = {
    version: '1.0 of the toy',
    run(words) {
      const { options } = readOptions(words);
      const format: Format<null> = {
        header: '',
        fields: 1,
        take: () => [42],
        begin: () => null,
        print: (_state, [eps], { elapsedMs, lengthMs }) =>
          `[ ${(elapsedMs + lengthMs) / 1_000}s ] thds: 1 eps: ${eps!.toFixed(2)} lat (ms,95%): 1.50\n`,
        trailer: () => '',
      };
      return {
        kind: 'runs',
        durationMs: Number(options.get('time')) * 1_000,
        intervalMs: Number(options.get('every')) * 1_000,
        load: null,
        format,
      };
    },
  };
  return { tools: { ...shipped.tools, toy } };
});

const source = { type: 'toy', shelf: 'rack 7', periodMs: 1_000 } as unknown as PowerSource;
const file = () => {
  const plan = testPlanFile();
  return {
    ...plan,
    profile: {
      ...testProfile,
      workloads: testProfile.workloads.map((workload) => ({ ...workload, driver: 'toy-driver' })),
    },
    connections: plan.connections.map((one) => (one.kind === 'power' ? { ...one, source } : one)),
  };
};

let harness: Harness;
beforeEach(async () => {
  const log = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const clock = {
    now: () => harness.clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => harness.clock.sleep(ms, signal),
  };
  harness = await createHarness({ deps: { power: createPowerEdge({ clock, log }) } });
});
afterEach(() => harness.close());

test('pre-flight reads both, and the report names them', async () => {
  const id = await harness.launch(file());
  const { findings } = await harness.call('plan.check', { id: 'plan' });
  expect(findings.filter((one) => one.id === 'power.answers')).toMatchObject([
    { severity: 'ok', evidence: expect.stringMatching(/^123 W, every 1 s/) as string },
  ]);
  const drivers = findings.filter((one) => one.id === 'client.driver');
  expect(drivers).toHaveLength(4);
  for (const one of drivers)
    expect(one).toMatchObject({
      severity: 'ok',
      evidence: '1.0 of the toy',
      title: expect.stringContaining('Toy') as string,
    });
  await harness.clock.advanceUntil(
    () => harness.overviews.some((one) => one.id === id && one.state === 'passed'),
    2_000_000,
  );
  const { bytes } = await harness.call('report.run', { id, format: 'markdown' });
  const text = new TextDecoder().decode(bytes);
  expect(text).toContain('toy-driver');
  expect(text).toContain('toy on rack 7');
});

test('their simulated twins: a run in a lab gives what the tool prints and what the meter reads', async () => {
  const sim = await createSimEngine({ createModel: createFakeModel });
  try {
    sim.lab.control.load(smallLab);
    const plan = smallPlan();
    const id = await sim.launch({
      ...plan,
      connections: plan.connections.map((one) =>
        one.kind === 'power'
          ? { ...one, source: { ...source, shelf: 'meter.small.sim' } as unknown as PowerSource }
          : one,
      ),
      profile: {
        ...plan.profile!,
        workloads: plan.profile!.workloads.map((one) => ({
          ...one,
          driver: 'toy-driver',
          params: {},
        })),
      },
    });
    const overview = await sim.ended(id);
    expect(overview.state).toBe('passed');
    const watts = overview.series.find(({ metric }) => metric === 'powerW')!;
    const eps = overview.series.find(({ metric }) => metric === 'throughput')!;
    const [ofMeter, ofTool] = await sim.call('run.samples', {
      runId: id,
      seriesIds: [watts.id, eps.id],
    });
    expect(watts.source).toBe('simulated meter meter.small.sim');
    expect(ofMeter!.value.length).toBeGreaterThan(300);
    expect(Math.min(...ofMeter!.value)).toBeGreaterThan(0);
    expect(new Set(ofTool!.value)).toEqual(new Set([42]));
  } finally {
    await sim.close();
  }
});

test('a source and a driver that are added by their recipes: stored, tested, checked, run and scored', async () => {
  expect((await harness.call('driver.list', {})).find(({ id }) => id === 'toy-driver')).toEqual({
    id: 'toy-driver',
    title: 'Toy',
    role: expect.any(String) as string,
    params: [{ name: 'pace', type: 'number', default: 3, description: 'How fast it plays' }],
  });
  const id = await harness.launch(file());
  const meter = (await harness.call('connection.list', {})).find(({ kind }) => kind === 'power')!;
  expect(meter).toMatchObject({ source });
  expect(await harness.call('connection.test', { connection: meter })).toEqual({
    ok: true,
    steps: [{ step: 'permission', ok: true, detail: 'rack 7 gives 123 W.' }],
  });
  await harness.clock.advanceUntil(
    () => harness.overviews.some((one) => one.id === id && one.state === 'passed'),
    2_000_000,
  );
  const overview = await harness.overview(id);
  expect(overview.state).toBe('passed');
  const watts = overview.series.find(({ metric }) => metric === 'powerW')!;
  expect(watts).toMatchObject({
    source: 'toy on rack 7',
    entity: { kind: 'power', name: 'meter' },
  });
  const [samples] = await harness.call('run.samples', { runId: id, seriesIds: [watts.id] });
  expect(samples!.value.length).toBeGreaterThan(300);
  expect(new Set(samples!.value)).toEqual(new Set([123]));
  const [row] = await harness.call('run.list', {});
  expect(row).toMatchObject({ id, meanPowerW: 123 });
  expect(overview.score!.total).toBeGreaterThan(0);
  expect((await harness.call('run.record', { id })).profile.workloads[0]!.driver).toBe(
    'toy-driver',
  );
});
