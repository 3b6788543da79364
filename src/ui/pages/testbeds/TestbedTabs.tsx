import { Box, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import type { Profile } from '../../../core/profile/profile.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { loadClientIds } from '../../../core/testbed/usedConnections.ts';
import { useInventoryDiscoverMutation } from '../../engine/api.ts';
import { Nothing } from '../../kit/LoadState.tsx';
import { Designer, type Edits, SettingsPanel } from '../designer/index.ts';
import { GuestPanel } from '../guests/index.ts';
import { ProvisionPanel } from '../provision/index.ts';
import { ArraysForm } from './ArraysForm.tsx';
import { BasicsForm } from './BasicsForm.tsx';
import { FillHelpers } from './FillHelpers.tsx';
import { HostLoginFields } from './HostLoginFields.tsx';
import { InfrastructureForm } from './InfrastructureForm.tsx';
import { InventoryView } from './InventoryView.tsx';
import { LayoutTable } from './LayoutTable.tsx';

/** What a testbed can be made of. */
export interface Surroundings {
  profiles: readonly Profile[];
  connections: readonly Connection[];
  clients: readonly Connection[];
  vcenters: readonly Connection[];
  /** Of its vCenter. */ inventory: Inventory | null;
}

interface Props {
  edits: Edits;
  profile: Profile | undefined;
  lab: Surroundings;
  /** Opens the parameters of a workload of a tile. */
  onParameters: (tile: number, workloadId: string) => void;
}

/** Lay-out, what belongs to it, what has to be made for it, and the inventory it is built from. */
export function TestbedTabs({
  isNew,
  edited,
  ...shared
}: Props & { isNew: boolean; edited: boolean }) {
  const [tab, setTab] = useState<string | null>('layout');
  const { edits, lab } = shared;
  const { testbed } = edits;
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      {isNew && (
        <Box mb="md">
          <Basics edits={edits} lab={lab} />
        </Box>
      )}
      <Tabs.List>
        <Tabs.Tab value="layout">Layout</Tabs.Tab>
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
        {!isNew && <Tabs.Tab value="provision">Provision</Tabs.Tab>}
        {!isNew && <Tabs.Tab value="guests">Prepare guests</Tabs.Tab>}
        <Tabs.Tab value="inventory">Inventory</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="layout" pt="sm">
        <LayoutTab {...shared} onSettings={isNew ? null : () => setTab('settings')} />
      </Tabs.Panel>
      <Tabs.Panel value="settings" pt="md">
        <SettingsTab {...shared} isNew={isNew} />
      </Tabs.Panel>
      {!isNew && (
        <Tabs.Panel value="provision" pt="md">
          <ProvisionPanel testbedId={testbed.id} edited={edited} />
        </Tabs.Panel>
      )}
      {!isNew && (
        <Tabs.Panel value="guests" pt="md">
          <GuestPanel testbedId={testbed.id} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="inventory" pt="md">
        <InventoryView
          vcenters={lab.vcenters}
          vcenterId={testbed.vcenterId}
          onChoose={(vcenterId) =>
            edits.apply({ label: 'Choose the vCenter', testbed: { ...testbed, vcenterId } })
          }
        />
      </Tabs.Panel>
    </Tabs>
  );
}

const changer =
  (edits: Edits, label: string) =>
  (testbed: Testbed): void =>
    edits.apply({ label, testbed });

/**
 * Name, profile, vCenter, power, number of tiles, and hosts that are logged in to: first on the page
 * of a new testbed.
 */
function Basics({ edits, lab }: Pick<Props, 'edits' | 'lab'>) {
  const onChange = (label: string, testbed: Testbed): void => edits.apply({ label, testbed });
  return (
    <Stack gap="sm">
      <BasicsForm
        testbed={edits.testbed}
        profiles={lab.profiles}
        connections={lab.connections}
        onChange={onChange}
      />
      {lab.clients.length > 0 && (
        <HostLoginFields
          testbed={edits.testbed}
          clients={lab.clients}
          inventory={lab.inventory}
          onChange={onChange}
        />
      )}
    </Stack>
  );
}

/** Says that the vCenter was not looked into yet, and does it. */
function Undiscovered({ vcenter }: { vcenter: Connection }) {
  const [discover, discovering] = useInventoryDiscoverMutation();
  return (
    <Group gap="sm">
      <Text size="sm">{`What ${vcenter.name} holds was not read yet.`}</Text>
      <Button
        size="xs"
        variant="default"
        loading={discovering.isLoading}
        onClick={() => void discover({ vcenterId: vcenter.id })}
      >
        Discover
      </Button>
    </Group>
  );
}

function LayoutTab({
  edits,
  profile,
  lab,
  onParameters,
  onSettings,
}: Props & { /** null = the profile is chosen on this page. */ onSettings: (() => void) | null }) {
  const { testbed } = edits;
  const { inventory, clients } = lab;
  if (!profile)
    return (
      <Nothing
        text={
          'A profile says which workloads a tile holds. With one chosen, the tiles ' +
          'appear here: their VMs on hosts and LUNs.'
        }
        action={
          onSettings && (
            <Button size="xs" onClick={onSettings}>
              Choose a profile
            </Button>
          )
        }
      />
    );
  const vcenter = lab.vcenters.find(({ id }) => id === testbed.vcenterId);
  return (
    <Stack gap="sm">
      {inventory === null && vcenter && <Undiscovered vcenter={vcenter} />}
      <Designer
        edits={edits}
        profile={profile}
        inventory={inventory}
        clients={clients}
        table={
          <Stack gap="md">
            <FillHelpers
              testbed={testbed}
              inventory={inventory}
              clientIds={loadClientIds(testbed, clients)}
              onChange={changer(edits, 'Fill the table')}
            />
            <LayoutTable
              testbed={testbed}
              profile={profile}
              inventory={inventory}
              clients={clients}
              onChange={changer(edits, 'Edit the table')}
              onParameters={onParameters}
            />
          </Stack>
        }
      />
    </Stack>
  );
}

function SettingsTab({ edits, profile, lab, isNew }: Props & { isNew: boolean }) {
  const navigate = useNavigate();
  const { testbed } = edits;
  return (
    <Stack gap="md">
      {!isNew && <Basics edits={edits} lab={lab} />}
      {profile && lab.clients.length === 0 && (
        <Nothing
          text="No client machine is connected yet: workloads need one to run on."
          action={
            <Button size="xs" onClick={() => void navigate('/connections')}>
              Add client machines
            </Button>
          }
        />
      )}
      {profile && (
        <SettingsPanel
          testbed={testbed}
          profile={profile}
          inventory={lab.inventory}
          onApply={edits.apply}
        />
      )}
      {!isNew && (
        <ArraysForm
          testbed={testbed}
          inventory={lab.inventory}
          onChange={(label, changed) => edits.apply({ label, testbed: changed })}
        />
      )}
      {profile?.scoring.infrastructure && testbed.tiles.length > 0 && (
        <InfrastructureForm
          testbed={testbed}
          rule={profile.scoring.infrastructure}
          inventory={lab.inventory}
          onChange={changer(edits, 'Change infrastructure operations')}
        />
      )}
    </Stack>
  );
}
