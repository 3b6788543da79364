import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

const looks = {
  block: { color: 'red', icon: IconCircleX, word: 'Blocks' },
  warn: { color: 'orange', icon: IconAlertTriangle, word: 'Warning' },
  info: { color: 'gray', icon: IconInfoCircle, word: 'Note' },
} as const;
/** What is found so long after the end was not found by the run. */
const longAfterMs = 60_000;
const rank = { block: 0, warn: 1, info: 2 } as const;

/** Findings, the gravest first, each with what to do. */
export function Findings({ overview }: { overview: RunOverview }) {
  const list = [...overview.findings].sort(
    (a, b) => rank[a.severity] - rank[b.severity] || a.tMs - b.tMs,
  );
  if (list.length === 0)
    return (
      <Text size="sm" c={dim}>
        No findings.
      </Text>
    );
  return (
    <Table aria-label="Findings" verticalSpacing={3} fz="sm" withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={110}>Severity</Table.Th>
          <Table.Th w={110} ta="right">
            Time in run
          </Table.Th>
          <Table.Th>Finding</Table.Th>
          <Table.Th w="35%">Fix</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.map((f) => {
          const { color, icon: FindingIcon, word } = looks[f.severity];
          // What an import finds, it finds on the day of the import.
          const at =
            overview.startedAtMs === null
              ? formatClock(f.tMs)
              : overview.endedAtMs !== null && f.tMs > overview.endedAtMs + longAfterMs
                ? 'after it'
                : formatElapsed(f.tMs - overview.startedAtMs);
          return (
            <Table.Tr
              key={`${f.id}@${f.tMs}`}
              {...(f.severity === 'block' && { bg: 'var(--tb-bad-tint)' })}
            >
              <Table.Td>
                <Group gap={6} wrap="nowrap" fw={600}>
                  <FindingIcon size={15} aria-hidden color={`var(--mantine-color-${color}-6)`} />
                  {word}
                </Group>
              </Table.Td>
              <Table.Td
                ta="right"
                title={formatClock(f.tMs)}
                style={{ fontVariantNumeric: 'tabular-nums' }}
              >
                {at}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{f.text}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{f.fix ?? '–'}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
