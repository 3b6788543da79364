import { changeTimes, overviewAt, replaySpan } from './replay.ts';
import type { RunOverview, WorkloadStatus } from './run.ts';
import type { PeriodScore, Score } from './scoreTypes.ts';

const at = (s: number): number => 1_000_000 + s * 1_000;
const workload = (
  tile: number,
  lastS: number,
  change: Partial<WorkloadStatus> = {},
): WorkloadStatus => ({
  entityId: `t${tile}.db`,
  tile,
  workloadId: 'db',
  clientId: 'c1',
  vmName: `vm${tile}`,
  state: 'ended',
  lastSampleMs: at(lastS),
  badLines: 3,
  ...change,
});
const period = (index: number, total: number | null, qosPassed = true): PeriodScore => ({
  index,
  total,
  qosPassed,
  tiles: [],
});
const score = (periods: PeriodScore[], periodRule = 'median'): Score => ({
  resultName: 'scaling study',
  total: 2,
  tiles: 2,
  periodRule,
  chosenPeriod: 0,
  periods,
  referenceLabel: 'run one',
  qosPassed: true,
  missing: [],
});
/**
 * Ramp-up to 60 s, steady state to 360 s in three periods, ramp-down to 380 s, collected by 390 s.
 * Tile 2 starts at 30 s and is lost from 100 s to 130 s.
 */
const run: RunOverview = {
  id: 'r1',
  rev: 40,
  name: 'Stored',
  state: 'passed',
  origin: 'simulated',
  createdAtMs: at(-20),
  startedAtMs: at(0),
  endedAtMs: at(390),
  nowMs: at(391),
  phases: [
    { name: 'rampUp', startMs: at(0), endMs: at(60), plannedEndMs: at(60) },
    { name: 'steady', startMs: at(60), endMs: at(360), plannedEndMs: at(360) },
    { name: 'rampDown', startMs: at(360), endMs: at(380), plannedEndMs: at(380) },
  ],
  phasesPlanned: { rampUpS: 60, staggerS: 30, steadyS: 300, periods: 3, rampDownS: 20 },
  periods: [0, 1, 2].map((index) => ({
    index,
    startMs: at(60 + index * 100),
    endMs: at(160 + index * 100),
  })),
  abortReason: null,
  workloads: [workload(0, 378), workload(1, 379)],
  series: [],
  events: [
    { id: 1, tMs: at(-1), kind: 'state', text: 'starting' },
    { id: 2, tMs: at(0), kind: 'state', text: 'rampUp' },
    { id: 3, tMs: at(0.4), kind: 'tileStarted', text: 'Tile 1 started', entityId: 'tile.0' },
    { id: 4, tMs: at(31), kind: 'tileStarted', text: 'Tile 2 started', entityId: 'tile.1' },
    { id: 5, tMs: at(60), kind: 'state', text: 'steady' },
    { id: 6, tMs: at(100), kind: 'fault', text: 'Tile 2: connection lost', entityId: 't1.db' },
    { id: 7, tMs: at(130), kind: 'recovered', text: 'Tile 2: back', entityId: 't1.db' },
    { id: 8, tMs: at(360), kind: 'state', text: 'rampDown' },
    { id: 9, tMs: at(380), kind: 'state', text: 'collecting' },
    { id: 10, tMs: at(390), kind: 'state', text: 'passed' },
  ],
  findings: [
    { id: 'link.c1', severity: 'info', text: 'Lost once', tMs: at(100) },
    { id: 'gap', severity: 'warn', text: 'A gap', tMs: at(385) },
  ],
  score: score([period(0, 1.9), period(1, 2.1, false), period(2, 2)]),
  verdict: { outcome: 'passed', compliant: true, sentence: 'Passed.' },
};
const seen = (s: number, of: RunOverview = run): RunOverview => overviewAt({ overview: of }, at(s));

test('at and after its end it is the stored overview, marked as a replay', () => {
  for (const s of [390, 391, 5_000]) expect(seen(s)).toEqual({ ...run, origin: 'replay' });
});

test('a client that was away takes all its workloads with it, and gives them back', () => {
  const away = {
    ...run,
    events: run.events.map((e) => (e.entityId === 't1.db' ? { ...e, entityId: 'c1' } : e)),
  };
  expect(seen(110, away).workloads.map((w) => w.state)).toEqual(['lost', 'lost']);
  expect(seen(131, away).workloads.map((w) => w.state)).toEqual(['running', 'running']);
});

test('VMs are where they were at that time, and a move is a moment of change', () => {
  const placement = {
    hosts: [
      { ref: 'h1', name: 'esx1' },
      { ref: 'h2', name: 'esx2' },
    ],
    vms: [{ ref: 'v', name: 'vm', tile: 0 }],
    moves: [
      { tMs: at(0), vm: 0, host: 0, by: 'start' as const },
      { tMs: at(77), vm: 0, host: 1, by: 'drs' as const },
    ],
  };
  const moved = { ...run, placement };
  expect(
    [seen(76, moved), seen(77, moved)].map((overview) => overview.placement!.moves.length),
  ).toEqual([1, 2]);
  expect(changeTimes(moved)).toContain(at(77));
  expect(seen(76).placement).toBeUndefined();
});

test.each([
  [-5, 'checking'],
  [-0.5, 'starting'],
  [0, 'rampUp'],
  [59.9, 'rampUp'],
  [60, 'steady'],
  [359.9, 'steady'],
  [360, 'rampDown'],
  [380, 'collecting'],
  [389.9, 'collecting'],
  [390, 'passed'],
])('at %d s the state is %s', (s, state) => {
  expect(seen(s).state).toBe(state);
  // The same without events of state, from the phases alone; what lies before the launch is not in
  // them.
  if (s >= 0) expect(seen(s, { ...run, events: [] }).state).toBe(state);
});

test.each([
  // s, open phases, periods begun, events, findings, running tiles
  [0.5, 3, 0, 3, 0, ['running', 'waiting']],
  [31, 3, 0, 4, 0, ['running', 'running']],
  [60, 2, 1, 5, 0, ['running', 'running']],
  [110, 2, 1, 6, 1, ['running', 'lost']],
  [131, 2, 1, 7, 1, ['running', 'running']],
  [260, 2, 3, 7, 1, ['running', 'running']],
  [365, 1, 3, 8, 1, ['running', 'running']],
  [378.5, 1, 3, 8, 1, ['ended', 'running']],
  [386, 0, 3, 9, 2, ['ended', 'ended']],
])(
  'at %d s: %d phases open, %d periods begun, %d events, %d findings, workloads %j',
  (s, open, periods, events, findings, states) => {
    const view = seen(s);
    expect(view.phases.filter((p) => p.endMs === null)).toHaveLength(open);
    expect(view.periods).toHaveLength(periods);
    expect(view.events).toHaveLength(events);
    expect(view.findings).toHaveLength(findings);
    expect(view.workloads.map((w) => w.state)).toEqual(states);
    expect(view).toMatchObject({
      origin: 'replay',
      nowMs: at(s),
      endedAtMs: null,
      verdict: null,
      abortReason: null,
    });
  },
);

test.each([
  ['median', 159, null, null],
  ['median', 160, 1.9, 0],
  ['median', 260, 2, null],
  ['median', 360, 2, 2],
  ['worst', 260, 1.9, 0],
  ['mean', 360, 2, null],
])('score by %s of the periods complete at %d s: %d, period %d', (rule, s, total, chosen) => {
  const view = seen(s, {
    ...run,
    score: score([period(0, 1.9), period(1, 2.1, false), period(2, 2)], rule),
  }).score;
  expect(view?.total ?? null).toBe(total);
  expect(view?.chosenPeriod ?? null).toBe(chosen);
});

test('a period without a total leaves the score so far missing; QoS counts the periods seen', () => {
  const holed = { ...run, score: score([period(0, 1.9), period(1, null, false), period(2, 2)]) };
  expect(seen(160, holed).score).toMatchObject({ total: 1.9, qosPassed: true });
  expect(seen(260, holed).score).toMatchObject({
    total: null,
    qosPassed: false,
    chosenPeriod: null,
  });
});

test('what a workload last gave is never later than the moment; a failure is shown from the last sample on', () => {
  expect(seen(50).workloads[0]).toMatchObject({ lastSampleMs: at(50), badLines: 0 });
  expect(seen(110).workloads[1]).toMatchObject({
    lastSampleMs: at(100),
    detail: 'Tile 2: connection lost',
  });
  const failed = {
    ...run,
    state: 'failed' as const,
    abortReason: 'workloadFailed' as const,
    workloads: [workload(0, 200, { state: 'failed', detail: 'exit code 1' }), workload(1, 205)],
    events: [
      ...run.events.slice(0, 7),
      { id: 8, tMs: at(202), kind: 'abort' as const, text: 'failed' },
    ],
    score: null,
  };
  expect(seen(199, failed).workloads[0]).toMatchObject({ state: 'running' });
  expect(seen(199, failed).workloads[0]).not.toHaveProperty('detail');
  expect(seen(201, failed)).toMatchObject({
    abortReason: null,
    workloads: [{ state: 'failed', detail: 'exit code 1' }, { state: 'running' }],
  });
  expect(seen(203, failed).abortReason).toBe('workloadFailed');
});

test('a workload without a sample has its stored state from the end of the load on, and never a last sample', () => {
  const mute = { ...run, workloads: [workload(0, 0, { lastSampleMs: null })] };
  expect(
    [50, 379.9, 380.1]
      .map((s) => seen(s, mute).workloads[0])
      .map((w) => [w?.state, w?.lastSampleMs]),
  ).toEqual([
    ['running', null],
    ['running', null],
    ['ended', null],
  ]);
});

test('between two changes nothing but the clock and the last samples differs', () => {
  const still = (s: number): unknown => {
    const { nowMs: _now, workloads, ...rest } = seen(s);
    return { ...rest, workloads: workloads.map(({ lastSampleMs: _last, ...w }) => w) };
  };
  const times = changeTimes(run);
  expect(times[0]).toBe(at(0));
  expect(times.at(-1)).toBe(at(390));
  for (let i = 0; i + 1 < times.length; i++) {
    const from = (times[i]! - at(0)) / 1_000;
    const to = (times[i + 1]! - at(0)) / 1_000;
    // A workload is still running at its last sample and no more after it.
    expect(still(from + (to - from) * 0.9)).toEqual(still(from + (to - from) * 0.1));
  }
});

test('a run that never started has nothing to replay; one that goes on ends at its snapshot', () => {
  expect(replaySpan({ startedAtMs: null, endedAtMs: at(3), nowMs: at(3) })).toBeNull();
  expect(changeTimes({ ...run, startedAtMs: null })).toEqual([]);
  expect(replaySpan({ startedAtMs: at(0), endedAtMs: null, nowMs: at(70) })).toEqual({
    startMs: at(0),
    endMs: at(70),
  });
});
