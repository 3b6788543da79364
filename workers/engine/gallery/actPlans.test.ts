import type { LabSpec } from '../../../src/core/lab/lab.ts';
import { actSummaries } from '../../../src/core/run/actSummary.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';
import { createLabModel } from '../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../simlab/testing/simEngine.ts';
import { e01 } from './E01.ts';
import { e06 } from './E06.ts';
import type { GalleryEntry } from './types.ts';

/** What is said of these plans must not hang on one stream of noise. */
const seeds = [1, 2, 3];

/** Runs a plan with acts of an entry whose lab has another seed, through the whole engine. */
async function runActs(
  entry: GalleryEntry,
  seed: number,
  look: (sim: SimEngine, overview: RunOverview) => Promise<void>,
): Promise<void> {
  const labs = entry.labs.map((lab): LabSpec => ({ ...lab, seed }));
  const sim = await createSimEngine({
    createModel: createLabModel,
    gallery: [{ ...entry, labs }],
  });
  try {
    await sim.call('gallery.install', { id: entry.item.id });
    const planId = entry.actPlans![0]!.id;
    const report = await sim.call('plan.check', { id: planId });
    expect(report.findings.filter((one) => one.severity === 'block')).toEqual([]);
    const { runId } = await sim.call('run.start', { planId, checkedHash: report.hash });
    await look(sim, await sim.ended(runId));
  } finally {
    await sim.close();
  }
}

/** Mean of all series of a metric between two times, in s of the steady state. */
async function meanOf(
  sim: SimEngine,
  overview: RunOverview,
  metric: string,
  fromS: number,
  toS: number,
): Promise<number> {
  const steady = overview.phases.find((one) => one.name === 'steady')!.startMs;
  const values = await Promise.all(
    overview.series
      .filter((one) => one.metric === metric)
      .map(async ({ id }) => {
        const [data] = await sim.call('run.samples', {
          runId: overview.id,
          seriesIds: [id],
          fromMs: steady + fromS * 1_000,
          toMs: steady + toS * 1_000,
          maxPoints: 0,
        });
        return [...data!.value];
      }),
  );
  const all = values.flat();
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

test.each(seeds)('a host joins an overcommitted cluster, seed %d', async (seed) => {
  await runActs(e01, seed, async (sim, overview) => {
    expect(overview.state).toBe('passed');
    const [join] = overview.acts!;
    expect(join).toMatchObject({ state: 'undone', owed: false });
    // The three servers are full, and relieved by the fourth.
    const readyBefore = await meanOf(sim, overview, 'readyPct', 1_200, 1_800);
    const readyAfter = await meanOf(sim, overview, 'readyPct', 4_200, 5_400);
    expect(readyAfter).toBeLessThan(readyBefore * 0.8);
    const hosts = overview.placement!.hosts;
    const moved = overview.placement!.moves.filter(
      ({ tMs, host }) => tMs > join!.startedMs! && hosts[host ?? -1]?.ref === 'esx1',
    );
    expect(moved.length).toBeGreaterThan(5);
    expect(moved.every(({ by }) => by === 'drs')).toBe(true);
    // More work is done afterwards; nothing is lost for good.
    const rows = actSummaries(join!, overview.workloads);
    const gain = rows.map((row) => (row.throughputAfter ?? 0) / (row.throughputBefore ?? 1));
    expect(Math.max(...gain)).toBeGreaterThan(1.03);
    const latency = rows.flatMap((row) =>
      row.latencyAfterMs === null || row.latencyBeforeMs === null
        ? []
        : [row.latencyAfterMs / row.latencyBeforeMs],
    );
    expect(Math.min(...latency)).toBeLessThan(0.95);
    // A host that comes is no reason to fall short: what is asked is told around the act.
    const { acts, hypotheses } = await sim.call('run.diagnose', {
      failId: overview.id,
      passId: null,
    });
    expect(hypotheses.filter((one) => one.cause === 'hostsImbalanced')).toEqual([]);
    expect(acts).toHaveLength(1);
    expect(acts[0]!.words).toMatch(/^Host esx1 joins at 1:30:0\d: /);
    expect(acts[0]!.windows.map((one) => one.name)).toEqual(['before', 'during', 'after']);
    expect(acts[0]!.windows.at(-1)!.failing).toBe(0);
  });
});

/** "Why" names the host that failed, and what was running all the time beside it is not blamed. */
async function namesTheFailure(sim: SimEngine, overview: RunOverview): Promise<void> {
  const { hypotheses, acts, sentence } = await sim.call('run.diagnose', {
    failId: overview.id,
    passId: null,
  });
  expect(hypotheses[0]).toMatchObject({ cause: 'acts', subjects: ['Host esx3 fails at 30:00'] });
  expect(hypotheses.map((one) => one.cause)).not.toContain('operations');
  const { detectS, restartS } = e06.labs[0]!.ha!;
  const told =
    /Host esx3 fails at 30:00: \d+ workloads? on it did nothing for ([\d:]+)( s)?; \d+ of 12/;
  expect(acts[0]!.words).toMatch(told);
  expect(sentence).toMatch(told);
  const [, time, unit] = told.exec(sentence)!;
  const [minutes, s] = unit === undefined ? time!.split(':').map(Number) : [0, Number(time)];
  expect(minutes! * 60 + s!).toBeGreaterThanOrEqual(detectS + restartS);
  expect(acts[0]!.windows.map((one) => one.name)).toEqual(['before', 'during', 'after']);
  expect(acts[0]!.windows[0]!.failing).toBe(0);
}

test.each(seeds)('a host fails and HA restarts its VMs, seed %d', async (seed) => {
  await runActs(e06, seed, async (sim, overview) => {
    const [fail] = overview.acts!;
    expect(fail).toMatchObject({ state: 'undone', owed: false });
    const hosts = overview.placement!.hosts;
    // Where each VM was when the host failed.
    const at = new Map<number, string | undefined>();
    for (const move of overview.placement!.moves)
      if (move.tMs <= fail!.startedMs!) at.set(move.vm, hosts[move.host ?? -1]?.ref);
    const down = overview.placement!.vms.filter((_, i) => at.get(i) === 'esx3');
    expect(down.length).toBeGreaterThan(1);
    const restarted = overview.events.filter((one) => /^HA restarted/.test(one.text));
    expect(restarted.length).toBeGreaterThanOrEqual(down.length);
    const { detectS, restartS } = e06.labs[0]!.ha!;
    for (const { tMs } of restarted)
      expect((tMs - fail!.startedMs!) / 1_000).toBeGreaterThanOrEqual(detectS + restartS - 1);
    // Every workload whose VM was on it was down for at least that long, and came back.
    const hit = overview.workloads.filter(({ vmName }) => down.some((vm) => vm.name === vmName));
    for (const { entityId } of hit) {
      const def = overview.series.find(
        (one) => one.entity.id === entityId && one.metric === 'throughput',
      );
      if (!def) continue;
      const [data] = await sim.call('run.samples', {
        runId: overview.id,
        seriesIds: [def.id],
        fromMs: fail!.startedMs! + 11_000,
        toMs: fail!.startedMs! + (detectS + restartS) * 1_000 - 1,
        maxPoints: 0,
      });
      expect(new Set(data!.value)).toEqual(new Set([0]));
    }
    const effects = fail!.effects!.filter((one) =>
      hit.some(({ entityId }) => entityId === one.entityId && one.outcome !== 'uneven'),
    );
    expect(effects.map((one) => one.outcome)).not.toContain('even');
    for (const { recoveryS } of effects)
      expect(recoveryS ?? Infinity).toBeGreaterThanOrEqual(detectS + restartS);
    expect(effects.some((one) => one.outcome === 'recovered')).toBe(true);
    await namesTheFailure(sim, overview);
  });
});
