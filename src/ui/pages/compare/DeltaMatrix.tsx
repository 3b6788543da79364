import { Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, use, useRef, useState } from 'react';

import { formatCell, formatDelta, rowDecimals } from '../../../core/compare/compareText.ts';
import { compareWords } from '../../../core/compare/compareVerdict.ts';
import type { CompareMatrix, Comparison } from '../../../core/compare/comparison.ts';
import { metricWords } from '../../../core/metric/metricWords.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import copy from '../../kit/table.module.css';
import { dim } from '../../kit/tones.ts';
import styles from './compare.module.css';

type Cell = CompareMatrix['cells'][number];
const marks: Readonly<Record<string, string>> = {
  better: '▲ ',
  worse: '▼ ',
  withinNoise: '= ',
  none: '',
};

/**
 * Every workload of every tile against the baseline: heat with numbers and marks, one stop of the
 * Tab key, arrows inside.
 */
export function DeltaMatrix({ comparison: { matrix, runs } }: { comparison: Comparison }) {
  const [metricName, setMetric] = useState<string | null>(null);
  const [chosen, setChosen] = useState(1);
  const [focus, setFocus] = useState<readonly [row: number, column: number]>([0, 0]);
  const mark = use(ChartMarkContext);
  const grid = useRef<HTMLTableElement>(null);
  if (matrix.length === 0)
    return (
      <Text size="sm" c={dim}>
        None of these runs has samples of a workload.
      </Text>
    );
  const of = matrix.find((m) => m.metric === metricName) ?? matrix[0]!;
  const run = Math.min(chosen, runs.length - 1);
  const title = `${metricWords[of.metric]}, ${runs[run]!.name} against ${runs[0]!.name}`;
  const workloads = [...new Map(of.cells.map((c) => [c.workloadId, c.workload]))];
  const tiles = [...new Set(of.cells.map((c) => c.tile))].sort((a, b) => a - b);
  const at = (row: number, column: number): Cell | undefined =>
    of.cells.find((c) => c.workloadId === workloads[row]?.[0] && c.tile === tiles[column]);
  const [row, column] = [
    Math.min(focus[0], workloads.length - 1),
    Math.min(focus[1], tiles.length - 1),
  ];
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const step = steps[event.key];
    const next = step
      ? ([row + step[0], column + step[1]] as const)
      : event.key === 'Home'
        ? ([row, 0] as const)
        : event.key === 'End'
          ? ([row, tiles.length - 1] as const)
          : null;
    if (
      next === null ||
      next[0] < 0 ||
      next[0] >= workloads.length ||
      next[1] < 0 ||
      next[1] >= tiles.length
    )
      return;
    event.preventDefault();
    setFocus(next);
    grid.current?.querySelector<HTMLElement>(`[data-at="${next[0]} ${next[1]}"]`)?.focus();
  };
  const focused = at(row, column);
  return (
    <Stack gap={6}>
      <Group gap="sm">
        {matrix.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="Measure of the matrix"
            data={matrix.map((m) => ({ value: m.metric, label: metricWords[m.metric] }))}
            value={of.metric}
            onChange={setMetric}
          />
        )}
        {runs.length > 2 && (
          <NativeSelect
            size="xs"
            aria-label="Run of the matrix"
            value={run}
            onChange={(e) => setChosen(Number(e.currentTarget.value))}
            data={runs.slice(1).map((r, i) => ({ value: String(i + 1), label: r.name }))}
          />
        )}
        <Text size="xs" className={styles.key}>
          <i data-word="better" /> ▲ better <i data-word="worse" /> ▼ worse{' '}
          <i data-word="withinNoise" /> = within noise <i data-word="none" /> not told
        </Text>
      </Group>
      <div className={`${styles.scroller} ${copy.aside}`}>
        <div className={copy.bar}>
          <CopyTable
            label={title}
            read={() => ({
              title,
              mark,
              columns: [
                { label: 'Workload' },
                ...tiles.map((tile) => ({ label: `Tile ${tile + 1}`, unit: '%' })),
              ],
              rows: workloads.map(([, name], r) => [
                name,
                ...tiles.map((_, c) => at(r, c)?.deltaPct[run] ?? null),
              ]),
            })}
          />
        </div>
        <table ref={grid} role="grid" aria-label={title} className={styles.matrix} onKeyDown={move}>
          <thead>
            <tr>
              <td />
              {tiles.map((tile) => (
                <th key={tile} scope="col">
                  {tiles.length > 8 ? `T${tile + 1}` : `Tile ${tile + 1}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {workloads.map(([id, name], r) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                {tiles.map((tile, c) => {
                  const cell = at(r, c);
                  return (
                    <td
                      key={tile}
                      role="gridcell"
                      data-at={`${r} ${c}`}
                      data-word={wordOf(cell, run)}
                      tabIndex={r === row && c === column ? 0 : -1}
                      aria-label={
                        cellText(cell, run, runs) ?? `Tile ${tile + 1} ${name}: not measured`
                      }
                      onFocus={() => setFocus([r, c])}
                    >
                      {cellMark(cell, run)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="sm" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {cellText(focused, run, runs) ?? 'Not measured.'}
      </Text>
      <Text size="xs" c={dim}>
        {of.cells.every((c) => c.words[run] === null)
          ? 'No words: they need two measurement periods in both runs.'
          : 'Words by the means of the measurement periods of each run (Welch, 5 %), each cell ' +
            'by itself: of a hundred equal cells about five are called better or worse.'}
      </Text>
    </Stack>
  );
}

const wordOf = (cell: Cell | undefined, run: number): string => cell?.words[run] ?? 'none';
const cellMark = (cell: Cell | undefined, run: number): string => {
  const delta = cell?.deltaPct[run] ?? null;
  return delta === null ? '–' : `${marks[wordOf(cell, run)] ?? ''}${formatDelta(delta)}`;
};

function cellText(cell: Cell | undefined, run: number, runs: Comparison['runs']): string | null {
  if (cell === undefined) return null;
  const decimals = rowDecimals(cell.values);
  const word = cell.words[run] ?? null;
  const delta = cell.deltaPct[run] ?? null;
  const values =
    `${runs[0]!.name} ${formatCell(cell.values[0] ?? null, decimals)}, ${runs[run]!.name} ` +
    `${formatCell(cell.values[run] ?? null, decimals)} ${cell.unit}`;
  return (
    `Tile ${cell.tile + 1} ${cell.workload}: ` +
    `${delta === null ? 'not measured in both' : formatDelta(delta)}${word === null ? '' : `, ${compareWords[word]}`}. ` +
    `${values}.`
  );
}
