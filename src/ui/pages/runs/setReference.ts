import { fail } from '../../../core/base/errors.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { SendCommand } from '../../engine/sendCommand.ts';

/**
 * Makes a run what scores 1.0 in its plan, and in other plans of the profile that have no reference
 * yet. Gives their names. Throws notFound where the plan is gone.
 */
export async function setReference(
  plansNow: readonly Plan[],
  send: SendCommand,
  plan: Pick<Plan, 'id' | 'profileId'>,
  runId: string,
): Promise<string[]> {
  const plans = plansNow.filter(
    (one) =>
      one.id === plan.id || (one.profileId === plan.profileId && one.referenceRunId === null),
  );
  if (!plans.some((one) => one.id === plan.id))
    throw fail(
      'notFound',
      'The plan of this run does not exist any more.',
      'Choose the run as reference in another plan.',
    );
  for (const one of plans)
    await send('plan.save', { ...one, referenceRunId: runId }, { refusal: 'here' });
  return plans.map((one) => one.name);
}
