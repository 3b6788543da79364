import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';

import type { Connection } from '../../../core/testbed/connection.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { HostLoginFields } from './HostLoginFields.tsx';

const esx = {
  system: 'esxi' as const,
  connectionId: 'esx1',
  host: { ref: 'host-1', name: 'esx1' },
};
const testbed: Testbed = {
  id: 't',
  name: 'T',
  version: 1,
  profileId: 'p',
  vcenterId: null,
  powerIds: [],
  tiles: [],
  notes: '',
  hostLogins: [esx],
};
const clients: Connection[] = ['kvm1', 'kvm2'].map((id) => ({
  kind: 'client',
  id,
  name: id,
  host: `${id}.lab`,
  port: 22,
  user: 'root',
  auth: { method: 'agent' },
}));

function Page({ onEdit }: { onEdit: (testbed: Testbed) => void }) {
  const [value, setValue] = useState(testbed);
  return (
    <MantineProvider env="test">
      <HostLoginFields
        testbed={value}
        clients={clients}
        inventory={null}
        onChange={(_label, next) => {
          setValue(next);
          onEdit(next);
        }}
      />
    </MantineProvider>
  );
}

test('Linux hosts are chosen among the SSH logins; those to other hosts stay', async () => {
  const user = userEvent.setup();
  let edited = testbed;
  render(
    <Page
      onEdit={(next) => {
        edited = next;
      }}
    />,
  );
  await user.click(screen.getByRole('combobox', { name: 'Linux hosts under test' }));
  await user.click(screen.getByRole('option', { name: 'kvm2', hidden: true }));
  expect(edited.hostLogins).toEqual([{ system: 'linux', connectionId: 'kvm2' }, esx]);
});

test('an ESXi host gets the login by which esxtop is run there, and loses it', async () => {
  const user = userEvent.setup();
  let edited = testbed;
  render(
    <Page
      onEdit={(next) => {
        edited = next;
      }}
    />,
  );
  await user.click(screen.getByText('SSH logins of the ESXi hosts, for esxtop'));
  await user.click(screen.getByRole('combobox', { name: 'esx1' }));
  await user.keyboard('kvm1{ArrowDown}{Enter}');
  expect(edited.hostLogins).toEqual([{ ...esx, connectionId: 'kvm1' }]);
});
