import { SimpleGrid, Stack, Text, Title } from '@mantine/core';

import type { RunRecord } from '../../../core/run/run.ts';
import { Table } from '../../kit/Table.tsx';
import { planFacts } from './planFacts.ts';

/** The plan in words: what will run, where, how long, and how it is scored. */
export function PlanSummary({ record }: { record: RunRecord }) {
  const { plan, profile, testbed, clients } = record;
  const nameOf = (id: string): string => clients.find((c) => c.id === id)?.name ?? id;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Stack gap={4}>
        <Title order={2}>Plan</Title>
        <Table aria-label="Plan" verticalSpacing={3} fz="sm">
          <Table.Tbody>
            {planFacts(record).map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th w={120} scope="row">
                  {label}
                </Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {plan.notes !== '' && <Text size="sm">{plan.notes}</Text>}
      </Stack>
      <Stack gap={4}>
        <Title order={2}>Tiles</Title>
        <Table aria-label="Tiles" verticalSpacing={3} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Tile</Table.Th>
              <Table.Th>Workload</Table.Th>
              <Table.Th>Driver</Table.Th>
              <Table.Th>VM</Table.Th>
              <Table.Th>Client</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {testbed.tiles.slice(0, plan.tiles).flatMap((tile) =>
              tile.workloads.map((a) => {
                const workload = profile.workloads.find((w) => w.id === a.workloadId);
                return (
                  <Table.Tr key={`${tile.index}.${a.workloadId}`}>
                    <Table.Td>{tile.index + 1}</Table.Td>
                    <Table.Td>{workload?.name ?? a.workloadId}</Table.Td>
                    <Table.Td>{workload?.driver ?? 'not in the profile'}</Table.Td>
                    <Table.Td>{a.vm?.name ?? 'none'}</Table.Td>
                    <Table.Td>{nameOf(a.clientId)}</Table.Td>
                  </Table.Tr>
                );
              }),
            )}
          </Table.Tbody>
        </Table>
      </Stack>
    </SimpleGrid>
  );
}
