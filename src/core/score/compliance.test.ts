import { profileSchema } from '../profile/profile.ts';
import type { RunRecord } from '../run/run.ts';
import { type PeriodMeasurement } from '../run/scoreTypes.ts';
import { complianceFindings } from './compliance.ts';
import { scoreRun } from './score.ts';

const workload = (id: string, more: object = {}) => ({
  id,
  role: id,
  name: id,
  driver: 'x',
  unit: 'ops/s',
  reference: 10,
  referenceSource: 's',
  ...more,
});
const profileOf = (more: object = {}) =>
  profileSchema.parse({
    schemaVersion: 1,
    id: 'p',
    version: '1',
    name: 'P',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS: 10, periods: 2, rampDownS: 0 },
    scoring: { tile: 'geometricMean', total: 'sum', periods: 'worst', source: 's' },
    workloads: [
      workload('db', { qos: [{ metric: 'latencyP95Ms', max: 100, unit: 'ms', source: 's' }] }),
      workload('standby', { scored: false, reference: null }),
    ],
    ...more,
  });
interface Period {
  db?: number;
  p95?: number;
  standby?: number;
  errors?: number;
  behind?: number;
}
const measured = (periods: readonly Period[]): PeriodMeasurement[] =>
  periods.map(({ db = 10, p95 = 50, standby = 1, errors, behind }, index) => ({
    index,
    workloads: [0, 1].flatMap((tile) => [
      {
        tile,
        workloadId: 'db',
        samples: 9,
        values: {
          throughput: db,
          latencyP95Ms: p95,
          ...(errors === undefined ? {} : { errorRate: errors }),
          ...(behind === undefined ? {} : { clientSaturatedPct: tile === 0 ? behind : 0 }),
        },
      },
      { tile, workloadId: 'standby', samples: 9, values: { throughput: tile === 0 ? 1 : standby } },
    ]),
  }));
const vm = (ref: string, hostRef: string) => ({
  ref,
  name: ref,
  hostRef,
  datastoreRefs: [],
  powerState: 'poweredOn',
  vcpus: 1,
  memoryMb: 1,
  guest: null,
  toolsStatus: null,
  ip: null,
  template: false,
  snapshotCount: 0,
});
const inventory = (clusters: { hostRefs: string[] }[]) => ({
  clusters,
  vms: [vm('vm-1', 'h1'), vm('vm-2', 'h1'), vm('other', 'h9')],
});
function findings(
  profile: ReturnType<typeof profileOf>,
  periods: readonly Period[],
  around: object = {},
): Record<string, [string, string]> {
  const record = {
    profile,
    plan: { tiles: 2 },
    inventoryBefore: null,
    testbed: {
      tiles: [{ index: 0, workloads: [{ vm: { ref: 'vm-1' } }, { vm: { ref: 'vm-2' } }] }],
    },
    overview: {
      score: null,
      workloads: [{ tile: 0, workloadId: 'db', clientId: 'c1' }],
    },
    clients: [{ id: 'c1', name: 'client1' }],
    ...around,
  } as unknown as RunRecord;
  const score = periods.length === 0 ? null : scoreRun(profile, 2, measured(periods), {}, '');
  return Object.fromEntries(
    complianceFindings(record, score).map((f) => [f.ruleId, [f.state, f.evidence]]),
  );
}

test('without rules of its own a profile asks for every tile, every limit and its hosts', () => {
  expect(findings(profileOf(), [{}, {}])).toEqual({
    allTilesReport: ['kept', '2 tiles, 2 periods'],
    qosEveryPeriod: ['kept', '4 limits looked at'],
  });
  expect(findings(profileOf({ minimumHosts: 2 }), [{}, {}])['minimumHosts']).toEqual([
    'unproven',
    'The number of hosts is not known without a vCenter, 2 needed',
  ]);
});

test.each([
  [
    'a missed limit',
    [{}, { p95: 130 }],
    'qosEveryPeriod',
    ['broken', 'Missed by tile 1 db in period 2, tile 2 db in period 2'],
  ],
  [
    'a limit without a sample',
    [{ p95: NaN }, {}],
    'qosEveryPeriod',
    ['unproven', 'Not measured: tile 1 db in period 1, tile 2 db in period 1'],
  ],
  [
    'a workload without a sample',
    [{ db: NaN }, { db: NaN }],
    'allTilesReport',
    [
      'broken',
      'tile 1 db in period 1, tile 2 db in period 1, tile 1 db in period 2 and 1 more: no sample',
    ],
  ],
  ['no score at all', [], 'allTilesReport', ['unproven', 'No measurement period was scored']],
])('%s', (_what, periods, rule, expected) =>
  expect(findings(profileOf(), periods)[rule]).toEqual(expected),
);

test.each([
  ['at least one', 1, ['kept', '1 of 2 standby VMs answered in every period, 1 needed']],
  ['all of them', undefined, ['broken', '1 of 2 standby VMs answered in every period, 2 needed']],
])('standby alive: %s', (_what, value, expected) => {
  const rules = [
    {
      id: 'alive',
      kind: 'standbyAlive',
      ...(value === undefined ? {} : { value }),
      text: 't',
      source: 's',
    },
  ];
  expect(findings(profileOf({ rules }), [{}, { standby: 0 }])['alive']).toEqual(expected);
});

test.each([
  [
    'a failure',
    [{ errors: 0 }, { errors: 0.2 }],
    ['broken', 'Failures in tile 1 db in period 2, tile 2 db in period 2'],
  ],
  ['none', [{ errors: 0 }, { errors: 0 }], ['kept', 'No failure counted']],
  ['a driver that counts none', [{}, {}], ['unproven', 'The driver of db counts no failures']],
])('no dropped connection: %s', (_what, periods, expected) => {
  expect(
    findings(
      profileOf({
        rules: [{ id: 'dropped', kind: 'noDroppedConnection', text: 't', source: 's' }],
      }),
      periods,
    )['dropped'],
  ).toEqual(expected);
});

test('hosts are those of the clusters that hold VMs of the testbed, not every host of the vCenter', () => {
  const profile = profileOf({ minimumHosts: 2 });
  expect(findings(profile, [{}], { inventoryBefore: inventory([]) })['minimumHosts']).toEqual([
    'broken',
    '1 host under test, 2 needed',
  ]);
  expect(
    findings(profile, [{}], {
      inventoryBefore: inventory([{ hostRefs: ['h1', 'h2'] }, { hostRefs: ['h9', 'h8'] }]),
    })['minimumHosts'],
  ).toEqual(['kept', '2 hosts under test, 2 needed']);
});

test('what only a person can tell is left open', () => {
  expect(
    findings(
      profileOf({ rules: [{ id: 'reviewed', kind: 'statement', text: 't', source: 's' }] }),
      [{}],
    )['reviewed'],
  ).toEqual(['open', 'A person has to confirm it']);
});

test.each([
  ['kept up', [{ behind: 0 }, { behind: 1 }], {}, ['kept', 'At most 1.0 %']],
  [
    'fell behind',
    [{ behind: 0.9 }, { behind: 3.25 }],
    {},
    ['broken', 'client1 fell behind 3.3 % of the time with tile 1 db in period 2'],
  ],
  [
    'fell behind twice',
    [{ behind: 2 }, { behind: 20 }],
    {},
    ['broken', 'client1 fell behind 20.0 % of the time with tile 1 db in period 2, and 1 more'],
  ],
  [
    'fell behind as little as the profile allows',
    [{ behind: 3 }],
    { rules: [{ id: 'clientsKeptUp', kind: 'clientsKeptUp', value: 5, text: 't', source: 's' }] },
    ['kept', 'At most 3.0 %'],
  ],
  [
    'is asked for, and no program tells',
    [{}],
    { rules: [{ id: 'clientsKeptUp', kind: 'clientsKeptUp', text: 't', source: 's' }] },
    ['unproven', 'No program told whether its client kept up'],
  ],
])('a client %s', (_what, periods, more, expected) =>
  expect(findings(profileOf(more), periods)['clientsKeptUp']).toEqual(expected),
);
