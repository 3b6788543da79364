import type * as z from 'zod';

import { durationHint, formatDuration } from '../../../core/base/duration.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import { planSchema } from '../../../core/plan/plan.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';

export function newPlan(
  id: string,
  testbed: Testbed | undefined,
  profile: Profile | undefined,
): Plan {
  return {
    id,
    name: '',
    version: 0,
    testbedId: testbed?.id ?? '',
    profileId: testbed?.profileId ?? '',
    tiles: testbed?.tiles.length ?? 1,
    phases: profile?.phases ?? {
      rampUpS: 60,
      staggerS: 10,
      steadyS: 600,
      periods: 3,
      rampDownS: 30,
    },
    sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
    referenceRunId: null,
    overrides: {},
    study: null,
    notes: '',
  };
}

/** What is wrong with a plan, by the path of the field; empty = it can be saved. */
export function planErrors(
  plan: Plan,
  testbed: Testbed | undefined,
): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  const parsed = planSchema.safeParse(plan);
  if (!parsed.success)
    for (const issue of parsed.error.issues) errors[issue.path.join('.')] ??= fault(issue);
  if (plan.name.trim() === '') errors['name'] = 'Fill in a name';
  if (!testbed) errors['testbedId'] = 'Choose a testbed';
  else if (plan.tiles > testbed.tiles.length)
    errors['tiles'] = `The testbed has ${testbed.tiles.length} tiles`;
  return errors;
}

/** A bound of a duration is told as its field shows it; all else in the schema's words. */
function fault(issue: z.core.$ZodIssue): string {
  const unit = /(Ms|S)$/.exec(String(issue.path.at(-1)))?.[1];
  const shown = (bound: number | bigint): string =>
    formatDuration(Number(bound) / (unit === 'Ms' ? 1_000 : 1));
  if (unit === undefined) return issue.message;
  if (issue.code === 'too_small') return `At least ${shown(issue.minimum)}`;
  if (issue.code === 'too_big') return `At most ${shown(issue.maximum)}`;
  if (issue.code !== 'invalid_type') return issue.message;
  return unit === 'S' && issue.expected === 'int' ? 'Whole seconds' : durationHint;
}
