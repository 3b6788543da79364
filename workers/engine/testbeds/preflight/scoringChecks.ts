import { type CheckFinding, planPeriodS } from '../../../../src/core/plan/plan.ts';
import { isMetered } from '../../../../src/core/testbed/powerSources.ts';
import { vcenterCounter } from '../../power/meterFacts.ts';
import { defineCheck } from './types.ts';

/** Whether the run can give the figures its profile asks for: told before hours are spent on it. */
export const scoringPossible = defineCheck({
  id: 'plan.scoring',
  title: 'Scoring',
  async run({ inputs: { plan, profile, testbed }, find }) {
    const { scoring } = profile;
    const { periods } = plan.phases;
    const copy = 'in a copy of the profile';
    const warn = (id: string, evidence: string, fix: string): CheckFinding => ({
      id: `plan.scoring.${id}`,
      severity: 'warn',
      title: 'Scoring',
      subject: id,
      source: 'plan and profile',
      evidence,
      fix,
    });
    const unweighed =
      scoring.infrastructure !== undefined &&
      (scoring.overall == null ||
        scoring.overall.application === null ||
        scoring.overall.infrastructure === null);
    return [
      ...(scoring.periods === null && periods > 1
        ? [
            warn(
              'periods',
              `the profile does not say which of ${periods} periods speaks for the run: there will be no total`,
              `Take one period in the plan, or set the rule ${copy}.`,
            ),
          ]
        : []),
      ...(unweighed
        ? [
            {
              id: 'plan.scoring.weights',
              severity: 'info' as const,
              title: 'Scoring',
              subject: 'weights',
              source: 'profile',
              evidence:
                'the weights of application and infrastructure are not set: the parts will ' +
                'be shown apart, without a total',
              fix: `Set both weights ${copy} to have a total.`,
            },
          ]
        : []),
      ...(profile.maximumTiles !== undefined && plan.tiles > profile.maximumTiles
        ? [
            warn(
              'tiles',
              `${plan.tiles} tiles, the profile allows ${profile.maximumTiles}`,
              'Take fewer tiles, or expect a result that does not follow the rules.',
            ),
          ]
        : []),
      ...(scoring.power && testbed.powerIds.length === 0
        ? [
            warn(
              'power',
              'the profile asks for power, and the testbed has no power source: there will ' +
                'be no performance a kilowatt',
              'Add a power source to the testbed.',
            ),
          ]
        : []),
      ...testbed.powerIds.flatMap((id) => {
        const connection = find(id);
        if (connection?.kind !== 'power') return [];
        const { periodMs } = isMetered(connection.source) ? connection.source : vcenterCounter;
        const allowedMs = Math.min(
          scoring.power?.maxPeriodMs ?? Infinity,
          planPeriodS(plan.phases) * 1_000,
        );
        return periodMs <= allowedMs
          ? []
          : [
              warn(
                'powerPeriod',
                `${connection.name} measures every ${periodMs / 1_000} s, longer than the ` +
                  `${allowedMs / 1_000} s allowed: there will be no performance a kilowatt`,
                'Lengthen the measurement periods, or use a faster meter.',
              ),
            ];
      }),
    ];
  },
});
