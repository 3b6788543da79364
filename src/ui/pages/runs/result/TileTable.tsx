import { Button, Paper } from '@mantine/core';
import { useMemo, useState } from 'react';

import { formatExact, formatQuantity, noValue } from '../../../../core/base/format.ts';
import { headroomState } from '../../../../core/chart/palette.ts';
import { leftOfLimit, limitValue, shortMetric } from '../../../../core/limits/index.ts';
import type { Score } from '../../../../core/run/scoreTypes.ts';
import {
  type ResultCell,
  type ResultTable,
  resultTable,
  worstTilesFirst,
} from '../../../../core/score/resultCells.ts';
import type { WorkloadTotal } from '../../../../core/score/totals.ts';
import type { Cell } from '../../../../core/score/worstCell.ts';
import { Figure } from '../../../kit/Figure.tsx';
import { Table } from '../../../kit/Table.tsx';
import styles from './result.module.css';

/** More tiles than this are shown on request, the worst of them before. */
const mostTiles = 8;
const basisWords: Readonly<Record<NonNullable<ResultTable['basis']>, string>> = {
  reference: 'share of the reference',
  median: 'share of the median tile',
};

interface Props {
  score: Score;
  chosen: Cell | null;
  onChoose: (cell: Cell) => void;
}

/**
 * Every workload of every tile: what it did, beside the reference or the other tiles, and what is
 * left of its tightest limit. A cell shows its chart.
 */
export function TileTable({ score, chosen, onChoose }: Props) {
  const table = useMemo(() => resultTable(score), [score]);
  const [all, setAll] = useState(false);
  const { rows, workloads, basis } = table;
  const isLong = rows.length > mostTiles;
  const shown = isLong && !all ? worstTilesFirst(rows).slice(0, mostTiles) : rows;
  return (
    <Paper px="sm" py={6} style={{ overflowX: 'auto' }}>
      <Table
        aria-label="Tiles and workloads"
        fz="sm"
        verticalSpacing={1}
        layout="fixed"
        miw={84 + workloads.length * 110}
      >
        <Table.Caption style={{ captionSide: 'top', textAlign: 'left', margin: 0 }} fz="xs">
          {`Throughput${basis === null ? '' : ` and ${basisWords[basis]}`}; bar: what is left of the tightest limit in its worst period.`}
          {isLong && !all ? ` The ${mostTiles} worst of ${rows.length} tiles.` : ''}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={84}>Tile</Table.Th>
            {workloads.map((w) => (
              <Table.Th key={w.workloadId} style={{ overflowWrap: 'anywhere' }}>
                {`${w.name}${w.scored ? '' : ', not scored'}`}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.length > 1 && <TotalRow workloads={workloads} />}
          {shown.map(({ tile, cells }) => (
            <Table.Tr key={tile}>
              <Table.Th scope="row" fw={500}>{`Tile ${tile + 1}`}</Table.Th>
              {cells.map((cell, i) => (
                <Table.Td key={cell.workloadId} px={2}>
                  <CellButton
                    cell={cell}
                    workload={workloads[i]!}
                    isChosen={chosen?.tile === tile && chosen.workloadId === cell.workloadId}
                    onChoose={onChoose}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isLong && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => setAll(!all)}>
          {all ? `Only the ${mostTiles} worst` : `All ${rows.length} tiles`}
        </Button>
      )}
    </Paper>
  );
}

function TotalRow({ workloads }: { workloads: readonly WorkloadTotal[] }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        All tiles
      </Table.Th>
      {workloads.map((w) => (
        <Table.Td
          key={w.workloadId}
          px={9}
          title={
            w.balance === null
              ? undefined
              : `The tile that did least did ${Math.round(w.balance * 100)} % of the one that did most`
          }
        >
          <Figure value={w.total} unit={w.unit} fw={600} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function CellButton({
  cell,
  workload,
  isChosen,
  onChoose,
}: {
  cell: ResultCell;
  workload: WorkloadTotal;
  isChosen: boolean;
  onChoose: (cell: Cell) => void;
}) {
  const { throughput, ratio, tightest, tile, workloadId } = cell;
  const { figure, unit } =
    throughput === null ? { figure: noValue, unit: '' } : formatQuantity(throughput, workload.unit);
  const state = headroomState(
    tightest === null || tightest.headroom === null ? null : tightest.headroom * 100,
  );
  const left = tightest === null ? null : leftOfLimit(tightest);
  const limit =
    tightest === null
      ? 'no limit'
      : `${shortMetric(tightest)} ` +
        `${tightest.value === null ? 'not measured' : limitValue(tightest.value, tightest.unit)}, limit ${limitValue(tightest.limit, tightest.unit)}`;
  return (
    <button
      type="button"
      className={styles.cell}
      aria-pressed={isChosen}
      aria-label={`Tile ${tile + 1} ${workload.name}`}
      title={`${throughput === null ? 'not measured' : `${formatExact(throughput, 3)} ${workload.unit}`}; ${limit}`}
      onClick={() => onChoose({ tile, workloadId })}
    >
      <span className={styles.top}>
        <span>
          {figure} <span className={styles.dim}>{unit}</span>
        </span>
        {ratio !== null && <span className={styles.dim}>{`${Math.round(ratio * 100)} %`}</span>}
      </span>
      {tightest !== null && (
        <span className={styles.top}>
          <span className={state === 'over' ? styles.over : styles.dim}>
            {left === null ? 'not measured' : `${left.figure} ${left.word}`}
          </span>
        </span>
      )}
      {tightest !== null && (
        <span className={styles.bar} aria-hidden>
          <i data-state={state} style={{ width: `${barPct(tightest.headroom)}%` }} />
        </span>
      )}
    </button>
  );
}

/** What is broken fills the whole bar: an empty one would look like nothing. */
const barPct = (headroom: number | null): number =>
  headroom === null ? 0 : headroom < 0 ? 100 : Math.min(100, headroom * 100);
