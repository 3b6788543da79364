import { isCompared } from '../../../src/core/compare/index.ts';
import { isEsxtopEntity } from '../../../src/core/metric/metric.ts';
import type { PlanFile } from '../../../src/core/plan/plan.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';
import { createLabModel } from './model/model.ts';
import { createSimEngine, type SimEngine } from './testing/simEngine.ts';
import { smallLab, smallPlan } from './testing/smallLab.ts';

/** So long that the minute fits, however far the clock came before the call that asks for it. */
const phases = { rampUpS: 20, staggerS: 0, steadyS: 1_800, periods: 3, rampDownS: 10 };

function plan(): PlanFile {
  const base = smallPlan();
  return {
    ...base,
    plan: { ...base.plan, phases, esxtop: { everyS: 2, parts: ['vms', 'devices'] } },
  };
}
async function inSim<T>(work: (sim: SimEngine) => Promise<T>): Promise<T> {
  const sim = await createSimEngine({ createModel: createLabModel });
  try {
    return await work(sim);
  } finally {
    await sim.close();
  }
}
/** The run once its load is on. */
const underLoad = (sim: SimEngine, id: string): Promise<RunOverview> =>
  new Promise((resolve) => {
    sim.on((event, payload) => {
      const overview = payload as RunOverview;
      if (event === 'run.changed' && overview.id === id && overview.state === 'steady')
        resolve(overview);
    });
  });

const run = (): Promise<{ overview: RunOverview; values: number[][] }> =>
  inSim(async (sim) => {
    sim.lab.control.load(smallLab);
    const id = await sim.launch(plan());
    const { esxtop } = await underLoad(sim, id);
    const [host] = esxtop!.hosts;
    const look = await sim.call('run.esxtop', { id, hostRef: host!.ref });
    expect(look).toMatchObject({ hostRef: host!.ref, state: 'running', rows: 30 });
    await expect(sim.call('run.esxtop', { id, hostRef: host!.ref })).rejects.toMatchObject({
      kind: 'conflict',
    });
    await expect(sim.call('run.esxtop', { id, hostRef: 'nobody' })).rejects.toMatchObject({
      kind: 'notFound',
    });
    const overview = await sim.ended(id);
    const own = overview.series.filter(({ entity }) => isEsxtopEntity(entity));
    const data = await sim.call('run.samples', {
      runId: id,
      seriesIds: own.map((one) => one.id),
      maxPoints: 0,
    });
    return { overview, values: data.map(({ value }) => [...value]) };
  });

test('in a simulated lab esxtop runs beside a run and is looked at for a minute, the same each time', async () => {
  const { overview, values } = await run();
  const own = overview.series.filter(({ entity }) => isEsxtopEntity(entity));
  const told = own.filter((_def, at) => (values[at]?.length ?? 0) > 60);
  expect(new Set(told.map(({ metric }) => metric))).toEqual(
    new Set([
      ...['cpuPct', 'readyPct'],
      ...['iops', 'readIops', 'writeIops', 'queueDepth', 'queuedCommands', 'maxQueueDepth'],
      ...['queueUsedPct', 'queueLoad', 'deviceLatencyMs', 'kernelLatencyMs'],
      ...['guestLatencyMs', 'queueLatencyMs'],
    ]),
  );
  expect(told.find(({ metric }) => metric === 'queueDepth')?.source).toMatch(/^esxtop on /);
  // Nothing of it is taken for a datastore, in a comparison of runs or a study.
  expect(own.some(isCompared)).toBe(false);
  const [look] = overview.esxtop!.looks;
  expect(look).toMatchObject({ state: 'done', rowsRead: 30 });
  expect(look!.sights.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['ready', 'queue', 'kernel', 'device']),
  );
  expect(overview.findings.find(({ id }) => id === 'esxtop')).toMatchObject({ severity: 'info' });
  expect(overview.findings.filter(({ id }) => id.startsWith('gap'))).toEqual([]);
  const again = await run();
  expect(again.values).toEqual(values);
});
