import { Text } from '@mantine/core';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import type { RunEvent, RunOverview } from '../../../core/run/run.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

const kinds: Readonly<Record<RunEvent['kind'], string>> = {
  state: 'State',
  tileStarted: 'Tile',
  note: 'Note',
  fault: 'Fault',
  recovered: 'Recovered',
  abort: 'Abort',
  vcenter: 'vCenter',
  operation: 'Operation',
  drs: 'DRS',
  vm: 'VM',
  clock: 'This computer',
  act: 'Act',
};

/** What happened, in order, by time in the run; clock time on hover. */
export function EventList({ overview }: { overview: RunOverview }) {
  if (overview.events.length === 0)
    return (
      <Text size="sm" c={dim}>
        No events yet.
      </Text>
    );
  const start = overview.startedAtMs;
  return (
    <Table aria-label="Events" verticalSpacing={2} fz="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={90} ta="right">
            Time in run
          </Table.Th>
          <Table.Th w={110}>Kind</Table.Th>
          <Table.Th>What</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {[...overview.events]
          .sort((a, b) => a.tMs - b.tMs || a.id - b.id)
          .map((e) => (
            <Table.Tr key={e.id}>
              <Table.Td
                ta="right"
                title={formatClock(e.tMs)}
                style={{ fontVariantNumeric: 'tabular-nums' }}
              >
                {start === null ? formatClock(e.tMs) : formatElapsed(e.tMs - start)}
              </Table.Td>
              <Table.Td>{kinds[e.kind]}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{e.text}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
