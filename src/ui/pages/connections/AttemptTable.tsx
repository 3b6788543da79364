import { ScrollArea, Text } from '@mantine/core';

import type { Connection } from '../../../core/testbed/connection.ts';
import { addressOf } from '../../kit/connectionWords.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { asksTrust, type Attempt, attemptWords } from './attempt.ts';

/** The connections that would be made, and what came of connecting to each. */
export function AttemptTable({
  connections,
  attempts,
}: {
  connections: readonly Connection[];
  attempts: Readonly<Record<string, Attempt>>;
}) {
  const tried = Object.values(attempts);
  const trust = tried.filter(asksTrust).length;
  const failed = tried.filter(
    (attempt) => !attempt.busy && !asksTrust(attempt) && attempt.report?.ok !== true,
  ).length;
  return (
    <section aria-label="What is made">
      <Text size="sm" fw={500} role="status" mb={4}>
        {`${connections.length} client machines` +
          (trust > 0 ? `, ${trust} to compare and trust` : '') +
          (failed > 0 ? `, ${failed} failed` : '')}
      </Text>
      <ScrollArea.Autosize mah={280} type="auto">
        <Table fz="xs" aria-label="What is made">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Address</Table.Th>
              {tried.length > 0 && <Table.Th>Host key or failure</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {connections.map((connection) => {
              const attempt = attempts[connection.id];
              return (
                <Table.Tr key={connection.id}>
                  <Table.Td>{connection.name}</Table.Td>
                  <Table.Td className="mono">{addressOf(connection)}</Table.Td>
                  {tried.length > 0 && (
                    <Table.Td style={{ overflowWrap: 'anywhere', userSelect: 'text' }}>
                      {attemptWords(attempt) ?? <Text size="xs" c={dim} children="Not yet" />}
                    </Table.Td>
                  )}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </section>
  );
}
