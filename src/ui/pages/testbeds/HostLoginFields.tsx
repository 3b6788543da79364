import { MultiSelect, Select, SimpleGrid, Stack, Text } from '@mantine/core';

import type { Connection } from '../../../core/testbed/connection.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { HostLogin, NamedRef, Testbed } from '../../../core/testbed/testbed.ts';
import { esxiLoginsOf, linuxHostsOf } from '../../../core/testbed/usedConnections.ts';
import { Fold } from '../../kit/Fold.tsx';

interface Props {
  testbed: Testbed;
  /** SSH logins there are. */ clients: readonly Connection[];
  /** Of its vCenter. */ inventory: Inventory | null;
  onChange: (label: string, testbed: Testbed) => void;
}

const withLogins = (testbed: Testbed, hostLogins: HostLogin[]): Testbed => {
  const { hostLogins: _before, ...rest } = testbed;
  return hostLogins.length === 0 ? rest : { ...rest, hostLogins };
};

/** Machines under test that are logged in to: Linux hosts, and ESXi hosts for esxtop. */
export function HostLoginFields({ testbed, clients, inventory, onChange }: Props) {
  const linux = linuxHostsOf(testbed);
  const esxi = esxiLoginsOf(testbed);
  const options = clients.map(({ id, name }) => ({ value: id, label: name }));
  const asLinux = (connectionId: string): HostLogin => ({ system: 'linux', connectionId });
  const setLinux = (ids: readonly string[]): void =>
    onChange('Choose Linux hosts under test', withLogins(testbed, [...ids.map(asLinux), ...esxi]));
  const setEsxi = (host: NamedRef, connectionId: string | null): void =>
    onChange(
      `Choose the login of ${host.name}`,
      withLogins(testbed, [
        ...linux.map(asLinux),
        ...esxi.filter((one) => one.host.ref !== host.ref),
        ...(connectionId === null ? [] : [{ system: 'esxi' as const, connectionId, host }]),
      ]),
    );
  const hosts = esxiHosts(testbed, inventory);
  return (
    <Stack gap="sm">
      <MultiSelect
        label="Linux hosts under test"
        description="KVM, Proxmox or bare metal: CPU, memory, pressure, stolen time, network and disks, every second over SSH"
        placeholder={linux.length === 0 ? 'None' : ''}
        clearable
        searchable
        maxValues={64}
        maw={640}
        data={options}
        value={linux}
        onChange={setLinux}
      />
      {hosts.length > 0 && (
        <Fold
          title="SSH logins of the ESXi hosts, for esxtop"
          said={esxi.length === 0 ? 'none' : `${esxi.length} of ${hosts.length}`}
        >
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              As root, or as a user that may run esxtop; SSH must be on there. Not yet run on ESXi.
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
              {hosts.map((host) => (
                <Select
                  key={host.ref}
                  label={host.name}
                  placeholder="No login"
                  clearable
                  searchable
                  data={options}
                  value={esxi.find((one) => one.host.ref === host.ref)?.connectionId ?? null}
                  onChange={(connectionId) => setEsxi(host, connectionId)}
                />
              ))}
            </SimpleGrid>
          </Stack>
        </Fold>
      )}
    </Stack>
  );
}

/** Hosts of the testbed as it is laid out, else all; and those that a login is named for. */
function esxiHosts(testbed: Testbed, inventory: Inventory | null): NamedRef[] {
  const chosen = testbed.layout?.hosts ?? [];
  const all = chosen.length > 0 ? chosen : (inventory?.hosts ?? []);
  return [
    ...new Map(
      [...all, ...esxiLoginsOf(testbed).map(({ host }) => host)].map(({ ref, name }) => [
        ref,
        { ref, name },
      ]),
    ).values(),
  ];
}
