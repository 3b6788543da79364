import fc from 'fast-check';

import {
  headroomOf,
  overviewHeadroom,
  periodHeadroom,
  runHeadroom,
  scoreHeadroom,
  worstFirst,
} from '../limits/index.ts';
import { limitedProfile } from '../profile/testing/limitedProfile.ts';
import { runOverview } from '../run/run.ts';
import { scoreRun } from './score.ts';

const profile = limitedProfile(
  [
    { metric: 'latencyP95Ms', max: 100, unit: 'ms', source: 's' },
    { metric: 'throughput', min: 5, unit: 'tps', source: 's' },
  ],
  { steadyS: 10, periods: 2 },
);

test.each([
  ['max', 100, 60, 0.4],
  ['max', 100, 100, 0],
  ['max', 100, 130, -0.3],
  ['min', 5, 10, 1],
  ['min', 5, 4, -0.2],
  ['max', 0, 0, 0],
  ['max', 0, 3, -1],
  ['min', 0, 3, 0],
  ['max', 100, null, null],
  ['max', 100, NaN, null],
  ['max', 100, Infinity, null],
] as const)('%s limit %d with %p leaves %p', (kind, limit, value, expected) => {
  const left = headroomOf(kind, limit, value);
  if (expected === null) expect(left).toBeNull();
  else expect(left).toBeCloseTo(expected, 12);
});

test('headroom is negative exactly when the limit is broken', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('max' as const, 'min' as const),
      fc.double({ min: 0.001, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (kind, limit, value) => {
        expect(headroomOf(kind, limit, value)! < 0).toBe(
          kind === 'max' ? value > limit : value < limit,
        );
      },
    ),
  );
});

test('worst first puts unmeasured last and keeps every entry', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          headroom: fc.option(fc.double({ noNaN: true, min: -5, max: 5 }), { nil: null }),
        }),
      ),
      (list) => {
        const sorted = worstFirst(list);
        expect(sorted).toHaveLength(list.length);
        const known = sorted.map((s) => s.headroom).filter((h) => h !== null);
        expect(known).toEqual([...known].sort((a, b) => a - b));
        expect(sorted.slice(known.length).every((s) => s.headroom === null)).toBe(true);
      },
    ),
  );
});

test('a run lists every limit of every tile', () => {
  const list = runHeadroom(profile, 2, (id, metric) =>
    metric === 'throughput' ? (id === 't0.db' ? 20 : null) : id === 't1.db' ? 120 : 90,
  );
  expect(list.map((q) => [q.entityId, q.kind, q.headroom])).toEqual([
    ['t1.db', 'max', -0.2],
    ['t0.db', 'max', 0.1],
    ['t0.db', 'min', 3],
    ['t1.db', 'min', null],
  ]);
});

test('the worst period of each limit speaks; a period without a sample makes it unmeasured', () => {
  const period = (index: number, latencyP95Ms: number, throughput: number) => ({
    index,
    workloads: [{ tile: 0, workloadId: 'db', samples: 5, values: { latencyP95Ms, throughput } }],
  });
  const worst = scoreHeadroom(scoreRun(profile, 1, [period(0, 50, 8), period(1, 80, NaN)], {}, ''));
  expect(worst.map((q) => [q.metric, q.headroom, q.period])).toEqual([
    ['latencyP95Ms', 0.2, 1],
    ['throughput', null, 1],
  ]);
  expect(periodHeadroom(scoreRun(profile, 1, [period(0, 50, 8)], {}, '').periods[0]!)).toHaveLength(
    2,
  );
});

test('a lost workload is the worst of all, whatever it measured before, with and without a limit', () => {
  const bounds = { rampUpS: 0, staggerS: 0, steadyS: 10, periods: 2, rampDownS: 0 };
  const workloads = [0, 1, 2].map((tile) => ({
    entityId: `t${tile}.db`,
    tile,
    workloadId: 'db',
    clientId: 'c',
    vmName: null,
    state: tile === 2 ? ('lost' as const) : ('running' as const),
    lastSampleMs: 1,
    badLines: 0,
  }));
  const overview = runOverview.parse({
    id: 'r',
    rev: 1,
    name: 'R',
    state: 'steady',
    createdAtMs: 0,
    startedAtMs: 0,
    endedAtMs: null,
    nowMs: 5,
    phases: [],
    phasesPlanned: bounds,
    periods: [],
    abortReason: null,
    workloads,
    series: workloads.map(({ entityId, tile }) => ({
      id: tile,
      metric: 'latencyP95Ms',
      unit: 'ms',
      source: 's',
      periodMs: 1_000,
      decimals: 2,
      lagMs: 0,
      entity: { kind: 'workload', id: entityId, name: entityId, tile },
    })),
    events: [],
    findings: [],
    score: null,
    verdict: null,
  });
  // Tile 1 breaks its limit; tile 3 was fine until it was lost.
  const means = [130, 50, 10];
  const list = overviewHeadroom(overview, profile, (id) => means[id]!, 5);
  expect(list.slice(0, 2)).toEqual([
    expect.objectContaining({ tile: 2, headroom: null, value: null, lost: true }),
    expect.objectContaining({ tile: 2, lost: true }),
  ]);
  expect(list[2]).toMatchObject({ tile: 0, headroom: -0.3 });
  const free = { ...profile, workloads: profile.workloads.map((w) => ({ ...w, qos: [] })) };
  expect(overviewHeadroom(overview, free, () => null, 5)).toEqual([
    expect.objectContaining({ tile: 2, name: 'Database', lost: true }),
  ]);
});
