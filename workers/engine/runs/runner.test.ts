import type { RunOverview } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { internalIds } from '../../../src/core/testing/internalIds.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let harness: Harness;
afterEach(async () => {
  const said = harness.overviews.flatMap(({ events, findings, verdict, workloads }) => [
    ...events.map((e) => e.text),
    ...findings.flatMap((f) => [f.text, f.fix ?? '', ...(f.subjects ?? [])]),
    ...workloads.map((w) => w.detail ?? ''),
    verdict?.sentence ?? '',
  ]);
  await harness.close();
  // Whatever a run says, it says to people: of tiles, workloads and clients by name.
  expect([...new Set(said.flatMap(internalIds))]).toEqual([]);
});

const state = (id: string): string =>
  harness.overviews.findLast((o) => o.id === id)?.state ?? 'none';
const ended = (id: string) => (): boolean => {
  const last = harness.overviews.findLast((o) => o.id === id);
  return last !== undefined && isEnd(last.state);
};
const finding = (overview: RunOverview, id: string): string | undefined =>
  overview.findings.find((f) => f.id.startsWith(id))?.text;

/** Times of one series, in whole seconds since the run's start. */
async function secondsOf(id: string, entityId: string, metric = 'throughput'): Promise<number[]> {
  const overview = await harness.overview(id);
  const def = overview.series.find((s) => s.entity.id === entityId && s.metric === metric)!;
  const [data] = await harness.call('run.samples', {
    runId: id,
    seriesIds: [def.id],
    maxPoints: 0,
  });
  return [...data!.tMs].map((t) => Math.round((t - overview.startedAtMs!) / 1_000));
}
const everySecond = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('a run walks every phase, stores every second and is scored from its stored samples', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(
    harness.overviews
      .filter((o) => o.id === id)
      .map((o) => o.state)
      .filter((s, i, all) => s !== all[i - 1]),
  ).toEqual(
    expect.arrayContaining([
      'checking',
      'ready',
      'starting',
      'rampUp',
      'steady',
      'rampDown',
      'collecting',
      'passed',
    ]),
  );
  expect(overview.findings.filter((f) => f.severity === 'block')).toEqual([]);
  // Two tiles; ratios 100/50 and 100/200; geometric mean 1 each.
  expect(overview.score?.total).toBeCloseTo(2, 9);
  expect(overview.verdict).toMatchObject({ outcome: 'passed', compliant: true });
  expect(await secondsOf(id, 't0.java')).toEqual(everySecond(1, 370));
  expect(await secondsOf(id, 't1.java')).toEqual(everySecond(21, 380));
  expect(harness.lab.running).toBe(0);
  expect(harness.lab.swept).toContain(id);
});

test('uplinks that vCenter counts one by one are recorded under their own names', async () => {
  harness = await createHarness({ uplinks: ['vmnic0', 'vmnic2'] });
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  const uplinks = overview.series.filter((s) => s.entity.kind === 'uplink');
  expect(uplinks.map((s) => [s.metric, s.unit, s.entity.id, s.entity.name])).toEqual(
    ['host-1', 'host-2'].flatMap((host) =>
      ['vmnic0', 'vmnic2'].map((nic) => [
        'netKbps',
        'KB/s',
        `${host}/${nic}`,
        `esx-${host} ${nic}`,
      ]),
    ),
  );
  const stored = await harness.call('run.samples', {
    runId: id,
    seriesIds: uplinks.map((s) => s.id),
    maxPoints: 0,
  });
  expect(stored.map((s) => s.value[0])).toEqual([20, 21, 20, 21]);
  const host = overview.series.find((s) => s.entity.kind === 'host' && s.metric === 'netKbps')!;
  const [whole] = await harness.call('run.samples', {
    runId: id,
    seriesIds: [host.id],
    maxPoints: 0,
  });
  expect(stored[0]!.tMs).toEqual(whole!.tMs);
  expect(new Set(whole!.value)).toEqual(new Set([50]));
});

test('each VM under load is counted; its waiting is that of one vCPU', async () => {
  harness = await createHarness({ vmMetrics: ['cpuPct', 'readyPct'] });
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  const own = overview.series.filter((s) => s.entity.kind === 'vm');
  expect(own.map((s) => [s.metric, s.unit, s.entity])).toEqual(
    [0, 1].flatMap((tile) =>
      [0, 1].flatMap((i) => {
        const n = tile * 2 + i;
        const entity = { kind: 'vm', id: `vm/vm-${n}`, name: `vm${n}`, tile };
        return [
          ['cpuPct', '%', entity],
          ['readyPct', '% of each vCPU', entity],
        ];
      }),
    ),
  );
  const stored = await harness.call('run.samples', {
    runId: id,
    seriesIds: own.map((s) => s.id),
    maxPoints: 0,
  });
  // vCenter says 50 of each; every VM has two vCPUs.
  expect(stored.map((s) => [...new Set(s.value)])).toEqual(
    own.flatMap((_, i) => (i % 2 === 0 ? [[50]] : [[25]])),
  );
  expect(overview.findings.filter((f) => /vm\d/.test(f.text))).toEqual([]);
});

test('the history is told of every state: it showed a run in steady state as being checked', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const { events } = harness;
  const told = events.flatMap(({ event, payload }, i) => {
    const before = events.slice(0, i).findLast((e) => e.event === 'run.changed')?.payload as
      { state: string } | undefined;
    return event === 'list.changed' && (payload as { list: string }).list === 'runs' && before
      ? [before.state]
      : [];
  });
  expect(told).toEqual(
    expect.arrayContaining([
      'ready',
      'starting',
      'rampUp',
      'steady',
      'rampDown',
      'collecting',
      'passed',
    ]),
  );
});

test('revisions only grow and the last word is an end', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const revs = harness.overviews.filter((o) => o.id === id).map((o) => o.rev);
  expect(revs.every((rev, i) => i === 0 || rev >= revs[i - 1]!)).toBe(true);
  expect(state(id)).toBe('passed');
});

test('samples of a client whose clock is 90 s ahead are stored at the right time', async () => {
  harness = await createHarness({ clockOffsetMs: 90_000 });
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  expect((await secondsOf(id, 't0.java')).slice(0, 3)).toEqual([1, 2, 3]);
  expect((await harness.call('run.record', { id })).clients[0]?.clockOffsetMs).toBe(90_000);
});

test('an engine that is restarted in steady state reads on without a gap or a duplicate', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  await harness.clock.advance(50_500);
  await harness.restart();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview.state).toBe('passed');
  expect(await secondsOf(id, 't0.java')).toEqual(everySecond(1, 370));
  expect(overview.score?.total).toBeCloseTo(2, 9);
  expect(finding(overview, 'engineRestarted')).toContain('restarted');
});

test('an engine that comes back after the load has ended still stores all of it', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  await harness.engine.close();
  await harness.clock.advance(600_000);
  await harness.restart();
  await harness.clock.advanceUntil(ended(id), 600_000);
  expect(await secondsOf(id, 't1.batch')).toEqual(everySecond(21, 380));
});

test('a lost connection of 30 s loses nothing and is told', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  harness.lab.setLink(false);
  await harness.clock.advance(30_000);
  expect((await harness.overview(id)).workloads.every((w) => w.state === 'lost')).toBe(true);
  harness.lab.setLink(true);
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview.state).toBe('passed');
  expect(await secondsOf(id, 't0.java')).toEqual(everySecond(1, 370));
  // Four workloads see the same client go and come: one cause, one finding, two events.
  expect(overview.findings.filter((f) => /^(outage|gap|link|silent)/.test(f.id))).toMatchObject([
    { id: 'outage.c1', severity: 'info', spans: [{ untilMs: expect.any(Number) }] },
  ]);
  expect(finding(overview, 'outage.c1')).toMatch(
    /^client one lost \d:\d\d–\d:\d\d, recovered, no sample (of its load )?missing\./,
  );
  expect(
    overview.events.filter((e) => e.kind === 'fault' || e.kind === 'recovered').map((e) => e.text),
  ).toEqual([
    expect.stringMatching(/^client one lost/),
    expect.stringMatching(/^client one is back after \d+ s/),
  ]);
});

test('a program is given its own interval before it is called silent', async () => {
  harness = await createHarness({ limits: { silentMs: 500 } });
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview.events.filter((e) => e.kind === 'fault')).toEqual([]);
  expect(finding(overview, 'outage.')).toBeUndefined();
});

test('a client that stays away ends the run as failed, with words', async () => {
  harness = await createHarness({ limits: { lostMs: 60_000, cleanUpMs: 50 } });
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  harness.lab.setLink(false);
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({ state: 'failed', abortReason: 'hostUnreachable' });
  expect(overview.verdict?.sentence).toContain('client one lost');
  expect(overview.verdict?.sentence).toContain('lost for 60 s');
  expect(overview.findings.filter((f) => f.severity === 'block')).toHaveLength(1);
  expect(overview.findings.filter((f) => f.id.startsWith('stop.'))).toEqual([]);
  expect(finding(overview, 'sweep.c1')).toContain('ends by its own time limit');
  harness.lab.setLink(true);
  expect(finding(await harness.call('run.tidy', { id }), 'sweep.c1')).toContain(
    'It was put right later.',
  );
  expect(harness.lab.running).toBe(0);
});

test('a driver that exits early fails the run and nothing is left running', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  harness.lab.crash('t1.batch', 3);
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({ state: 'failed', abortReason: 'workloadFailed' });
  expect(overview.verdict?.sentence).toContain(
    'ended before its time (exit code 3): FATAL: driver crashed',
  );
  expect(harness.lab.running).toBe(0);
});

test('a graceful abort keeps what was measured and leaves nothing running', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  await harness.clock.advance(10_000);
  await harness.call('run.abort', { id });
  await harness.clock.advanceUntil(ended(id), 120_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({ state: 'aborted', abortReason: 'user', score: null });
  expect((await secondsOf(id, 't0.java')).length).toBeGreaterThanOrEqual(69);
  expect(harness.lab.running).toBe(0);
  await expect(harness.call('run.abort', { id })).rejects.toMatchObject({ kind: 'conflict' });
});

test('a hard abort ends at once', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  await harness.call('run.abort', { id, hard: true });
  await harness.clock.advanceUntil(ended(id), 5_000);
  expect((await harness.overview(id)).state).toBe('aborted');
  expect(harness.lab.running).toBe(0);
});

test('vCenter away for five minutes is told, and its counters are filled in afterwards', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => state(id) === 'steady', 120_000);
  harness.lab.setVcenter(false);
  await harness.clock.advance(200_000);
  harness.lab.setVcenter(true);
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview.state).toBe('passed');
  expect(finding(overview, 'outage.')).toMatch(
    /did not answer \d:\d\d–\d:\d\d, recovered, no sample missing\.$/,
  );
  const times = await secondsOf(id, 'host-1', 'cpuPct');
  expect(times.length).toBeGreaterThanOrEqual(15);
  expect(times.every((t, i) => i === 0 || t - times[i - 1]! === 20)).toBe(true);
});

test('a counter that is told again under another offset of the clock is stored once', async () => {
  let asked = 0;
  harness = await createHarness({ vcenterOffsetMs: () => [0, -2_500, 2_500, 400][asked++ % 4]! });
  const id = await harness.launch();
  await harness.clock.advanceUntil(ended(id), 600_000);
  const times = await secondsOf(id, 'host-1', 'cpuPct');
  expect(times.length).toBeGreaterThanOrEqual(15);
  expect(times.filter((t, i) => i > 0 && t - times[i - 1]! < 10)).toEqual([]);
});

test('an edit after the check un-validates it', async () => {
  harness = await createHarness();
  const file = testPlanFile();
  await importOwn(harness, sourceOf(file));
  const report = await harness.call('plan.check', { id: 'plan' });
  await harness.call('plan.save', { ...file.plan, tiles: 1 });
  await expect(
    harness.call('run.start', { planId: 'plan', checkedHash: report.hash }),
  ).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('edited after the check'),
  });
});

test('a second run on the same clients is refused while one is active', async () => {
  harness = await createHarness();
  await harness.launch();
  await expect(harness.launch()).rejects.toMatchObject({ kind: 'conflict' });
});
