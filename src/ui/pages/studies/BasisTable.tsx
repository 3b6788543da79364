import { Text } from '@mantine/core';

import { basisInOrder, basisWords, servesWords } from '../../../core/study/basisWords.ts';
import type { StudyBasis } from '../../../core/study/study.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

/**
 * The constants of a ready-made study: what was published, what has a source, and what was chosen
 * to match.
 */
export function BasisTable({ basis }: { basis: readonly StudyBasis[] }) {
  return (
    <>
      <Text size="sm" c={dim} mb={6}>
        A constant that is chosen serves every published line of the studies that use it. Where it
        is the result, the study shows what was put in.
      </Text>
      <Table aria-label="What it rests on" fz="sm" verticalSpacing={3} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Figure</Table.Th>
            <Table.Th ta="right">Serves</Table.Th>
            <Table.Th>Source</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {basisInOrder(basis).map((row) => (
            <Table.Tr key={`${row.kind} ${row.what}`}>
              <Table.Td
                style={{ whiteSpace: 'nowrap' }}
                fw={row.kind === 'result' ? 600 : undefined}
              >
                {basisWords[row.kind]}
              </Table.Td>
              <Table.Th scope="row" fw={400}>
                {row.what}
              </Table.Th>
              <Table.Td style={{ fontVariantNumeric: 'tabular-nums' }}>{row.figure}</Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                {servesWords(row)}
              </Table.Td>
              <Table.Td fz="xs" style={{ maxWidth: 420 }}>
                {row.source}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
