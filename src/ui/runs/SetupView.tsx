import { Stack, Table, Text, Title } from '@mantine/core';
import { setupChanges, setupFacts } from '../../shared/compareSetup.ts';
import type { RunRecord } from '../../shared/run.ts';
import { dim } from './tones.ts';

/** The set-up as recorded before the run, and what the run changed in it. */
export function SetupView({ record }: { record: RunRecord }) {
  const facts = setupFacts(record);
  const changes = setupChanges(record);
  const groups = [...new Set(facts.map(([group]) => group))];
  const both = record.inventoryBefore !== null && record.inventoryAfter !== null;
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Title order={3}>Changed during the run</Title>
        {!both && <Text size="sm" c={dim}>{record.inventoryBefore === null ? 'No inventory was recorded before the run.' : 'No inventory was recorded after the run.'}</Text>}
        {both && changes.length === 0 && <Text size="sm" c={dim}>Nothing: the inventory after the run equals the one before.</Text>}
        {changes.length > 0 && (
          <Table aria-label="Changed during the run" verticalSpacing={2} fz="sm">
            <Table.Thead><Table.Tr><Table.Th>What</Table.Th><Table.Th>Before</Table.Th><Table.Th>After</Table.Th></Table.Tr></Table.Thead>
            <Table.Tbody>{changes.map((c) => <Table.Tr key={`${c.group} ${c.label}`}><Table.Td>{`${c.group}: ${c.label}`}</Table.Td><Table.Td>{c.before}</Table.Td><Table.Td>{c.after}</Table.Td></Table.Tr>)}</Table.Tbody>
          </Table>
        )}
      </Stack>
      {groups.map((group) => (
        <Stack key={group} gap={2}>
          <Title order={3}>{group}</Title>
          <Table aria-label={group} verticalSpacing={2} fz="sm"><Table.Tbody>{facts.filter(([g]) => g === group).map(([, label, value]) => <Table.Tr key={label}><Table.Th w={280} scope="row" fw={500}>{label}</Table.Th><Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td></Table.Tr>)}</Table.Tbody></Table>
        </Stack>
      ))}
    </Stack>
  );
}
