import { Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
} from '@tabler/icons-react';

import {
  leftOfLimit,
  limitKey,
  type QosHeadroom,
  scoreHeadroom,
} from '../../../core/limits/index.ts';
import { metricWord } from '../../../core/metric/metricWords.ts';
import type { Score } from '../../../core/run/scoreTypes.ts';
import { Figure } from '../../kit/Figure.tsx';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

const near = 0.2;

/** Icon and word for a headroom: broken, near (under 20 % left), kept, not measured. */
function HeadroomWord({ headroom }: { headroom: number | null }) {
  const [WordIcon, color, word] =
    headroom === null
      ? ([IconHelpCircle, 'dimmed', 'not measured'] as const)
      : headroom < 0
        ? ([IconCircleX, 'red', 'broken'] as const)
        : headroom < near
          ? ([IconAlertTriangle, 'orange', 'near'] as const)
          : ([IconCircleCheck, 'green', 'kept'] as const);
  return (
    <Group gap={4} wrap="nowrap">
      <WordIcon
        size={14}
        aria-hidden
        color={color === 'dimmed' ? undefined : `var(--mantine-color-${color}-6)`}
      />
      <Text span inherit>
        {word}
      </Text>
    </Group>
  );
}

/** Each QoS limit of each tile in its worst period, the worst first. */
export function QosTable({ score }: { score: Score }) {
  const rows = scoreHeadroom(score);
  if (rows.length === 0)
    return (
      <Text size="sm" c={dim}>
        The profile sets no QoS limit.
      </Text>
    );
  return (
    <Table aria-label="Quality of service" verticalSpacing={2} fz="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Workload</Table.Th>
          <Table.Th>Limit on</Table.Th>
          <Table.Th ta="right">Worst period</Table.Th>
          <Table.Th ta="right">Measured</Table.Th>
          <Table.Th ta="right">Limit</Table.Th>
          <Table.Th ta="right">Left of limit</Table.Th>
          <Table.Th>State</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((q) => (
          <Table.Tr key={limitKey(q)}>
            <Table.Td>{`Tile ${q.tile + 1} ${q.name}`}</Table.Td>
            <Table.Td>
              {(q.measure === 'failurePct' ? 'Share of failures' : metricWord(q.metric)) +
                (q.operation === undefined ? '' : ` of ${q.operation}`)}
            </Table.Td>
            <Table.Td ta="right">{q.over === 'steady' ? 'all' : q.period + 1}</Table.Td>
            <Table.Td ta="right">
              <Figure value={q.value} unit={q.unit} />
            </Table.Td>
            <Table.Td
              ta="right"
              title={q.source}
            >{`${q.kind === 'max' ? '≤' : '≥'} ${q.limit} ${q.unit}`}</Table.Td>
            <Table.Td ta="right">
              <Left of={q} />
            </Table.Td>
            <Table.Td>
              <HeadroomWord headroom={q.headroom} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** In the words of the cards and of the tiles: one fact has one figure on the page. */
function Left({ of }: { of: QosHeadroom }) {
  const left = leftOfLimit(of);
  return left === null || of.headroom === null ? (
    <Figure value={null} unit="%" />
  ) : (
    <span {...raw(of.headroom * 100, '%')}>{`${left.figure} ${left.word}`}</span>
  );
}
