import { Button, Text } from '@mantine/core';

import type { TestReport } from '../../../wire/contract/connections.ts';
import { Table } from '../../kit/Table.tsx';

/** What a meter could be read at, with its watts at the test: one is read, never a sum. */
export function ReadingsOffered({
  report: { readings = [] },
  onChoose,
}: {
  report: TestReport;
  onChoose: (reading: string) => void;
}) {
  if (readings.length === 0) return null;
  return (
    <Table aria-label="Readings" fz="sm" mt="xs" verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Reading</Table.Th>
          <Table.Th ta="right">Watts</Table.Th>
          <Table.Th w={110} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {readings.map(({ reading, label, watts, chosen }) => (
          <Table.Tr key={reading}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{label}</Table.Td>
            <Table.Td ta="right">{watts === null ? '–' : `${watts} W`}</Table.Td>
            <Table.Td ta="right">
              {chosen ? (
                <Text size="sm">✓ Is read</Text>
              ) : (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Read ${label}`}
                  onClick={() => onChoose(reading)}
                >
                  Read this
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
