import { MultiSelect } from '@mantine/core';

import type { Connection } from '../../../core/testbed/connection.ts';
import type { HostLogin, Testbed } from '../../../core/testbed/testbed.ts';
import { linuxHostsOf } from '../../../core/testbed/usedConnections.ts';

interface Props {
  testbed: Testbed;
  /** SSH logins there are. */ clients: readonly Connection[];
  onChange: (label: string, testbed: Testbed) => void;
}

const withLogins = (testbed: Testbed, hostLogins: HostLogin[]): Testbed => {
  const { hostLogins: _before, ...rest } = testbed;
  return hostLogins.length === 0 ? rest : { ...rest, hostLogins };
};

/** Machines under test that no vCenter counts: read as clients are, shown as hosts. */
export function HostLoginFields({ testbed, clients, onChange }: Props) {
  const others = (testbed.hostLogins ?? []).filter(({ system }) => system !== 'linux');
  const chosen = linuxHostsOf(testbed);
  return (
    <MultiSelect
      label="Linux hosts under test"
      description="KVM, Proxmox or bare metal: CPU, memory, pressure, stolen time, network and disks, every second over SSH"
      placeholder={chosen.length === 0 ? 'None' : ''}
      clearable
      searchable
      maxValues={64}
      maw={560}
      data={clients.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen}
      onChange={(ids) =>
        onChange(
          'Choose Linux hosts under test',
          withLogins(testbed, [
            ...ids.map((connectionId) => ({ system: 'linux' as const, connectionId })),
            ...others,
          ]),
        )
      }
    />
  );
}
