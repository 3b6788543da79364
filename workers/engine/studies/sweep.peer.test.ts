import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EngineOnLab, startEngineOnLab } from '../../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../../e2e/lab/lab.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { profileSchema } from '../../../src/core/profile/profile.ts';
import { type StudyOverview, studySpecSchema } from '../../../src/core/study/study.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';

let dir: string;
let lab: Lab;
let on: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-'));
  lab = await startLab({ dir, tiles: 1, clients: 1 });
});
afterAll(async () => {
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});
afterEach(async () => {
  await on.close();
});

/** One stream of small random reads on the client's own disk. */
const profile = profileSchema.parse({
  schemaVersion: 1,
  id: 'io-sweep',
  version: '1',
  name: 'I/O sweep',
  description: 'For tests',
  phases: { rampUpS: 2, staggerS: 0, steadyS: 8, periods: 1, rampDownS: 1 },
  workloads: [
    {
      id: 'io',
      role: 'io',
      name: 'I/O',
      driver: 'fio',
      params: { readPct: 100, outstanding: 1 },
      unit: 'IOPS',
      reference: null,
      referenceSource: 'the reference point of the study',
      qos: [],
    },
  ],
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'test' },
});

/**
 * Time that all I/Os together took, over the time they were measured in: a busy machine makes
 * intervals unequal, and means of them no guide.
 */
async function outstandingOf(runId: string): Promise<number> {
  const { series } = await on.call('run.overview', { id: runId });
  const samples = async (metric: string) => {
    const { id } = series.find((s) => s.metric === metric && s.entity.kind === 'workload')!;
    const [found] = await on.call('run.samples', { runId, seriesIds: [id], maxPoints: 0 });
    return found!;
  };
  const rates = await samples('throughput');
  const latencies = await samples('latencyMeanMs');
  const latencyAt = new Map(Array.from(latencies.tMs, (t, i) => [t, latencies.value[i]!]));
  let tookMs = 0;
  for (let i = 1; i < rates.tMs.length; i++) {
    const seconds = (rates.tMs[i]! - rates.tMs[i - 1]!) / 1_000;
    tookMs += rates.value[i]! * seconds * (latencyAt.get(rates.tMs[i]!) ?? 0);
  }
  return tookMs / (rates.tMs.at(-1)! - rates.tMs[0]!);
}

test('outstanding I/Os swept with real fio over real SSH, an engine restarted on the way', async () => {
  on = await startEngineOnLab({ dataDir: join(dir, 'data'), limits: { lastCountersMs: 1_000 } });
  const assignment = lab.plan.testbed.tiles[0]!.workloads.find((w) => w.workloadId === 'io')!;
  await importOwn(
    on,
    sourceOf({
      ...lab.plan,
      profile,
      testbed: {
        ...lab.plan.testbed,
        profileId: profile.id,
        tiles: [{ index: 0, workloads: [{ ...assignment, clientId: 'client1' }] }],
      },
      plan: {
        ...lab.plan.plan,
        profileId: profile.id,
        tiles: 1,
        phases: profile.phases,
        sampling: { workloadMs: 1_000, vcenterMs: 5_000 },
      },
    }),
  );
  const spec = studySpecSchema.parse({
    schemaVersion: 1,
    id: 'io',
    name: 'Outstanding I/Os',
    planId: lab.plan.plan.id,
    axes: [
      {
        name: 'outstanding',
        label: 'Outstanding I/Os',
        parameter: { kind: 'option', workloadId: 'io', param: 'outstanding' },
        values: [1, 2, 4],
      },
    ],
    charts: [
      { title: 'IOPS', measure: 'throughput.io.sum', unit: 'IOPS' },
      { title: 'Latency', measure: 'latencyMeanMs.io.mean', unit: 'ms' },
    ],
  });
  await on.call('study.save', spec);
  const overview = (): Promise<StudyOverview> => on.call('study.overview', { id: 'io' });
  const until = (what: string, holds: (o: StudyOverview) => boolean): Promise<StudyOverview> =>
    poll(
      what,
      async () => {
        const o = await overview();
        return holds(o) ? o : null;
      },
      9 * 60_000,
    );
  await on.call('study.start', { id: 'io' });

  // The engine goes away in the middle of the second point; fio runs on, and the next engine reads
  // on.
  const second = await until('the second point', (o) => o.points[1]!.runId !== null);
  await on.until(second.points[1]!.runId!, 'its load', (o) => o.state === 'steady');
  await on.engine.close();
  on = await startEngineOnLab({ dataDir: join(dir, 'data'), limits: { lastCountersMs: 1_000 } });

  const done = await until(
    'the end of the study',
    (o) => o.state === 'done' || o.state === 'failed' || o.state === 'paused',
  );
  expect([done.state, done.detail]).toEqual(['done', '']);
  expect(done.points.map((p) => p.key)).toEqual(
    [1, 2, 4].map((depth) => `outstanding=${depth};repeat=1`),
  );
  expect(done.points[1]!.runId).toBe(second.points[1]!.runId);
  expect((await on.call('run.list', {})).length).toBe(3);
  for (const [i, depth] of [1, 2, 4].entries()) {
    const point = done.points[i]!;
    const log = await on.call('run.log', { id: point.runId! });
    expect(log[0]!.text).toMatch(new RegExp(`iodepth=${depth}\\b`));
    // Little's law: outstanding = IOPS × response time, if fio kept that many in flight; it stands
    // still a little between two I/Os.
    const inFlight = await outstandingOf(point.runId!);
    expect(inFlight).toBeLessThan(depth * 1.05);
    // How long it stands still between two is the machine's affair; a figure in another unit would
    // be a thousandfold off.
    expect(inFlight).toBeGreaterThan(depth * 0.02);
  }
  expect(done.points[0]!.measures['score']).toBeCloseTo(1, 6);
  expect(
    done.knees.every(({ results }) =>
      results.every((r) => r.estimate === null || r.method.startsWith('saturation')),
    ),
  ).toBe(true);
});
