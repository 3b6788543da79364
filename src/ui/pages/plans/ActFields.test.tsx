import { screen, within } from '@testing-library/react';
import { useState } from 'react';

import type { Act } from '../../../core/acts/act.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import { renderPart } from '../../testing/renderRoute.tsx';
import { ActFields } from './ActFields.tsx';
import { newPlan } from './planValues.ts';

test('an act is added, changed and removed; what is wrong is said beside its field', async () => {
  const seen: Act[][] = [];
  function Form() {
    const [plan, setPlan] = useState<Plan>({
      ...newPlan('p', undefined, undefined),
      phases: { rampUpS: 60, staggerS: 0, steadyS: 600, periods: 3, rampDownS: 10 },
    });
    return (
      <ActFields
        plan={plan}
        testbed={undefined}
        error={() => undefined}
        onChange={(acts) => {
          seen.push(acts);
          setPlan({ ...plan, acts });
        }}
      />
    );
  }
  const { user } = renderPart(<Form />, {});
  expect(screen.getByText('Nothing is done to the testbed while the load runs.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add an act' }));
  expect(seen.at(-1)).toMatchObject([{ id: 'act-1', kind: 'hostFails', atS: 300 }]);
  // On a real lab nobody but the engineer can do this.
  const row = screen.getByRole('group', { name: 'Host ? fails at 5:00' });
  expect(within(row).getByText(/the console cannot do it/)).toBeVisible();
  expect(within(row).getByText('No host is chosen. Choose the host.')).toBeVisible();
  await user
    .selectOptions(within(row).getByRole('combobox', { name: 'What' }), 'burst')
    .catch(async () => {
      await user.click(within(row).getByRole('combobox', { name: 'What' }));
      await user.click(await screen.findByRole('option', { name: 'Burst of load' }));
    });
  expect(seen.at(-1)).toMatchObject([{ kind: 'burst', amount: 2, by: 'console', target: null }]);
  await user.click(screen.getByRole('button', { name: 'Add an act' }));
  expect(seen.at(-1)).toMatchObject([{ id: 'act-1' }, { id: 'act-2', atS: 450 }]);
  await user.click(screen.getByRole('button', { name: 'Remove: Burst of 2 × the load at 5:00' }));
  expect(seen.at(-1)).toMatchObject([{ id: 'act-2' }]);
});
