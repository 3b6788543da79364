import { Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, use, useRef, useState } from 'react';

import {
  type CompareMatrix,
  compareWords,
  type Comparison,
  formatCell,
  formatDelta,
  rowDecimals,
} from '../../../core/compare/index.ts';
import { metricWords } from '../../../core/metric/metricWords.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import copy from '../../kit/table.module.css';
import { dim } from '../../kit/tones.ts';
import styles from './compare.module.css';

type Cell = CompareMatrix['cells'][number];
type Place = readonly [row: number, column: number];
const marks: Readonly<Record<string, string>> = {
  better: '▲ ',
  worse: '▼ ',
  withinNoise: '= ',
  none: '',
};

/** The cells as a grid of workloads by tiles, of one run against the baseline. */
interface Grid {
  title: string;
  workloads: readonly (readonly [id: string, name: string])[];
  tiles: readonly number[];
  at: (row: number, column: number) => Cell | undefined;
  /** Index of the run that is compared. */ run: number;
  runs: Comparison['runs'];
}

/**
 * Every workload of every tile against the baseline: heat with numbers and marks, one stop of the
 * Tab key, arrows inside.
 */
export function DeltaMatrix({ comparison: { matrix, runs } }: { comparison: Comparison }) {
  const [metricName, setMetric] = useState<string | null>(null);
  const [chosen, setChosen] = useState(1);
  const [focus, setFocus] = useState<Place>([0, 0]);
  if (matrix.length === 0)
    return (
      <Text size="sm" c={dim}>
        None of these runs has samples of a workload.
      </Text>
    );
  const of = matrix.find((m) => m.metric === metricName) ?? matrix[0]!;
  const run = Math.min(chosen, runs.length - 1);
  const grid = gridOf(of, run, runs);
  const place: Place = [
    Math.min(focus[0], grid.workloads.length - 1),
    Math.min(focus[1], grid.tiles.length - 1),
  ];
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
      <MatrixGrid grid={grid} place={place} onPlace={setFocus} />
      <Text size="sm" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {cellText(grid.at(...place), run, runs) ?? 'Not measured.'}
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

function gridOf({ metric, cells }: CompareMatrix, run: number, runs: Comparison['runs']): Grid {
  const workloads = [...new Map(cells.map((c) => [c.workloadId, c.workload]))];
  const tiles = [...new Set(cells.map((c) => c.tile))].sort((a, b) => a - b);
  return {
    title: `${metricWords[metric]}, ${runs[run]!.name} against ${runs[0]!.name}`,
    workloads,
    tiles,
    at: (row, column) =>
      cells.find((c) => c.workloadId === workloads[row]?.[0] && c.tile === tiles[column]),
    run,
    runs,
  };
}

/** The matrix itself, with its copy button. `place` is where the keyboard is. */
function MatrixGrid({
  grid,
  place,
  onPlace,
}: {
  grid: Grid;
  place: Place;
  onPlace: (place: Place) => void;
}) {
  const { title, workloads, tiles, at, run, runs } = grid;
  const mark = use(ChartMarkContext);
  const table = useRef<HTMLTableElement>(null);
  const move = (event: KeyboardEvent): void => {
    const next = steppedTo(place, event.key, workloads.length, tiles.length);
    if (next === null) return;
    event.preventDefault();
    onPlace(next);
    table.current?.querySelector<HTMLElement>(`[data-at="${next[0]} ${next[1]}"]`)?.focus();
  };
  return (
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
      <table ref={table} role="grid" aria-label={title} className={styles.matrix} onKeyDown={move}>
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
                    tabIndex={r === place[0] && c === place[1] ? 0 : -1}
                    aria-label={
                      cellText(cell, run, runs) ?? `Tile ${tile + 1} ${name}: not measured`
                    }
                    onFocus={() => onPlace([r, c])}
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
  );
}

const steps: Readonly<Record<string, Place>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where a key leads in a grid of this size; null = nowhere. */
function steppedTo([row, column]: Place, key: string, rows: number, columns: number): Place | null {
  const step = steps[key];
  const next: Place | null = step
    ? [row + step[0], column + step[1]]
    : key === 'Home'
      ? [row, 0]
      : key === 'End'
        ? [row, columns - 1]
        : null;
  return next === null || next[0] < 0 || next[0] >= rows || next[1] < 0 || next[1] >= columns
    ? null
    : next;
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
  const told = delta === null ? 'not measured in both' : formatDelta(delta);
  const judged = word === null ? '' : `, ${compareWords[word]}`;
  return `Tile ${cell.tile + 1} ${cell.workload}: ${told}${judged}. ${values}.`;
}
