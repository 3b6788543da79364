import { Group, NativeSelect, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import { threeFigures } from '../../../core/base/format.ts';
import { type Comparison, formatDelta } from '../../../core/compare/index.ts';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { VerdictWord } from './VerdictWord.tsx';

const pText = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));
const methodNotes: Readonly<Record<string, string>> = {
  bootstrap:
    'One run each: the noise within the runs only. What differs from run to run is not in it; repeats would show it.',
  noiseBand: 'The scatter of repeats of the same plan stands for both sides.',
  welch: 'Repeats of both sides.',
};

/**
 * What is told of each metric of one side: difference with its interval, word, what would have been
 * found, and how it was tested.
 */
export function TestTable({ comparison: { rows, sides, testing } }: { comparison: Comparison }) {
  const [chosen, setChosen] = useState(1);
  const at = Math.min(chosen, sides.length - 1);
  if (sides.length < 2)
    return (
      <Text size="sm" c={dim}>
        All of these are repeats of one plan on one set-up: there is no other side to test.
      </Text>
    );
  const tests = rows.map((row) => ({ row, test: row.tests[at]! }));
  const used = [...new Set(tests.map(({ test }) => test.method))].flatMap(
    (method) => methodNotes[method] ?? [],
  );
  return (
    <Stack gap={6}>
      {sides.length > 2 && (
        <Group>
          <NativeSelect
            size="xs"
            aria-label="Tested against the baseline"
            value={at}
            onChange={(e) => setChosen(Number(e.currentTarget.value))}
            data={sides.slice(1).map((side, i) => ({ value: String(i + 1), label: side.name }))}
          />
        </Group>
      )}
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Verdicts, scrollable' }}>
        <Table aria-label="Verdicts" verticalSpacing={3} fz="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{`${sides[at]!.name} against ${sides[0]!.name}`}</Table.Th>
              <Table.Th>Verdict</Table.Th>
              <Table.Th ta="right">Difference</Table.Th>
              <Table.Th ta="right">95 % interval</Table.Th>
              <Table.Th ta="right">Would be found from</Table.Th>
              <Table.Th ta="right">p, adjusted</Table.Th>
              <Table.Th>Made of</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tests.map(({ row, test }) => (
              <Table.Tr key={row.key}>
                <Table.Th scope="row" fw={row.key === 'score' ? 700 : 400}>
                  {row.label}
                </Table.Th>
                <Table.Td>
                  <VerdictWord word={test.word} />
                </Table.Td>
                <Table.Td ta="right" style={figures} {...raw(test.differencePct, '%')}>
                  {test.differencePct === null ? '–' : formatDelta(test.differencePct)}
                </Table.Td>
                <Table.Td ta="right" style={figures}>
                  {test.lowPct === null || test.highPct === null ? (
                    '–'
                  ) : (
                    <>
                      <span {...raw(test.lowPct, '%')}>{formatDelta(test.lowPct)}</span> to{' '}
                      <span {...raw(test.highPct, '%')}>{formatDelta(test.highPct)}</span>
                    </>
                  )}
                </Table.Td>
                <Table.Td ta="right" style={figures} {...raw(test.detectablePct, '%')}>
                  {test.detectablePct === null ? '–' : `${threeFigures(test.detectablePct)} %`}
                </Table.Td>
                <Table.Td
                  ta="right"
                  style={figures}
                  {...raw(test.pAdjusted)}
                  title={test.p === null ? undefined : `p = ${test.p} before adjustment`}
                >
                  {test.pAdjusted === null ? '–' : pText(test.pAdjusted)}
                </Table.Td>
                <Table.Td title={test.basis}>
                  <Text span size="xs">
                    {test.basis.replace(/ \(.*\)$/, '')}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      <Text size="xs" c={dim}>
        {[
          `${testing.tests} metrics were tested. ${testing.adjustment} “Would be found ` +
            'from”: the smallest true difference that such a comparison finds in 4 of 5 cases; ' +
            "where it is above 5 %, a difference that is not found is “can't tell”, not " +
            '“within noise”.',
          ...used,
        ].join(' ')}
      </Text>
    </Stack>
  );
}
const figures = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;
