import { Button, Group, Pagination, Popover, Select, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Assignment, Connection, Inventory, Testbed } from '../../../core/testbed/testbed.ts';
import { useDriverListQuery } from '../../engine/api.ts';
import { Table } from '../../kit/Table.tsx';
import { placeOf, withAssignment } from './layout.ts';
import { ParamFields } from './ParamFields.tsx';

interface Props {
  testbed: Testbed;
  profile: Profile;
  inventory: Inventory | null;
  clients: readonly Connection[];
  onChange: (testbed: Testbed) => void;
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
export function LayoutTable({ testbed, profile, inventory, clients, onChange }: Props) {
  const { data: drivers = [] } = useDriverListQuery({});
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
  const pages = Math.max(1, Math.ceil(testbed.tiles.length / tilesAPage)),
    current = Math.min(page, pages);
  const from = (current - 1) * tilesAPage;
  const shown = testbed.tiles.slice(from, from + tilesAPage);
  const clientData = clients.map((c) => ({ value: c.id, label: c.name }));
  return (
    <Stack gap={8}>
      {pages > 1 && (
        <Group justify="space-between">
          <Text
            size="sm"
            role="status"
          >{`Tiles ${from + 1} to ${from + shown.length} of ${testbed.tiles.length}`}</Text>
          <Pagination
            size="sm"
            total={pages}
            value={current}
            onChange={setPage}
            aria-label="Pages of tiles"
            getControlProps={(control) => ({
              'aria-label':
                control === 'next'
                  ? 'Next page'
                  : control === 'previous'
                    ? 'Previous page'
                    : control,
            })}
            getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
          />
        </Group>
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
                const place = placeOf(inventory, assignment.vm?.ref);
                const label = `tile ${tile.index + 1} ${workload.name}`;
                const set = (patch: Partial<Assignment>): void =>
                  onChange(withAssignment(testbed, tile.index, workload.id, patch));
                const vmData =
                  assignment.vm && !names.has(assignment.vm.ref)
                    ? [
                        ...vms,
                        {
                          value: assignment.vm.ref,
                          label: `${assignment.vm.name} (not in the inventory)`,
                        },
                      ]
                    : vms;
                const changed = Object.keys(assignment.params).length;
                return (
                  <Table.Tr
                    key={`${tile.index} ${workload.id}`}
                    style={
                      at === 0
                        ? { borderTop: '2px solid var(--mantine-color-default-border)' }
                        : undefined
                    }
                  >
                    <Table.Td>
                      {at === 0 ? (
                        tile.index + 1
                      ) : (
                        <Text span c="dimmed" size="sm" aria-label={String(tile.index + 1)}>
                          ″
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>{workload.name}</Table.Td>
                    <Table.Td className="mono">{workload.driver}</Table.Td>
                    <Table.Td>
                      <Select
                        aria-label={`VM of ${label}`}
                        size="xs"
                        searchable
                        clearable
                        limit={100}
                        placeholder="No VM"
                        nothingFoundMessage="No VM has this name"
                        data={vmData}
                        value={assignment.vm?.ref ?? null}
                        onChange={(ref) =>
                          set({
                            vm:
                              ref === null
                                ? null
                                : { ref, name: names.get(ref) ?? assignment.vm?.name ?? ref },
                          })
                        }
                      />
                    </Table.Td>
                    <Table.Td>{place?.host ?? '–'}</Table.Td>
                    <Table.Td>{place?.datastore ?? '–'}</Table.Td>
                    <Table.Td>
                      <Select
                        aria-label={`Client of ${label}`}
                        size="xs"
                        searchable
                        allowDeselect={false}
                        placeholder="Choose"
                        data={clientData}
                        value={assignment.clientId || null}
                        onChange={(clientId) => {
                          if (clientId !== null) set({ clientId });
                        }}
                      />
                    </Table.Td>
                    <Table.Td>
                      <Popover
                        position="left-start"
                        trapFocus
                        width={380}
                        withinPortal
                        transitionProps={{ duration: 0 }}
                      >
                        <Popover.Target>
                          <Button
                            size="compact-xs"
                            variant="default"
                            aria-label={`Parameters of ${label}`}
                          >
                            {changed === 0 ? 'As profile' : `${changed} changed`}
                          </Button>
                        </Popover.Target>
                        <Popover.Dropdown>
                          <Stack gap={8} mah={420} style={{ overflow: 'auto' }}>
                            <ParamFields
                              driver={drivers.find((d) => d.id === workload.driver)}
                              profileParams={workload.params}
                              params={assignment.params}
                              onChange={(params) => set({ params })}
                            />
                          </Stack>
                        </Popover.Dropdown>
                      </Popover>
                    </Table.Td>
                  </Table.Tr>
                );
              }),
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
