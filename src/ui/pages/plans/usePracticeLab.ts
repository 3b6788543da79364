import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';

import { toAppError } from '../../../core/base/errors.ts';
import type { Output } from '../../../wire/contract.ts';
import { useClient } from '../../engine/services.ts';
import { useOfferPlan } from './importPlan.ts';

export type PracticeLab = NonNullable<Output<'plan.practiceLab'>['lab']>;

/** What starts one, in the source of Tilebench. */
export const startPracticeLab = 'npm run lab -- --install';

/** Takes the plan of a practice lab: at once where it is this user's, else after it was shown. */
export function useTakePracticeLab(): (lab: PracticeLab) => Promise<void> {
  const offer = useOfferPlan();
  return useCallback((lab) => offer('practice lab', lab.source, lab.notOwn === null), [offer]);
}

/** Looks for a practice lab and takes it; says what starts one where none runs. */
export function useFindPracticeLab(): () => Promise<void> {
  const client = useClient();
  const take = useTakePracticeLab();
  return useCallback(async () => {
    try {
      const { lab } = await client.call('plan.practiceLab', {});
      if (lab !== null) await take(lab);
      else
        notifications.show({
          title: 'No practice lab runs on this machine',
          message: `Start it in the source of Tilebench: ${startPracticeLab}`,
          autoClose: 12_000,
        });
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      notifications.show({ color: 'red', title: message, message: hint ?? '' });
    }
  }, [client, take]);
}
