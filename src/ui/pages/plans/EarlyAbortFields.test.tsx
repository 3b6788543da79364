import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';

import type { Plan } from '../../../core/plan/plan.ts';
import { EarlyAbortFields } from './EarlyAbortFields.tsx';
import { newPlan } from './planValues.ts';

test('off by default; switched on, filled in, and off again', async () => {
  const seen: Plan['earlyAbort'][] = [];
  function Form() {
    const [plan, setPlan] = useState(newPlan('p', undefined, undefined));
    return (
      <EarlyAbortFields
        plan={plan}
        error={() => undefined}
        onChange={(earlyAbort) => {
          seen.push(earlyAbort);
          setPlan({ ...plan, earlyAbort });
        }}
      />
    );
  }
  render(
    <MantineProvider>
      <Form />
    </MantineProvider>,
  );
  expect(screen.queryByRole('textbox', { name: 'Periods in a row' })).toBeNull();
  await userEvent.click(
    screen.getByRole('checkbox', { name: 'End a run early when it is wasted' }),
  );
  expect(seen.at(-1)).toEqual({ when: 'certain', periods: 2, warnS: 60 });
  await userEvent.clear(screen.getByRole('textbox', { name: 'Periods in a row' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Periods in a row' }), '3');
  expect(seen.at(-1)).toEqual({ when: 'certain', periods: 3, warnS: 60 });
  await userEvent.click(
    screen.getByRole('checkbox', { name: 'End a run early when it is wasted' }),
  );
  expect(seen.at(-1)).toBeNull();
});
