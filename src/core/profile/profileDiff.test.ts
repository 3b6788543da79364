import fc from 'fast-check';

import { type Profile, profileSchema } from './profile.ts';
import { profileDiff } from './profileDiff.ts';

const parent: Profile = profileSchema.parse({
  schemaVersion: 1,
  id: 'parent',
  version: '1.0.0',
  name: 'Tile',
  description: 'd',
  phases: { rampUpS: 0, staggerS: 0, steadyS: 60, periods: 3, rampDownS: 0 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 's' },
  workloads: ['database', 'web'].map((id) => ({
    id,
    role: id,
    name: id,
    driver: 'x',
    params: { threads: 2 },
    unit: 'tps',
    reference: null,
    referenceSource: 'not set',
    qos: [{ metric: 'latencyP95Ms', max: 500, unit: 'ms', source: 's' }],
  })),
});
const copy = (change: (p: Profile) => void): Profile => {
  const own = structuredClone({ ...parent, id: 'own', version: '2.0.0', parentId: 'parent' });
  change(own);
  return own;
};

test('a copy differs in nothing', () =>
  expect(
    profileDiff(
      parent,
      copy(() => undefined),
    ),
  ).toEqual([]));

test('only what differs, in words, whatever the order of workloads', () => {
  const own = copy((p) => {
    p.workloads.reverse();
    p.workloads[1]!.reference = 12;
    p.workloads[1]!.qos[0]!.max = 250;
    p.workloads[0]!.params = { threads: 8 };
  });
  expect(profileDiff(parent, own)).toEqual([
    {
      path: 'workloads.web.params.threads',
      label: 'workload web, parameter threads',
      parent: '2',
      own: '8',
    },
    {
      path: 'workloads.database.reference',
      label: 'workload database, reference',
      parent: null,
      own: '12',
    },
    {
      path: 'workloads.database.qos.latencyP95Ms.max',
      label: 'workload database, limit latencyP95Ms, at most',
      parent: '500',
      own: '250',
    },
  ]);
});

test('what was taken out and put in is there on one side only', () => {
  const own = copy((p) => {
    p.workloads.pop();
    p.scoring.periods = null;
  });
  const diff = profileDiff(parent, own);
  expect(diff.find((d) => d.path === 'scoring.periods')).toMatchObject({
    parent: 'median',
    own: null,
  });
  expect(
    diff
      .filter((d) => d.path.startsWith('workloads.web'))
      .every((d) => d.own === null && d.parent !== null),
  ).toBe(true);
  expect(
    profileDiff(own, parent)
      .filter((d) => d.path.startsWith('workloads.web'))
      .every((d) => d.parent === null),
  ).toBe(true);
});

test('two limits on one metric are told apart', () => {
  const own = copy((p) => {
    p.workloads[0]!.qos.push(
      { metric: 'latencyP95Ms', max: 900, unit: 'ms', source: 's', operation: 'login' },
      { metric: 'latencyP95Ms', min: 1, unit: 'ms', source: 's' },
    );
  });
  expect(
    profileDiff(parent, own)
      .map((d) => d.path)
      .filter((path) => /max|min/.test(path)),
  ).toEqual([
    'workloads.database.qos.latencyP95Ms of login.max',
    'workloads.database.qos.latencyP95Ms 2.min',
  ]);
});

test('one changed number is one difference', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 170_000 }), (steadyS) => {
      const diff = profileDiff(
        parent,
        copy((p) => {
          p.phases.steadyS = steadyS;
        }),
      );
      expect(diff).toEqual(
        steadyS === 60
          ? []
          : [
              {
                path: 'phases.steadyS',
                label: 'phases, steadyS',
                parent: '60',
                own: String(steadyS),
              },
            ],
      );
    }),
  );
});
