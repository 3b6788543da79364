import { MultiSelect, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useRef } from 'react';

import type { Profile } from '../../../core/profile/profile.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { loadClientIds } from '../../../core/testbed/usedConnections.ts';
import { NumberField } from '../../kit/NumberField.tsx';
import { IdlePowerFields } from './IdlePowerFields.tsx';
import { withTiles } from './layout.ts';

interface Props {
  testbed: Testbed;
  profiles: readonly Profile[];
  connections: readonly Connection[];
  onChange: (label: string, testbed: Testbed) => void;
}

/** Name, profile, vCenter, power sources and number of tiles. */
export function BasicsForm({ testbed, profiles, connections, onChange }: Props) {
  /** As they were when the field of their number was entered: what `1` of `15` cut away comes back. */
  const tilesBefore = useRef<Testbed['tiles'] | null>(null);
  const profile = profiles.find((p) => p.id === testbed.profileId);
  const clientIds = loadClientIds(testbed, connections);
  const of = (kind: Connection['kind']): { value: string; label: string }[] =>
    connections.filter((c) => c.kind === kind).map((c) => ({ value: c.id, label: c.name }));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }} spacing="md" verticalSpacing="sm">
        <TextInput
          label="Name"
          description="Shown in plans"
          required
          value={testbed.name}
          onChange={(event) =>
            onChange('Rename the testbed', { ...testbed, name: event.currentTarget.value })
          }
        />
        <Select
          label="Benchmark profile"
          description="What a tile holds"
          placeholder="Choose"
          required
          allowDeselect={false}
          data={profiles.map((p) => ({ value: p.id, label: p.name }))}
          value={testbed.profileId || null}
          onChange={(value) => {
            const chosen = profiles.find((p) => p.id === value);
            if (chosen)
              onChange(
                `Use profile ${chosen.name}`,
                withTiles(
                  { ...testbed, profileId: chosen.id },
                  chosen,
                  Math.max(1, testbed.tiles.length),
                  clientIds,
                ),
              );
          }}
        />
        <Select
          label="vCenter"
          placeholder="None"
          description="Watches VMs, hosts, datastores"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear vCenter' }}
          data={of('vcenter')}
          value={testbed.vcenterId}
          onChange={(vcenterId) => onChange('Choose the vCenter', { ...testbed, vcenterId })}
        />
        <MultiSelect
          label="Power sources"
          placeholder={testbed.powerIds.length === 0 ? 'None' : ''}
          description="Recorded while a run goes"
          clearable
          data={of('power')}
          value={testbed.powerIds}
          onChange={(powerIds) => onChange('Choose power sources', { ...testbed, powerIds })}
        />
        <NumberField
          label="Tiles"
          description={profile ? '1 to 400' : 'Choose a profile first'}
          within={[1, 400]}
          allowDecimal={false}
          disabled={!profile}
          value={testbed.tiles.length}
          onChange={(count) => {
            if (profile)
              onChange(
                `Set ${count} tiles`,
                withTiles(
                  { ...testbed, tiles: tilesBefore.current ?? testbed.tiles },
                  profile,
                  count,
                  clientIds,
                ),
              );
          }}
          onFocus={() => {
            tilesBefore.current = testbed.tiles;
          }}
          onBlur={() => {
            tilesBefore.current = null;
          }}
        />
      </SimpleGrid>
      {testbed.powerIds.length > 0 && <IdlePowerFields testbed={testbed} onChange={onChange} />}
      {profile && (
        <Text size="sm" c="dimmed">
          {profile.description}
        </Text>
      )}
    </Stack>
  );
}
