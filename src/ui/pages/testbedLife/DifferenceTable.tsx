import { Text } from '@mantine/core';

import { diffGroups, type TestbedDifference } from '../../../core/testbed/testbedDiffTypes.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

interface Props {
  differences: readonly TestbedDifference[];
  before: string;
  after: string;
}

/** Only what differs between two testbeds, by subject. */
export function DifferenceTable({ differences, before, after }: Props) {
  if (differences.length === 0)
    return <Text size="sm" role="status">{`Nothing differs between ${before} and ${after}.`}</Text>;
  const groups = (Object.keys(diffGroups) as (keyof typeof diffGroups)[])
    .map((group) => ({ group, rows: differences.filter((one) => one.group === group) }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <Table.ScrollContainer
      minWidth={420}
      maxHeight={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Differences, scrollable' } }}
    >
      <Table
        aria-label={`What differs between ${before} and ${after}`}
        stickyHeader
        fz="sm"
        verticalSpacing={3}
        layout="fixed"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="44%">What</Table.Th>
            <Table.Th>{before}</Table.Th>
            <Table.Th>{after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {groups.map(({ group, rows }) => (
          <Table.Tbody key={group}>
            <Table.Tr>
              <Table.Th colSpan={3} scope="rowgroup" c={dim} fw={600} pt={10}>
                {diffGroups[group]}
              </Table.Th>
            </Table.Tr>
            {rows.map((row) =>
              row.before === null && row.after === null ? (
                <Table.Tr key={row.label}>
                  <Table.Td colSpan={3}>{row.label}</Table.Td>
                </Table.Tr>
              ) : (
                <Table.Tr key={row.label}>
                  <Table.Td>{row.label}</Table.Td>
                  <Value text={row.before} />
                  <Value text={row.after} />
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
        ))}
      </Table>
    </Table.ScrollContainer>
  );
}

function Value({ text }: { text: string | null }) {
  return (
    <Table.Td c={text === null ? dim : 'inherit'} style={{ overflowWrap: 'anywhere' }}>
      {text ?? 'none'}
    </Table.Td>
  );
}
