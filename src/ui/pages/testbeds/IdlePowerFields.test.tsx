import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';

import type { Testbed } from '../../../core/testbed/testbed.ts';
import { IdlePowerFields } from './IdlePowerFields.tsx';

const testbed: Testbed = {
  id: 't',
  name: 'T',
  version: 1,
  profileId: 'p',
  vcenterId: null,
  powerIds: ['m'],
  tiles: [],
  notes: '',
};

function Page({ onEdit }: { onEdit: (idle: Testbed['idlePower']) => void }) {
  const [value, setValue] = useState(testbed);
  return (
    <MantineProvider env="test">
      <IdlePowerFields
        testbed={value}
        onChange={(_label, next) => {
          setValue(next);
          onEdit(next.idlePower);
        }}
      />
    </MantineProvider>
  );
}

test('idle power is given by hand without a proposed figure, measured before runs, or not known', async () => {
  const user = userEvent.setup();
  let idle: Testbed['idlePower'];
  render(
    <Page
      onEdit={(next) => {
        idle = next;
      }}
    />,
  );
  const choose = async (name: string): Promise<void> => {
    await user.click(screen.getByRole('combobox', { name: 'Idle power' }));
    await user.click(screen.getByRole('option', { name, hidden: true }));
  };
  await choose('Given by hand');
  expect(idle).toEqual({ by: 'given', watts: NaN, windowS: 60 });
  await user.type(screen.getByRole('textbox', { name: 'Idle watts' }), '212.5');
  await user.clear(screen.getByRole('textbox', { name: 'Watched for' }));
  await user.type(screen.getByRole('textbox', { name: 'Watched for' }), '600');
  expect(idle).toEqual({ by: 'given', watts: 212.5, windowS: 600 });
  await choose('Measured before each run');
  expect(idle).toEqual({ by: 'measured', windowS: 60 });
  expect(screen.queryByRole('textbox', { name: 'Idle watts' })).toBeNull();
  await choose('Not known');
  expect(idle).toBeNull();
});
