import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { type KeyboardEvent, use, useRef } from 'react';

import { formatExact } from '../../../core/base/format.ts';
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
import type { Chosen } from './useChosen.ts';

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
  names: readonly string[];
}

interface Props {
  comparison: Comparison;
  /** The run that is held against the baseline. */
  run: number;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}

/**
 * Every workload of every tile against the baseline: heat with numbers and marks, one stop of the
 * Tab key, arrows inside. The cell that is chosen is what the chart shows.
 */
export function DeltaMatrix({ comparison: { matrix, names }, run, chosen, onChoose }: Props) {
  const of = matrix.find((m) => m.metric === chosen.metric) ?? matrix[0];
  if (of === undefined) return null;
  const grid = gridOf(of, run, names);
  const place: Place = [
    Math.max(
      0,
      grid.workloads.findIndex(([id]) => id === chosen.workloadId),
    ),
    Math.max(0, grid.tiles.indexOf(chosen.tile)),
  ];
  const choose = ([row, column]: Place): void =>
    onChoose({
      metric: of.metric,
      workloadId: grid.workloads[row]![0],
      tile: grid.tiles[column]!,
    });
  return (
    <Paper component="section" aria-label="Tile by tile" px="sm" py={8}>
      <Stack gap={4}>
        <Group gap="sm">
          <Title order={2}>Tile by tile</Title>
          {matrix.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label="Measure of the matrix"
              data={matrix.map((m) => ({ value: m.metric, label: metricWords[m.metric] }))}
              value={of.metric}
              onChange={(metric) => onChoose({ ...chosen, metric })}
            />
          )}
          <Text
            size="xs"
            className={styles.key}
            title={
              'Words by the means of the measurement periods of each run (Welch, 5 %), each cell ' +
              'by itself: of a hundred equal cells about five are called better or worse.'
            }
          >
            <i data-word="better" /> ▲ better <i data-word="worse" /> ▼ worse{' '}
            <i data-word="withinNoise" /> = within noise <i data-word="none" /> unknown; figures in
            %
          </Text>
        </Group>
        <MatrixGrid grid={grid} place={place} onPlace={choose} />
        <Text
          size="xs"
          c={dim}
          role="status"
          style={{ fontVariantNumeric: 'tabular-nums' }}
        >{`${cellText(grid, grid.at(...place)) ?? 'Not measured.'}${
          of.cells.every((c) => c.words[run] === null)
            ? ' No words: they need two measurement periods in both runs.'
            : ''
        }`}</Text>
      </Stack>
    </Paper>
  );
}

function gridOf({ metric, cells }: CompareMatrix, run: number, names: readonly string[]): Grid {
  const workloads = [...new Map(cells.map((c) => [c.workloadId, c.workload]))];
  const tiles = [...new Set(cells.map((c) => c.tile))].sort((a, b) => a - b);
  return {
    title: `${metricWords[metric]}, ${names[run]!} against ${names[0]!}`,
    workloads,
    tiles,
    at: (row, column) =>
      cells.find((c) => c.workloadId === workloads[row]?.[0] && c.tile === tiles[column]),
    run,
    names,
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
  const { title, workloads, tiles, at, run } = grid;
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
    <div className={copy.aside}>
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
      <div className={styles.scroller}>
        <table
          ref={table}
          role="grid"
          aria-label={title}
          className={styles.matrix}
          data-tight={tiles.length > roomyTiles || undefined}
          onKeyDown={move}
        >
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
                      aria-selected={r === place[0] && c === place[1]}
                      aria-label={cellText(grid, cell) ?? `Tile ${tile + 1} ${name}: not measured`}
                      onClick={() => onPlace([r, c])}
                    >
                      {cellMark(cell, run, tiles.length > roomyTiles)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
/** More tiles than this have room for two or three digits each; the line below has them all. */
const roomyTiles = 12;
function cellMark(cell: Cell | undefined, run: number, isTight: boolean): string {
  const delta = cell?.deltaPct[run] ?? null;
  if (delta === null) return '–';
  const text = formatDelta(delta);
  if (!isTight || text.endsWith('×')) return `${marks[wordOf(cell, run)] ?? ''}${text}`;
  const size = formatExact(Math.abs(delta), Math.abs(delta) < 9.95 ? 1 : 0);
  return `${marks[wordOf(cell, run)] ?? ''}${delta > 0 ? '+' : delta < 0 ? '−' : ''}${size}`;
}

function cellText({ run, names }: Grid, cell: Cell | undefined): string | null {
  if (cell === undefined) return null;
  const decimals = rowDecimals(cell.values);
  const word = cell.words[run] ?? null;
  const delta = cell.deltaPct[run] ?? null;
  const values =
    `${names[0]!} ${formatCell(cell.values[0] ?? null, decimals)}, ${names[run]!} ` +
    `${formatCell(cell.values[run] ?? null, decimals)} ${cell.unit}`;
  const told = delta === null ? 'not measured in both' : formatDelta(delta);
  const judged = word === null ? '' : `, ${compareWords[word]}`;
  return `Tile ${cell.tile + 1} ${cell.workload}: ${told}${judged}. ${values}.`;
}
