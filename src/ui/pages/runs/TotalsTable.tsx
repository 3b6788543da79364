import { Text } from '@mantine/core';

import type { Score } from '../../../core/run/scoreTypes.ts';
import { workloadTotals } from '../../../core/score/totals.ts';
import { Figure } from '../../kit/Figure.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

/**
 * What each workload did in all tiles together, and how even the tiles were: figures that need no
 * reference.
 */
export function TotalsTable({ score }: { score: Score }) {
  const rows = workloadTotals(score);
  if (rows.length === 0)
    return (
      <Text size="sm" c={dim}>
        No measurement period was reached.
      </Text>
    );
  const several = score.tiles > 1;
  return (
    <Table aria-label="Totals" verticalSpacing={2} fz="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Workload</Table.Th>
          <Table.Th ta="right">{several ? 'Sum of the tiles' : 'Throughput'}</Table.Th>
          {several && (
            <>
              <Table.Th ta="right">Least tile</Table.Th>
              <Table.Th ta="right">Most tile</Table.Th>
              <Table.Th ta="right" title="Throughput of the least tile, of that of the most">
                Balance between tiles
              </Table.Th>
            </>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.workloadId}>
            <Table.Td>{`${row.name}${row.scored ? '' : ', not scored'}`}</Table.Td>
            <Table.Td ta="right">
              <Figure value={row.total} unit={row.unit} />
            </Table.Td>
            {several && (
              <>
                <Table.Td ta="right">
                  <Figure value={row.least} unit={row.unit} />
                </Table.Td>
                <Table.Td ta="right">
                  <Figure value={row.most} unit={row.unit} />
                </Table.Td>
                <Table.Td ta="right">
                  <Figure value={row.balance === null ? null : row.balance * 100} unit="%" />
                </Table.Td>
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
