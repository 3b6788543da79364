import { Group, ScrollArea, Stack, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';

import { threeFigures } from '../../../core/base/format.ts';
import {
  type CompareTest,
  type Comparison,
  formatCell,
  formatDelta,
  intervalText,
  rowDecimals,
  sideOfRun,
} from '../../../core/compare/index.ts';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import styles from './cards.module.css';
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

const pText = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));
const methodNotes: Readonly<Record<string, string>> = {
  bootstrap:
    'One run each: the noise within the runs only. What differs from run to run is not in it; repeats would show it.',
  noiseBand: 'The scatter of repeats of the same plan stands for both sides.',
  welch: 'Repeats of both sides.',
};

/**
 * Every metric once: the values of the runs, their change against the baseline with what is told of
 * it, and for the run that is looked at the test behind it. Exact values on hover.
 */
export function MetricTable({ comparison, run }: { comparison: Comparison; run: number }) {
  const { runs, names, rows, sides, guards } = comparison;
  const side = sideOfRun(comparison, run);
  const isTested = guards.length === 0 && side > 0;
  return (
    <Stack gap={6}>
      {sides.length < 2 && (
        <Text size="sm" c={dim}>
          All of these are repeats of one plan on one set-up: there is no other side to test.
        </Text>
      )}
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
                <Table.Th key={r.id} ta="right" colSpan={i === 0 ? 1 : 2} miw={i === 0 ? 180 : 210}>
                  <Group gap={6} justify="flex-end" wrap="nowrap">
                    <RunKey index={i} name={names[i]!} origin={r.origin} />
                  </Group>
                </Table.Th>
              ))}
              {isTested && <TestHeads of={runs.length > 2 ? sides[side]!.name : null} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.key}>
                <Table.Th scope="row" fw={row.key === 'score' ? 700 : 400} style={pinned}>
                  {row.label}
                </Table.Th>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.unit}</Table.Td>
                <Table.Td>{row.better === null ? 'neither' : row.better}</Table.Td>
                <Values row={row} comparison={comparison} />
                {isTested && <TestCells test={row.tests[side]!} />}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </Stack>
  );
}

type Row = Comparison['rows'][number];

function Values({ row, comparison }: { row: Row; comparison: Comparison }) {
  const decimals = rowDecimals(row.values);
  return comparison.runs.flatMap((r, i) => [
    <Table.Td
      key={r.id}
      ta="right"
      {...raw(row.values[i])}
      title={row.values[i] === null ? 'not measured' : `${row.values[i]} ${row.unit}`}
      style={figures}
    >
      {formatCell(row.values[i] ?? null, decimals)}
    </Table.Td>,
    ...(i === 0
      ? []
      : [
          <Table.Td key={`${r.id} change`} ta="right">
            <Delta
              deltaPct={row.deltaPct[i] ?? null}
              test={row.tests[sideOfRun(comparison, i)] ?? null}
            />
          </Table.Td>,
        ]),
  ]);
}

/** Heads of the columns of a test; `of`: whose, where there are several. */
function TestHeads({ of }: { of: string | null }) {
  const whose = of === null ? '' : `, ${of}`;
  return (
    <>
      <Table.Th ta="right">{`95 % interval${whose}`}</Table.Th>
      <Table.Th ta="right">Would be found from</Table.Th>
      <Table.Th ta="right">p, adjusted</Table.Th>
    </>
  );
}

function TestCells({ test }: { test: CompareTest }) {
  return (
    <>
      <Table.Td ta="right" style={figures} title={test.basis}>
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
    </>
  );
}

/** How the words come about, and what each of the tests of these runs is made of. */
export function Method({ comparison: { rows, sides, testing } }: { comparison: Comparison }) {
  const tests = rows.flatMap((row) => row.tests.flatMap((test) => test ?? []));
  const notes = [...new Set(tests.map(({ method }) => method))].flatMap(
    (method) => methodNotes[method] ?? [],
  );
  // How long each stretch was stands at the interval it made.
  const bases = [...new Set(tests.map(({ basis }) => basis.replace(/ \(.*\)$/, '')))];
  return (
    <Stack gap={6} maw={900}>
      <Text size="sm">
        {[
          'Means over the steady state, each of all samples in it; a row over tiles or machines is ' +
            'the mean of their means.',
          ...(sides.length < 2
            ? []
            : [
                `${testing.tests} metrics were tested. ${testing.adjustment} “Would be found ` +
                  'from”: the smallest true difference that such a comparison finds in 4 of 5 ' +
                  'cases, half of the grey noise band; where it is above 5 %, a difference that ' +
                  "is not found is “can't tell”, not “within noise”.",
                ...notes,
              ]),
          'Tile by tile, words come from the means of the measurement periods (Welch, 5 %), each ' +
            'cell by itself: of a hundred equal cells about five are called better or worse.',
        ].join(' ')}
      </Text>
      {bases.length > 0 && (
        <ul className={styles.reasons} aria-label="Made of">
          {bases.map((basis) => (
            <Text key={basis} component="li" size="xs" c={dim}>
              {basis}
            </Text>
          ))}
        </ul>
      )}
    </Stack>
  );
}

const figures = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;
/** The first column stays in sight while eight runs scroll past it. */
const pinned = {
  position: 'sticky',
  left: 0,
  zIndex: 1,
  background: 'var(--tb-surface)',
} as const;
