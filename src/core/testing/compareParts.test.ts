import {
  type ComparedRun,
  compareGuards,
  compareRows,
  presentRows,
  referencesDiffer,
} from '../compare/index.ts';
import { type Profile, profileSchema } from '../profile/profile.ts';
import type { RunRecord } from '../run/run.ts';
import { scoreRun } from '../score/score.ts';

const profileOf = (scoring: object = {}, workload: object = {}): Profile =>
  profileSchema.parse({
    schemaVersion: 1,
    id: 'p',
    version: '1',
    name: 'P',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS: 10, periods: 1, rampDownS: 0 },
    workloads: [
      {
        id: 'db',
        role: 'db',
        name: 'Database',
        driver: 'x',
        unit: 'tps',
        reference: 10,
        referenceSource: 's',
        ...workload,
      },
    ],
    scoring: {
      tile: 'geometricMean',
      total: 'sum',
      periods: 'median',
      source: 's',
      infrastructure: {
        combine: 'geometricMean',
        operations: [{ id: 'vmotion', name: 'vMotion', reference: null, referenceSource: 's' }],
        hostsPerLoop: 2,
        hostsPerLoopSource: 's',
        source: 's',
      },
      overall: { application: 0.8, infrastructure: 0.2, source: 's' },
      ...scoring,
    },
  });
function run(profile: Profile, vmotion = 20): RunRecord {
  const score = scoreRun(
    profile,
    1,
    [
      {
        index: 0,
        infrastructure: { vmotion: 20 },
        workloads: [{ tile: 0, workloadId: 'db', samples: 1, values: { throughput: 10 } }],
      },
    ],
    { 'infra.vmotion': vmotion },
    '',
  );
  return {
    profile,
    plan: { tiles: 1, phases: profile.phases },
    testbed: { tiles: [] },
    overview: { name: 'r', state: 'passed', origin: 'real', verdict: null, score },
  } as unknown as RunRecord;
}
const guards = (a: RunRecord, b: RunRecord): string[] =>
  compareGuards([a, b].map((record) => ({ record }) as unknown as ComparedRun));

test('other references of the operations are other references', () => {
  expect(referencesDiffer(run(profileOf()), run(profileOf()))).toBe(false);
  expect(referencesDiffer(run(profileOf()), run(profileOf(), 25))).toBe(true);
});

test.each([
  [
    'weights of the parts',
    { overall: { application: 0.5, infrastructure: 0.5, source: 's' } },
    {},
    /0\.8 × application \+ 0\.2 × infrastructure \(vMotion\).* against .*0\.5 × application/,
  ],
  [
    'the weight of a workload',
    {},
    { weight: 2, weightSource: 's' },
    /of a tile, .* against geometricMean of a tile \(Database × 2\)/,
  ],
  [
    'the rule for periods',
    { periods: null },
    {},
    /median of the periods against .*no rule of the periods/,
  ],
])('%s: such runs are not compared', (_what, scoring, workload, expected) => {
  const found = guards(run(profileOf()), run(profileOf(scoring, workload)));
  expect(found.some((g) => g.startsWith('Different scoring rule') && expected.test(g))).toBe(true);
});

test('equal rules leave no guard', () =>
  expect(guards(run(profileOf()), run(profileOf()))).toEqual([]));

test('the parts stand under the total; without an infrastructure part they are left out', () => {
  const compared = (record: RunRecord): ComparedRun =>
    ({ record, summary: {}, aggregates: { steadyS: null, series: [] } }) as unknown as ComparedRun;
  const rowsOf = (...runs: ComparedRun[]): ReturnType<typeof compareRows> =>
    compareRows(presentRows(runs), runs, []);
  const rows = rowsOf(compared(run(profileOf())), compared(run(profileOf(), 10)));
  expect(rows.slice(0, 3).map((r) => [r.key, r.label, r.values])).toEqual([
    ['score', 'Score, both parts', [1, expect.closeTo(1.2, 9)]],
    ['score.application', 'Application part', [1, 1]],
    ['score.infrastructure', 'Infrastructure part', [1, 2]],
  ]);
  // Other references: a difference in percent would say nothing.
  expect(rows.slice(0, 3).map((r) => r.deltaPct)).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
  const plain = run(profileOf({ infrastructure: undefined, overall: undefined }));
  expect(rowsOf(compared(plain), compared(plain)).map((r) => r.key)).toEqual(['score']);
});
