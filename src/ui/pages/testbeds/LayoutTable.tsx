import { Group, Pagination, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { Table } from '../../kit/Table.tsx';
import { AssignmentRow } from './AssignmentRow.tsx';
import { withAssignment } from './layout.ts';

interface Props {
  testbed: Testbed;
  profile: Profile;
  inventory: Inventory | null;
  clients: readonly Connection[];
  onChange: (testbed: Testbed) => void;
  onParameters: (tile: number, workloadId: string) => void;
}

/**
 * Each row has two drop-downs: a page of them opens at once, all tiles of a large testbed would
 * not.
 */
const tilesAPage = 10;

/**
 * Tiles × workloads as rows: which VM, which client, where the VM is now, and what the driver is
 * told beyond the profile.
 */
export function LayoutTable({
  testbed,
  profile,
  inventory,
  clients,
  onChange,
  onParameters,
}: Props) {
  const vms = useMemo(
    () =>
      (inventory?.vms ?? [])
        .filter((vm) => !vm.template)
        .map((vm) => ({ value: vm.ref, label: vm.name }))
        .sort((a, b) => byNaturalOrder(a.label, b.label)),
    [inventory],
  );
  const names = useMemo(() => new Map(vms.map((vm) => [vm.value, vm.label])), [vms]);
  const [page, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(testbed.tiles.length / tilesAPage));
  const current = Math.min(page, pages);
  const from = (current - 1) * tilesAPage;
  const shown = testbed.tiles.slice(from, from + tilesAPage);
  const clientData = clients.map((c) => ({ value: c.id, label: c.name }));
  return (
    <Stack gap={8}>
      {pages > 1 && (
        <Pages
          words={`Tiles ${from + 1} to ${from + shown.length} of ${testbed.tiles.length}`}
          total={pages}
          current={current}
          onPage={setPage}
        />
      )}
      <Table.ScrollContainer minWidth={980} maxHeight="60vh">
        <Table aria-label="Layout" fz="sm" stickyHeader verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Tile</Table.Th>
              <Table.Th>Workload</Table.Th>
              <Table.Th>Driver</Table.Th>
              <Table.Th miw={200}>VM</Table.Th>
              <Table.Th>Host now</Table.Th>
              <Table.Th>Datastore now</Table.Th>
              <Table.Th miw={180}>Client machine</Table.Th>
              <Table.Th>Parameters</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.flatMap((tile) =>
              tile.workloads.map((assignment, at) => {
                const workload = profile.workloads.find((w) => w.id === assignment.workloadId);
                if (!workload) return null;
                return (
                  <AssignmentRow
                    key={`${tile.index} ${workload.id}`}
                    tileIndex={tile.index}
                    firstOfTile={at === 0}
                    assignment={assignment}
                    workload={workload}
                    inventory={inventory}
                    vms={vms}
                    names={names}
                    clients={clientData}
                    onSet={(patch) =>
                      onChange(withAssignment(testbed, tile.index, workload.id, patch))
                    }
                    onParameters={() => onParameters(tile.index, workload.id)}
                  />
                );
              }),
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function Pages({
  words,
  total,
  current,
  onPage,
}: {
  words: string;
  total: number;
  current: number;
  onPage: (page: number) => void;
}) {
  return (
    <Group justify="space-between">
      <Text size="sm" role="status">
        {words}
      </Text>
      <Pagination
        size="sm"
        total={total}
        value={current}
        onChange={onPage}
        aria-label="Pages of tiles"
        getControlProps={(control) => ({
          'aria-label':
            control === 'next' ? 'Next page' : control === 'previous' ? 'Previous page' : control,
        })}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
      />
    </Group>
  );
}
