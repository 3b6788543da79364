import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { expandPattern, fillByPattern, fillClients } from './layout.ts';

interface Props {
  testbed: Testbed;
  inventory: Inventory | null;
  clientIds: readonly string[];
  onChange: (testbed: Testbed) => void;
}

/** Many assignments at once: VMs by a naming pattern, clients in turn. */
export function FillHelpers({ testbed, inventory, clientIds, onChange }: Props) {
  const [pattern, setPattern] = useState('tile{tile}-{workload}');
  const [said, setSaid] = useState('');
  const example = expandPattern(
    pattern,
    0,
    testbed.tiles[0]?.workloads[0]?.workloadId ?? 'database',
  );
  const fill = (): void => {
    const {
      testbed: filled,
      matched,
      missing,
    } = fillByPattern(testbed, inventory?.vms ?? [], pattern);
    onChange(filled);
    setSaid(
      missing.length === 0
        ? `${matched} VMs assigned.`
        : `${matched} VMs assigned; no VM is called ` +
            `${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ` and ${missing.length - 3} more` : ''}.`,
    );
  };
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label="VM names"
        description={`{tile} counts from 1, {workload} is its id: ${example}`}
        classNames={{ input: 'mono' }}
        w={340}
        value={pattern}
        onChange={(event) => setPattern(event.currentTarget.value)}
      />
      <Button variant="default" disabled={!inventory} onClick={fill}>
        Assign VMs by name
      </Button>
      <Button
        variant="default"
        disabled={clientIds.length === 0}
        onClick={() => {
          onChange(fillClients(testbed, clientIds, 'tile'));
          setSaid('One client per tile, in turn.');
        }}
      >
        A client per tile
      </Button>
      <Button
        variant="default"
        disabled={clientIds.length === 0}
        onClick={() => {
          onChange(fillClients(testbed, clientIds, 'workload'));
          setSaid('Clients in turn over all workloads.');
        }}
      >
        Clients in turn
      </Button>
      <Text size="sm" role="status">
        {said}
      </Text>
    </Group>
  );
}
