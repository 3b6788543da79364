import { Button, ScrollArea, Stack } from '@mantine/core';
import { useState } from 'react';

import type { StudyComparison } from '../../../core/study/studyComparison.ts';
import { type MeasureChoice, summaryText } from '../../../core/study/studyCurves.ts';
import { Table } from '../../kit/Table.tsx';

const figures = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;

const shownAtFirst = 12;

/**
 * Every measure in one line a curve: mean gap, and from where to where. What the authors charted
 * comes first.
 */
export function AllMeasures({
  data,
  choices,
}: {
  data: StudyComparison;
  choices: readonly MeasureChoice[];
}) {
  const [all, setAll] = useState(false);
  const shared = choices.filter((c) => c.of.summary.some((s) => s !== null));
  return (
    <Stack gap={6}>
      <ScrollArea
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': 'All measures, scrollable' }}
      >
        <Table aria-label="All measures" fz="sm" verticalSpacing={3} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Measure</Table.Th>
              <Table.Th>Unit</Table.Th>
              <Table.Th>Good</Table.Th>
              {data.curves.slice(1).map((c) => (
                <Table.Th key={c.key} ta="right">{`${c.name}, mean gap`}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(all ? choices : shared.slice(0, shownAtFirst)).map((c) => (
              <Table.Tr key={c.measure}>
                <Table.Th scope="row" fw={400}>
                  {c.title}
                </Table.Th>
                <Table.Td>{c.unit}</Table.Td>
                <Table.Td>{c.of.better ?? 'neither'}</Table.Td>
                {c.of.summary.slice(1).map((s, i) => (
                  <Table.Td key={data.curves[i + 1]!.key} ta="right" style={figures}>
                    {summaryText(s)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      {!all && choices.length > shownAtFirst && (
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setAll(true)}
        >{`Show all ${choices.length} measures`}</Button>
      )}
    </Stack>
  );
}
