import type { EarlyAbortRule } from '../../../../src/core/plan/earlyAbortRule.ts';
import { testPlanFile, testProfile } from '../../testing/engineHarness.ts';
import { earlyAbortSound } from './earlyAbortChecks.ts';
import type { CheckContext } from './types.ts';

const file = testPlanFile();
const rule: EarlyAbortRule = { when: 'certain', periods: 2, warnS: 60 };
const bare = { ...testProfile, workloads: testProfile.workloads.map((w) => ({ ...w, qos: [] })) };

test.each([
  ['no rule', null, testProfile, []],
  ['a rule that can speak', rule, testProfile, [['plan.earlyAbort', 'info']]],
  [
    'more periods than a run has',
    { ...rule, periods: 4 },
    testProfile,
    [['plan.earlyAbort.periods', 'warn']],
  ],
  ['no limit to look at', rule, bare, [['plan.earlyAbort.limits', 'warn']]],
  [
    'a warning as long as a period',
    { ...rule, warnS: 100 },
    testProfile,
    [
      ['plan.earlyAbort.warning', 'warn'],
      ['plan.earlyAbort', 'info'],
    ],
  ],
])('%s', async (_what, earlyAbort, profile, expected) => {
  const found = await earlyAbortSound.run(
    {
      inputs: {
        plan: { ...file.plan, earlyAbort },
        profile,
        testbed: file.testbed,
        connections: file.connections,
      },
    } as unknown as CheckContext,
    new AbortController().signal,
  );
  expect(found.map((f) => [f.id, f.severity])).toEqual(expected);
});
