import type { Act } from '../../../../src/core/acts/act.ts';
import { actSchema } from '../../../../src/core/acts/act.ts';
import type { RunOverview } from '../../../../src/core/run/run.ts';
import { createLabModel } from '../../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../../simlab/testing/simEngine.ts';
import { smallLab, smallPlan } from '../../simlab/testing/smallLab.ts';

let sim: SimEngine;
beforeEach(async () => {
  sim = await createSimEngine({ createModel: createLabModel });
});
afterEach(() => sim.close());

const phases = { rampUpS: 120, staggerS: 0, steadyS: 900, periods: 3, rampDownS: 20 };
const act = (of: Partial<Act> & Pick<Act, 'kind' | 'atS'>): Act =>
  actSchema.parse({ id: `${of.kind}-${of.atS}`, ...of });
const host = (name: string) => ({ ref: name, name });
const drs = {
  clusterRef: 'domain-c1',
  behavior: 'fullyAutomated' as const,
  vmotionRate: 1,
  consentedAtMs: 1,
};
const three = {
  ...smallLab,
  hosts: [...smallLab.hosts, { ...smallLab.hosts[0]!, id: 'h3' }],
  ha: { detectS: 20, restartS: 40, startsAtOnce: 4 },
  drs: { enabled: true, stars: 1, everyS: 60 },
};
/** The same with nothing that moves VMs. */
const still = { ...three, drs: { enabled: false, stars: 1, everyS: 60 } };
const plan = (acts: Act[], change = {}) => smallPlan({ phases, acts, drs, ...change });
async function run(acts: Act[], lab = three): Promise<RunOverview> {
  sim.lab.control.load(lab);
  return sim.ended(await sim.launch(plan(acts, lab.drs.enabled ? {} : { drs: null })));
}
const told = (overview: RunOverview): string[] =>
  overview.events
    .filter((e) => e.kind === 'act')
    .map((e) => `${Math.round((e.tMs - overview.startedAtMs!) / 1_000) - 120} ${e.text}`);
async function valuesOf(
  overview: RunOverview,
  metric: string,
  entityId: string,
): Promise<{ t: number; v: number }[]> {
  const def = overview.series.find((s) => s.metric === metric && s.entity.id === entityId)!;
  const [data] = await sim.call('run.samples', {
    runId: overview.id,
    seriesIds: [def.id],
    maxPoints: 0,
  });
  return [...data!.tMs].map((tMs, i) => ({
    t: (tMs - overview.startedAtMs!) / 1_000 - 120,
    v: data!.value[i]!,
  }));
}
const mean = (values: readonly { t: number; v: number }[], fromS: number, toS: number): number => {
  const of = values.filter(({ t }) => t > fromS && t <= toS).map(({ v }) => v);
  return of.reduce((sum, v) => sum + v, 0) / of.length;
};
const hostState = async (
  ref: string,
): Promise<{ maintenance: boolean; connectionState: string }> => {
  const inventory = await sim.call('inventory.discover', { vcenterId: 'small' });
  const found = inventory.hosts.find((one) => one.ref === ref)!;
  return { maintenance: found.maintenance, connectionState: found.connectionState };
};

test('a host that fails takes its VMs down for as long as HA takes, and comes back', async () => {
  const overview = await run([act({ kind: 'hostFails', atS: 300, target: host('h1') })], still);
  expect(overview.state).toBe('passed');
  expect(told(overview)).toEqual([
    '300 Host h1 fails',
    '300 Host h1 fails: The host went down.',
    expect.stringMatching(/^\d+ Host h1 fails: put back$/),
  ]);
  const done = await valuesOf(overview, 'throughput', 't0.java');
  expect(mean(done, 200, 300)).toBeGreaterThan(10);
  expect(mean(done, 302, 358)).toBe(0);
  expect(mean(done, 400, 900)).toBeGreaterThan(10);
  const [failed] = overview.acts!;
  expect(failed).toMatchObject({ state: 'undone', owed: false });
  // Detected after 20 s, started 40 s later.
  const hit = failed!.effects!.find((one) => one.entityId === 't0.java')!;
  expect(hit).toMatchObject({ outcome: 'recovered', recoveryS: 60 });
  expect(hit.workLost!).toBeGreaterThan(hit.throughputBefore! * 55);
  expect(failed!.effects!.find((one) => one.entityId === 't1.java')).toMatchObject({
    outcome: 'even',
  });
  expect(overview.events.filter((e) => /HA restarted/.test(e.text))).toHaveLength(2);
  expect((await hostState('h1')).connectionState).toBe('connected');
});

test('without HA the VMs of a failed host stay down until it is back', async () => {
  const { ha: _ha, ...noHa } = still;
  const overview = await run(
    [act({ kind: 'hostFails', atS: 300, target: host('h1'), lastsS: 200 })],
    noHa as typeof three,
  );
  const done = await valuesOf(overview, 'throughput', 't0.java');
  expect(mean(done, 302, 498)).toBe(0);
  expect(mean(done, 505, 900)).toBeGreaterThan(10);
});

test('a host joins: out before the ramp-up, in at its time, and as it was afterwards', async () => {
  const overview = await run([act({ kind: 'hostJoins', atS: 300, target: host('h1') })]);
  expect(overview.state).toBe('passed');
  const onH1 = (fromS: number, toS: number): number =>
    overview.placement!.moves.filter(
      ({ tMs, host: at }) =>
        overview.placement!.hosts[at ?? -1]?.ref === 'h1' &&
        tMs > overview.startedAtMs! + (120 + fromS) * 1_000 &&
        tMs <= overview.startedAtMs! + (120 + toS) * 1_000,
    ).length;
  expect(told(overview)[0]).toMatch(
    /^-\d+ Host h1 joins: prepared: The host entered maintenance mode until then: no running VM was left on it\.$/,
  );
  expect(onH1(-100, 300)).toBe(0);
  expect(onH1(300, 900)).toBeGreaterThan(0);
  expect(overview.acts![0]).toMatchObject({ state: 'undone', owed: false });
  expect(await hostState('h1')).toEqual({ maintenance: false, connectionState: 'connected' });
});

test('maintenance mode empties a host for its time', async () => {
  const overview = await run([
    act({ kind: 'maintenance', atS: 200, target: host('h1'), lastsS: 300 }),
    act({ kind: 'hostLeaves', atS: 600, target: host('h3') }),
  ]);
  expect(overview.state).toBe('passed');
  expect(overview.acts!.map((one) => one.state)).toEqual(['undone', 'undone']);
  // Asked of vCenter, not taken from the task that ended.
  expect(overview.acts!.map((one) => one.text)).toEqual([
    'The host entered maintenance mode: no running VM was left on it.',
    'The host entered maintenance mode and was disconnected: no running VM was left on it.',
  ]);
  expect(told(overview)).toEqual(
    expect.arrayContaining(['505 Host h1 enters maintenance mode: over', '600 Host h3 is removed']),
  );
  for (const ref of ['h1', 'h3'])
    expect(await hostState(ref)).toEqual({ maintenance: false, connectionState: 'connected' });
  expect(overview.findings.filter((one) => /did not ask for it/.test(one.text))).toEqual([]);
});

test('a burst doubles the load of the VMs for its time, and leaves nothing running', async () => {
  const overview = await run([act({ kind: 'burst', atS: 300, lastsS: 200, amount: 3 })]);
  const cpu = await Promise.all(['h1', 'h2', 'h3'].map((ref) => valuesOf(overview, 'cpuPct', ref)));
  const sum = (fromS: number, toS: number): number =>
    cpu.reduce((all, one) => all + mean(one, fromS, toS), 0);
  expect(sum(320, 480) / sum(100, 300)).toBeGreaterThan(2);
  expect(sum(540, 880) / sum(100, 300)).toBeLessThan(1.2);
  expect(overview.acts![0]!.text).toBe('8 drivers more run.');
});

test('an uplink that is lost, and a storm of snapshots, are inputs of the model', async () => {
  const lab = {
    ...three,
    hosts: three.hosts.map((one) => ({
      ...one,
      uplinks: [
        { id: 'vmnic0', gbps: 1 },
        { id: 'vmnic1', gbps: 1 },
      ],
    })),
  };
  const overview = await run(
    [
      act({
        kind: 'uplinkLost',
        atS: 200,
        target: { ref: 'h1/vmnic0', name: 'h1 vmnic0' },
        lastsS: 100,
      }),
      act({ kind: 'snapshotStorm', atS: 400, lastsS: 200 }),
    ],
    lab,
  );
  expect(overview.acts!.map((one) => one.state)).toEqual(['undone', 'undone']);
  expect(overview.acts![1]!.text).toBe('4 snapshots of 4 VMs.');
  const inventory = await sim.call('inventory.discover', { vcenterId: 'small' });
  expect(inventory.vms.map((vm) => vm.snapshotCount)).toEqual([0, 0, 0, 0]);
  const iops = await valuesOf(overview, 'iops', 'd1');
  expect(mean(iops, 430, 590) / mean(iops, 250, 390)).toBeGreaterThan(1.1);
});

test('a storage path that is lost, and vMotion at another speed, are inputs of the model', async () => {
  const acts = [
    act({
      kind: 'pathLost',
      atS: 200,
      target: { ref: 'h1/vmhba0', name: 'h1 vmhba0' },
      lastsS: 100,
    }),
    act({ kind: 'vmotionSpeed', atS: 350, amount: 1, lastsS: 200 }),
    act({ kind: 'maintenance', atS: 400, target: host('h1'), lastsS: 100 }),
  ];
  /** The storage of h1 has as many ports as given; vMotion has room for 10 Gb/s. */
  const wide = (ports: number, gbps: number) => ({
    ...three,
    hosts: three.hosts.map((one) => ({
      ...one,
      hba: { ...one.hba, ports, gbps },
      uplinks: [{ id: 'vmnic0', gbps: 25 }],
    })),
    vmotion: { mbps: 1_250, cpuMhz: 0 },
  });
  const overview = await run(acts, wide(2, 0.02));
  expect(overview.acts!.map((one) => [one.state, one.owed])).toEqual([
    ['undone', false],
    ['undone', false],
    ['undone', false],
  ]);
  expect(overview.acts!.map((one) => one.label)).toEqual([
    'Storage path h1 vmhba0 is lost',
    'vMotion at 1 Gb/s',
    'Host h1 enters maintenance mode',
  ]);
  // One narrow port instead of two: mail waits longer for its disk, and no longer afterwards.
  const latency = await valuesOf(overview, 'latencyMeanMs', 't0.mail');
  const before = mean(latency, 100, 200);
  expect(mean(latency, 210, 300) / before).toBeGreaterThan(1.2);
  expect(mean(latency, 305, 350) / before).toBeLessThan(1.1);
  const tookMs = ({ acts: all }: RunOverview): number => {
    const empties = all!.find((one) => one.kind === 'maintenance')!;
    return empties.doneMs! - empties.startedMs!;
  };
  const quick = await run(
    acts.filter((one) => one.kind !== 'vmotionSpeed'),
    wide(2, 0.02),
  );
  expect(tookMs(overview)).toBeGreaterThan(2 * tookMs(quick));
});

test('an aborted run undoes what its acts did', async () => {
  sim.lab.control.load(three);
  const id = await sim.launch(
    plan([
      act({ kind: 'hostFails', atS: 60, target: host('h1') }),
      act({ kind: 'maintenance', atS: 100, target: host('h2') }),
    ]),
  );
  await until(id, (one) => one.acts![1]!.state === 'done');
  await sim.call('run.abort', { id, hard: false });
  const overview = await sim.ended(id);
  expect(overview.state).toBe('aborted');
  expect(overview.acts!.map((one) => one.owed)).toEqual([false, false]);
  for (const ref of ['h1', 'h2'])
    expect(await hostState(ref)).toEqual({ maintenance: false, connectionState: 'connected' });
});

test('an engine that is gone leaves it to the next to undo an act', async () => {
  sim.lab.control.load(three);
  const id = await sim.launch(
    plan([act({ kind: 'maintenance', atS: 100, target: host('h1'), lastsS: 300 })]),
  );
  await until(id, (one) => one.acts![0]!.state === 'done');
  await sim.restart();
  const overview = await sim.ended(id);
  expect(overview.acts![0]).toMatchObject({ state: 'undone', owed: false });
  expect(await hostState('h1')).toEqual({ maintenance: false, connectionState: 'connected' });
});

test('an act by hand waits for Done', async () => {
  sim.lab.control.load(three);
  const id = await sim.launch(
    plan([act({ kind: 'hostFails', atS: 100, target: host('h1'), by: 'hand' })]),
  );
  await expect(sim.call('run.actDone', { id, actId: 'hostFails-100' })).rejects.toMatchObject({
    kind: 'conflict',
  });
  await until(id, (one) => one.acts![0]!.state === 'asked');
  await sim.call('run.actDone', { id, actId: 'hostFails-100' });
  const overview = await sim.ended(id);
  expect(overview.acts![0]).toMatchObject({ state: 'done', text: 'By hand.' });
  expect(overview.findings.find((one) => one.id === 'acts.byHand')?.text).toContain(
    'Host h1 fails',
  );
});

test('an act that fails is said; it ends the run only where the plan says so', async () => {
  const away = {
    ...three,
    faults: [
      { id: 'f', kind: 'vcenterAway' as const, targetId: '', fromS: 200, toS: 400, amount: 1 },
    ],
  };
  const failing = act({ kind: 'maintenance', atS: 150, target: host('h1') });
  const goesOn = await run([failing], away);
  expect(goesOn).toMatchObject({ state: 'passed', acts: [{ state: 'failed', owed: false }] });
  expect(goesOn.findings.find((one) => one.id === `act.${failing.id}`)).toMatchObject({
    severity: 'warn',
  });
  const ends = await run([{ ...failing, onFailure: 'endRun' }], away);
  expect(ends).toMatchObject({ state: 'failed', abortReason: 'actFailed' });
});

/** Waits, on the lab's clock, until a run is as asked. */
async function until(id: string, is: (overview: RunOverview) => boolean): Promise<void> {
  for (let tries = 0; tries < 5_000; tries += 1) {
    const now = await sim.call('run.overview', { id });
    if (is(now)) return;
    await sim.pass(500);
  }
  throw new Error('the run never was as asked');
}
