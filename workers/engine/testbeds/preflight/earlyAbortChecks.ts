import { periodLimits, ruleWords } from '../../../../src/core/limits/earlyAbort.ts';
import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import { defineCheck } from './types.ts';

/** Whether the rule for an early end can ever speak, and what it does. */
export const earlyAbortSound = defineCheck({
  id: 'plan.earlyAbort',
  title: 'Early end',
  async run({ inputs: { plan, profile } }) {
    const rule = plan.earlyAbort;
    if (!rule) return [];
    const about = { title: 'Early end', subject: 'plan', source: 'plan and profile' };
    const limits = periodLimits(profile, plan.tiles);
    const { periods, steadyS } = plan.phases;
    const warn = (id: string, evidence: string, fix: string): CheckFinding => ({
      ...about,
      id: `plan.earlyAbort.${id}`,
      severity: 'warn',
      evidence,
      fix,
    });
    return [
      ...(limits.length === 0
        ? [
            warn(
              'limits',
              'the profile has no QoS limit on the mean of a measurement period: the rule never ends a run',
              'Remove the rule, or set limits in a copy of the profile.',
            ),
          ]
        : []),
      ...(rule.periods > periods
        ? [
            warn(
              'periods',
              `the rule asks for ${rule.periods} periods in a row, a run has ${periods}: it never ends one`,
              'Ask for fewer periods, or cut the steady state into more.',
            ),
          ]
        : []),
      ...(rule.warnS >= steadyS / periods
        ? [
            warn(
              'warning',
              `the warning lasts ${rule.warnS} s, a period ${Math.round(steadyS / periods)} s: little is saved`,
              'Shorten the warning.',
            ),
          ]
        : []),
      ...(limits.length > 0 && rule.periods <= periods
        ? [
            {
              ...about,
              id: 'plan.earlyAbort',
              severity: 'info' as const,
              evidence:
                `a run ends ${rule.warnS} s after a warning ${ruleWords(rule)}; ` +
                `${limits.length} limits are looked at`,
            },
          ]
        : []),
    ];
  },
});
