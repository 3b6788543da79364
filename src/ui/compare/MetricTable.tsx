import { Group, ScrollArea, Table, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconEqual, IconMinus } from '@tabler/icons-react';
import type { Comparison } from '../../shared/contract.ts';
import { RunKey } from './RunKey.tsx';
import { formatCell, formatDelta, judge, rowDecimals, type Judgement } from './delta.ts';
import { bad, dim, good } from '../runs/tones.ts';

const colors: Readonly<Record<Judgement, string | undefined>> = { better: good, worse: bad, same: undefined, neutral: undefined };
const words: Readonly<Record<Judgement, string>> = { better: 'better', worse: 'worse', same: 'same', neutral: 'neutral' };

function Delta({ deltaPct, better }: { deltaPct: number | null; better: Comparison['rows'][number]['better'] }) {
  if (deltaPct === null) return <Text span inherit c={dim} title="A value is missing, or the scores have different references">–</Text>;
  const judgement = judge(deltaPct, better);
  const DeltaIcon = judgement === 'same' ? IconEqual : judgement === 'neutral' ? IconMinus : deltaPct > 0 ? IconArrowUpRight : IconArrowDownRight;
  return (
    <Group gap={3} wrap="nowrap" justify="flex-end" c={colors[judgement]} title={`${deltaPct} %`}>
      <DeltaIcon size={14} aria-hidden /><Text span inherit style={{ fontVariantNumeric: 'tabular-nums' }}>{formatDelta(deltaPct)}</Text><Text span size="xs">{words[judgement]}</Text>
    </Group>
  );
}

/** Values of every run and their change against the baseline. Exact values on hover. */
export function MetricTable({ comparison: { runs, rows } }: { comparison: Comparison }) {
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Metrics, scrollable' }}>
      <Table aria-label="Metrics" verticalSpacing={3} fz="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Metric over the steady state</Table.Th><Table.Th>Unit</Table.Th><Table.Th>Good</Table.Th>
            {runs.map((r, i) => <Table.Th key={r.id} ta="right" colSpan={i === 0 ? 1 : 2} miw={i === 0 ? 190 : 210}><Group gap={6} justify="flex-end" wrap="nowrap"><RunKey index={i} name={r.name} origin={r.origin} /></Group></Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const decimals = rowDecimals(row.values);
            return (
              <Table.Tr key={row.key}>
                <Table.Th scope="row" fw={row.key === 'score' ? 700 : 400}>{row.label}</Table.Th><Table.Td style={{ whiteSpace: 'nowrap' }}>{row.unit}</Table.Td><Table.Td>{row.better === null ? 'neither' : row.better}</Table.Td>
                {runs.flatMap((r, i) => [
                  <Table.Td key={r.id} ta="right" title={row.values[i] === null ? 'not measured' : `${row.values[i]} ${row.unit}`} style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>{formatCell(row.values[i] ?? null, decimals)}</Table.Td>,
                  ...(i === 0 ? [] : [<Table.Td key={`${r.id} change`} ta="right"><Delta deltaPct={row.deltaPct[i] ?? null} better={row.better} /></Table.Td>]),
                ])}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
