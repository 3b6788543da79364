import fc from 'fast-check';

import { isKnownUnit, secondsOfRate } from '../base/units.ts';
import { maximumTiles, type Profile, profileSchema, vmsOfTile } from './profile.ts';
import { checkProfile, demandProfile, nextVersion } from './profileCheck.ts';

const base = {
  schemaVersion: 1,
  id: 'own',
  version: '1.0.0',
  name: 'Own',
  description: '',
  phases: { rampUpS: 0, staggerS: 0, steadyS: 10, periods: 3, rampDownS: 0 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'TR' },
  workloads: [
    {
      id: 'db',
      role: 'database',
      name: 'Database',
      driver: 'x',
      unit: 'tps',
      reference: 10,
      referenceSource: 'TR',
      qos: [{ metric: 'latencyP95Ms', max: 500, unit: 'ms', source: 'TR' }],
    },
  ],
};
const operation = {
  id: 'vmotion',
  name: 'vMotion',
  reference: null,
  referenceSource: 'not public',
};
const infrastructure = {
  combine: 'geometricMean',
  operations: [operation],
  hostsPerLoop: 2,
  hostsPerLoopSource: 's',
  source: 's',
};
/** A copy with one place changed: `workloads.0.unit`. */
function withChange(path: string, value: unknown): unknown {
  const copy = structuredClone(base) as Record<string, unknown>;
  const steps = path.split('.');
  const last = steps.pop()!;
  let inner = copy;
  for (const step of steps) inner = inner[step] as Record<string, unknown>;
  inner[last] = value;
  return copy;
}

test('a profile without a fault has none', () =>
  expect(checkProfile(profileSchema.parse(base), [])).toEqual([]));

test.each([
  ['a zero reference', 'workloads.0.reference', 0, /greater than 0.*null = not set/],
  ['a negative reference', 'workloads.0.reference', -1, /greater than 0/],
  ['a negative weight', 'workloads.0.weight', -0.5, /must not be negative: 0 leaves the part out/],
  ['10,000 tiles', 'maximumTiles', 10_000, /at most 400 tiles/],
  ['a newer schemaVersion', 'schemaVersion', 2, /reads schemaVersion 1.*needs a newer Tilebench/],
  ['no workload', 'workloads', [], /a tile needs a workload/],
  [
    '10,000 workloads',
    'workloads',
    Array.from({ length: 10_000 }, () => base.workloads[0]),
    /at most 64 workloads a tile/,
  ],
  [
    'an id that cannot be part of a name',
    'workloads.0.id',
    'Data Base',
    /small letters, digits and hyphens/,
  ],
])('%s is refused by the schema, with its place and what to do', (_what, path, value, message) => {
  const parsed = profileSchema.safeParse(withChange(path, value));
  expect(parsed.success).toBe(false);
  expect(parsed.error!.issues.map((i) => i.path.join('.'))).toEqual([path]);
  expect(parsed.error!.issues[0]!.message).toMatch(message);
});

test.each([
  [
    'an unknown unit',
    'workloads.0.unit',
    'furlongs',
    'workloads.0.unit',
    /"furlongs" is not known/,
  ],
  ['an id that is a path', 'id', '../other', 'id', /cannot be part of an address/],
  ['a misspelt time', 'workloads.0.unit', 'ops/sec', 'workloads.0.unit', /"ops\/sec" is not known/],
  [
    'no source of a reference',
    'workloads.0.referenceSource',
    ' ',
    'workloads.0.referenceSource',
    /the reference has no source/,
  ],
  [
    'no source of a limit',
    'workloads.0.qos.0.source',
    '',
    'workloads.0.qos.0.source',
    /the limit has no source/,
  ],
  [
    'a latency in seconds',
    'workloads.0.qos.0.unit',
    's',
    'workloads.0.qos.0.unit',
    /latencyP95Ms is measured in ms, not s/,
  ],
  [
    'a limit the wrong way round',
    'workloads.0.qos.0.min',
    900,
    'workloads.0.qos.0.min',
    /900, is above the most, 500/,
  ],
  [
    'weights that leave nothing',
    'workloads.0.weight',
    0,
    'workloads',
    /every scored workload has weight 0/,
  ],
  [
    'infrastructure without weights',
    'scoring.infrastructure',
    infrastructure,
    'scoring.overall',
    /how application and infrastructure become one total/,
  ],
  [
    'weights without infrastructure',
    'scoring.overall',
    { application: 0.8, infrastructure: 0.2, source: 's' },
    'scoring.infrastructure',
    /no infrastructure part/,
  ],
  ['a parent that is itself', 'parentId', 'own', 'parentId', /own → own/],
  [
    'a rule twice',
    'rules',
    [0, 1].map(() => ({ id: 'a', kind: 'statement', text: 't', source: 's' })),
    'rules.1.id',
    /the id a is there twice/,
  ],
])('%s is refused with its place and a remedy', (_what, path, value, place, message) => {
  const issues = checkProfile(profileSchema.parse(withChange(path, value)), []);
  const found = issues.find((i) => i.path === place);
  expect(found?.message).toMatch(message);
  expect(found!.remedy.length).toBeGreaterThan(5);
});

test('half of the weights, failures of what counts no operations, an operation twice', () => {
  const scoring = {
    ...base.scoring,
    infrastructure: { ...infrastructure, operations: [operation, operation] },
    overall: { application: 0.8, infrastructure: null, source: 's' },
  };
  const workloads = [
    {
      ...base.workloads[0],
      unit: 'MB/s',
      qos: [{ metric: 'errorRate', measure: 'failurePct', max: 0.5, unit: '%', source: 's' }],
    },
  ];
  expect(
    checkProfile(profileSchema.parse({ ...base, scoring, workloads }), []).map((i) => i.path),
  ).toEqual([
    'workloads.0.qos.0.measure',
    'scoring.overall',
    'scoring.infrastructure.operations.1.id',
  ]);
});

test('a circle of parents is found whichever of them is looked at, and its way is told', () => {
  const make = (id: string, parentId: string | null): Profile =>
    profileSchema.parse({ ...base, id, parentId });
  const all = [make('a', 'b'), make('b', 'c'), make('c', null)];
  expect(all.flatMap((p) => checkProfile(p, all))).toEqual([]);
  const closed = make('c', 'a');
  expect(checkProfile(closed, all)).toEqual([
    expect.objectContaining({
      path: 'parentId',
      message: expect.stringContaining('c → a → b → c'),
    }),
  ]);
  expect(() => demandProfile(closed, all, 'profile')).toThrow(
    expect.objectContaining({
      kind: 'invalidInput',
      message: expect.stringContaining('profile.parentId: '),
      hint: expect.stringContaining('Choose a parent'),
    }),
  );
});

test('parents of any shape are walked to an end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1, max: 7 }), { minLength: 8, maxLength: 8 }),
      (parents) => {
        const all = parents.map((parent, i) =>
          profileSchema.parse({ ...base, id: `p${i}`, parentId: parent < 0 ? null : `p${parent}` }),
        );
        for (const [i, profile] of all.entries()) {
          const way = new Set<number>();
          let at = i;
          while (at >= 0 && !way.has(at)) {
            way.add(at);
            at = parents[at]!;
          }
          expect(checkProfile(profile, all).some((issue) => issue.path === 'parentId')).toBe(
            at >= 0,
          );
        }
      },
    ),
  );
});

test.each([
  ['1.0.4', '1.0.5'],
  ['1.0.9', '1.0.10'],
  ['7', '8'],
  ['draft', 'draft.1'],
  ['', '1.0.1'],
])('after version %p comes %p', (version, next) => expect(nextVersion(version)).toBe(next));

test('units', () => {
  expect(
    ['IOPS', 'tps', 'MB/s', 'pages/min', 'operations/h', 'send mails/s', '%', 'W'].filter(
      (u) => !isKnownUnit(u),
    ),
  ).toEqual([]);
  expect(
    ['', 'ops/sec', '/s', '1/s', 'ops per s', 'toString', '<b>/s'].filter(isKnownUnit),
  ).toEqual([]);
  expect([
    secondsOfRate('pages/min'),
    secondsOfRate('IOPS'),
    secondsOfRate('operations/h'),
    secondsOfRate('MB/s'),
    secondsOfRate('ms'),
  ]).toEqual([60, 1, 3_600, null, null]);
});

test('VMs of a tile are only counted where every workload says its own', () => {
  const vm = { name: 'web', count: 3, vcpus: 2, source: 's' };
  expect(
    vmsOfTile(
      profileSchema.parse({
        ...base,
        workloads: [{ ...base.workloads[0], vms: [vm, { ...vm, count: 1 }] }],
      }),
    ),
  ).toBe(4);
  expect(vmsOfTile(profileSchema.parse(base))).toBeNull();
  expect(maximumTiles).toBe(400);
});

test.each(['h2load', 'wrk', 'jmeter', 'k6'])(
  'a limit on the latency of %s is refused at its field: what waited is not in it; one on its errors is not',
  (driver) => {
    const withLimit = (qos: object) =>
      checkProfile(
        profileSchema.parse({
          ...base,
          workloads: [{ ...base.workloads[0], driver, unit: 'requests/s', qos: [qos] }],
        }),
        [],
      );
    expect(withLimit({ metric: 'latencyMeanMs', max: 5, unit: 'ms', source: 'own' })).toEqual([
      {
        path: 'workloads.0.qos.0.metric',
        message: expect.stringContaining('proves nothing'),
        remedy: expect.stringContaining('tilekit'),
      },
    ]);
    expect(withLimit({ metric: 'errorRate', max: 1, unit: 'errors/s', source: 'own' })).toEqual([]);
  },
);
