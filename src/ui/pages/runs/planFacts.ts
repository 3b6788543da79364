import { actAtText, inTime } from '../../../core/acts/kinds.ts';
import { counted } from '../../../core/base/counted.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import { ruleWords } from '../../../core/limits/earlyAbort.ts';
import { planDurationS } from '../../../core/plan/plan.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { parameterRows } from '../../../core/snapshot/parameterRows.ts';

export type PlanFact = readonly [label: string, value: string];
const clock = (seconds: number): string => formatElapsed(seconds * 1000);

/** A plan in words: what will run, where, how long, and how it is scored. */
export function planFacts({
  plan,
  profile,
  testbed,
}: Pick<RunRecord, 'plan' | 'profile' | 'testbed'>): PlanFact[] {
  const p = plan.phases;
  const early: PlanFact[] = plan.earlyAbort
    ? [['Early end', `${plan.earlyAbort.warnS} s after a warning, ${ruleWords(plan.earlyAbort)}`]]
    : [];
  const acts: PlanFact[] =
    plan.acts === undefined
      ? []
      : [
          [
            'Acts',
            inTime(plan.acts)
              .map((act) => `${actAtText(act)} of the steady state`)
              .join('; '),
          ],
        ];
  return [
    ['Profile', `${profile.name} ${profile.version}`],
    ['Testbed', testbed.name],
    ['Tiles', String(plan.tiles)],
    ['Length', `${clock(planDurationS(p))} in all`],
    ['Ramp-up', `${clock(p.rampUpS)}, ${p.staggerS} s between tiles`],
    ['Steady state', `${clock(p.steadyS)} in ${counted(p.periods, 'measurement period')}`],
    ['Ramp-down', clock(p.rampDownS)],
    [
      'Sampling',
      `workloads every ${plan.sampling.workloadMs / 1000} s, vCenter every ${plan.sampling.vcenterMs / 1000} s`,
    ],
    ...early,
    ...acts,
    [
      'Score',
      `${profile.scoring.periods} of the periods, ` +
        (plan.referenceRunId === null
          ? 'no reference, so no score'
          : `references of run ${plan.referenceRunId}`),
    ],
  ];
}

/** One thing of a plan that is not as it was in a run. */
export interface PlanChange {
  label: string;
  then: string;
  now: string;
}

/** What a run of the plan as it is now would do otherwise than that run did; empty = nothing. */
export function planChanges(
  then: Pick<RunRecord, 'plan' | 'profile' | 'testbed'>,
  now: Pick<RunRecord, 'plan' | 'profile' | 'testbed'>,
): PlanChange[] {
  const before = new Map(planFacts(then));
  const after = new Map(planFacts(now));
  const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((label) => {
    const [a, b] = [before.get(label) ?? 'none', after.get(label) ?? 'none'];
    return a === b ? [] : [{ label, then: a, now: b }];
  });
  const parameters = parameterRows([then, now]).rows;
  changes.push(...parameters.map(({ label, values: [a, b] }) => ({ label, then: a!, now: b! })));
  const edited = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const layoutOf = ({ testbed }: typeof then): unknown =>
    testbed.tiles.map((tile) => ({
      ...tile,
      workloads: tile.workloads.map((one) => ({ ...one, params: {} })),
    }));
  if (then.testbed.id === now.testbed.id && edited(layoutOf(then), layoutOf(now)))
    changes.push({
      label: 'Layout of the testbed',
      then: `version ${then.testbed.version}`,
      now: `version ${now.testbed.version}`,
    });
  if (
    parameters.length === 0 &&
    then.profile.version === now.profile.version &&
    edited(then.profile.workloads, now.profile.workloads)
  )
    changes.push({ label: 'Workloads of the profile', then: 'as run', now: 'edited since' });
  return changes;
}
