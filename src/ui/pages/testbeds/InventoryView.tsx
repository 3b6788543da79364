import { Button, Group, Select, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { useInventoryDiscoverMutation, useInventoryGetQuery } from '../../engine/api.ts';
import { useSimulateInventory } from '../../engine/labInventory.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { type InventoryTable, inventoryTables } from './inventoryTables.ts';
import { VirtualTable } from './VirtualTable.tsx';

/**
 * What a vCenter holds, as of the last discovery: clusters, hosts, datastores with LUNs, networks,
 * VMs.
 */
export function InventoryView({
  vcenters,
  vcenterId,
  onChoose,
}: {
  vcenters: readonly Connection[];
  vcenterId: string | null;
  onChoose: (id: string | null) => void;
}) {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const { data, error, isLoading, refetch } = useInventoryGetQuery(
    { vcenterId: vcenterId ?? '' },
    { skip: vcenterId === null },
  );
  const [discover, discovering] = useInventoryDiscoverMutation();
  const simulate = useSimulateInventory();
  const tables = useMemo(() => (data ? inventoryTables(data) : []), [data]);
  if (vcenters.length === 0)
    return (
      <Nothing
        text="No vCenter is connected yet."
        action={
          <Button size="xs" onClick={() => void navigate('/connections')}>
            Add vCenter
          </Button>
        }
      />
    );
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <Select
          label="vCenter"
          data={vcenters.map((c) => ({ value: c.id, label: c.name }))}
          value={vcenterId}
          onChange={onChoose}
        />
        <Button
          loading={discovering.isLoading}
          disabled={vcenterId === null}
          onClick={() => {
            if (vcenterId !== null) void discover({ vcenterId });
          }}
        >
          Discover
        </Button>
        {data && (
          <Button
            variant="default"
            leftSection={<IconFlask size={16} aria-hidden />}
            onClick={() =>
              simulate(data, vcenters.find(({ id }) => id === vcenterId)?.name ?? data.product)
            }
          >
            Simulate this lab…
          </Button>
        )}
        {data && (
          <Text
            size="sm"
            c="dimmed"
          >{`${data.product}, discovered ${formatDateTime(data.takenAtMs)}`}</Text>
        )}
      </Group>
      {discovering.error && (
        <Failure title="Discovery failed" error={discovering.error as AppErrorShape} />
      )}
      {vcenterId === null ? (
        <Nothing text="Choose a vCenter to see its inventory." />
      ) : error ? (
        <Failure
          title="The inventory cannot be read"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : isLoading ? (
        <Pending label="inventory" />
      ) : !data ? (
        <Nothing text="Not discovered yet. Discovery reads names, sizes and places; it changes nothing." />
      ) : (
        <InventoryTabs tables={tables} search={search} onSearch={setSearch} />
      )}
    </Stack>
  );
}

/** One table a kind of thing, with one search over each. */
function InventoryTabs({
  tables,
  search,
  onSearch,
}: {
  tables: readonly InventoryTable[];
  search: string;
  onSearch: (search: string) => void;
}) {
  return (
    <Tabs defaultValue="Hosts" keepMounted={false}>
      <Group justify="space-between" wrap="nowrap">
        <Tabs.List>
          {tables.map((table) => (
            <Tabs.Tab
              key={table.name}
              value={table.name}
            >{`${table.name} (${table.rows.length})`}</Tabs.Tab>
          ))}
        </Tabs.List>
        <TextInput
          size="xs"
          w={240}
          aria-label="Search the inventory"
          placeholder="Search"
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </Group>
      {tables.map((table) => (
        <Tabs.Panel key={table.name} value={table.name} pt={8}>
          <VirtualTable
            label={table.name}
            columns={table.columns}
            rows={table.rows}
            search={search}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
