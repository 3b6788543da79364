import type { Profile } from '../../../../src/core/profile/profile.ts';
import type { Connection } from '../../../../src/core/testbed/connection.ts';
import { testPlanFile, testProfile } from '../../testing/engineHarness.ts';
import { scoringPossible } from './scoringChecks.ts';
import type { CheckContext } from './types.ts';

const file = testPlanFile();
async function findings(
  profile: Partial<Profile>,
  change: { steadyS?: number; periods?: number; powerIds?: string[]; source?: 'vcenter' } = {},
): Promise<[string, string][]> {
  const meter: Connection | undefined =
    change.source === 'vcenter'
      ? { kind: 'power', id: 'p1', name: 'meter', source: { type: 'vcenter', vcenterId: 'vc' } }
      : file.connections.find((c) => c.id === 'p1');
  const phases = {
    ...file.plan.phases,
    ...(change.steadyS === undefined ? {} : { steadyS: change.steadyS }),
    ...(change.periods === undefined ? {} : { periods: change.periods }),
  };
  const inputs = {
    plan: { ...file.plan, phases },
    profile: { ...testProfile, ...profile },
    testbed: { ...file.testbed, powerIds: change.powerIds ?? ['p1'] },
    connections: file.connections,
  };
  const found = await scoringPossible.run(
    {
      inputs,
      find: (id: string) => (id === 'p1' ? (meter ?? null) : null),
    } as unknown as CheckContext,
    new AbortController().signal,
  );
  expect(found.every((f) => f.fix !== undefined)).toBe(true);
  return found.map((f) => [f.id.replace('plan.scoring.', ''), f.severity]);
}
const scoring = (more: Partial<Profile['scoring']>): Partial<Profile> => ({
  scoring: { ...testProfile.scoring, ...more },
});
const infrastructure = {
  combine: 'geometricMean' as const,
  operations: [{ id: 'vmotion', name: 'vMotion', reference: null, referenceSource: 's' }],
  hostsPerLoop: 2,
  hostsPerLoopSource: 's',
  source: 's',
};

test.each([
  ['a profile that can be scored', {}, {}, []],
  ['no rule for several periods', scoring({ periods: null }), {}, [['periods', 'warn']]],
  ['no rule needed for one period', scoring({ periods: null }), { periods: 1 }, []],
  [
    'weights not set',
    scoring({ infrastructure, overall: { application: null, infrastructure: null, source: 's' } }),
    {},
    [['weights', 'info']],
  ],
  [
    'weights set',
    scoring({ infrastructure, overall: { application: 0.8, infrastructure: 0.2, source: 's' } }),
    {},
    [],
  ],
  ['more tiles than the profile allows', { maximumTiles: 1 }, {}, [['tiles', 'warn']]],
  [
    'power asked for and not there',
    scoring({ power: { kind: 'server' as const, maxPeriodMs: null, source: 's' } }),
    { powerIds: [] },
    [['power', 'warn']],
  ],
  [
    'a counter too slow for the rule',
    scoring({ power: { kind: 'server' as const, maxPeriodMs: 5_000, source: 's' } }),
    { source: 'vcenter' as const },
    [['powerPeriod', 'warn']],
  ],
  [
    'a counter too slow for the periods',
    {},
    { source: 'vcenter' as const, steadyS: 45, periods: 3 },
    [['powerPeriod', 'warn']],
  ],
])('%s', async (_what, profile, change, expected) =>
  expect(await findings(profile, change)).toEqual(expected),
);
