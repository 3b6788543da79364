import { Group, ScrollArea, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';

import {
  type CompareTest,
  type Comparison,
  formatCell,
  formatDelta,
  intervalText,
  rowDecimals,
} from '../../../core/compare/index.ts';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { RunKey } from './RunKey.tsx';
import { VerdictWord, wordColor } from './VerdictWord.tsx';

/**
 * A change with its sign and unit, and what is told of it. `test` null: a repeat of the baseline.
 */
function Delta({ deltaPct, test }: { deltaPct: number | null; test: CompareTest | null }) {
  if (deltaPct === null)
    return (
      <Text
        span
        inherit
        c={dim}
        title="A value is missing, or the scores have different references"
      >
        –
      </Text>
    );
  const Icon = deltaPct === 0 ? IconEqual : deltaPct > 0 ? IconArrowUpRight : IconArrowDownRight;
  const detail =
    test === null
      ? 'A repeat of the baseline: what differs is noise'
      : [intervalText(test), test.basis].filter((t) => t !== '').join('; ');
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end" title={`${deltaPct} %. ${detail}`}>
      <Group gap={3} wrap="nowrap" c={test === null ? 'inherit' : wordColor(test.word)}>
        <Icon size={14} aria-hidden />
        <Text
          span
          inherit
          {...raw(deltaPct, '%')}
          style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
        >
          {formatDelta(deltaPct)}
        </Text>
      </Group>
      <Text span size="xs">
        {test === null ? 'repeat' : <VerdictWord word={test.word} />}
      </Text>
    </Group>
  );
}

/**
 * Values of every run, their change against the baseline and what is told of it. Exact values on
 * hover.
 */
export function MetricTable({ comparison: { runs, rows, sides } }: { comparison: Comparison }) {
  const sideOf = runs.map((_, i) => sides.findIndex((side) => side.runs.includes(i)));
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Metrics, scrollable' }}>
      <Table aria-label="Metrics" verticalSpacing={3} fz="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw={230} style={pinned}>
              Metric over the steady state
            </Table.Th>
            <Table.Th>Unit</Table.Th>
            <Table.Th>Good</Table.Th>
            {runs.map((r, i) => (
              <Table.Th key={r.id} ta="right" colSpan={i === 0 ? 1 : 2} miw={i === 0 ? 190 : 210}>
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <RunKey index={i} name={r.name} origin={r.origin} />
                </Group>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const decimals = rowDecimals(row.values);
            return (
              <Table.Tr key={row.key}>
                <Table.Th scope="row" fw={row.key === 'score' ? 700 : 400} style={pinned}>
                  {row.label}
                </Table.Th>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.unit}</Table.Td>
                <Table.Td>{row.better === null ? 'neither' : row.better}</Table.Td>
                {runs.flatMap((r, i) => [
                  <Table.Td
                    key={r.id}
                    ta="right"
                    {...raw(row.values[i])}
                    title={row.values[i] === null ? 'not measured' : `${row.values[i]} ${row.unit}`}
                    style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
                  >
                    {formatCell(row.values[i] ?? null, decimals)}
                  </Table.Td>,
                  ...(i === 0
                    ? []
                    : [
                        <Table.Td key={`${r.id} change`} ta="right">
                          <Delta
                            deltaPct={row.deltaPct[i] ?? null}
                            test={row.tests[sideOf[i]!] ?? null}
                          />
                        </Table.Td>,
                      ]),
                ])}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
/** The first column stays in sight while eight runs scroll past it. */
const pinned = {
  position: 'sticky',
  left: 0,
  zIndex: 1,
  background: 'var(--mantine-color-body)',
} as const;
