import { noValue, quantityText } from '../base/format.ts';
import { leftOfLimit, type QosHeadroom, scoreHeadroom } from '../limits/index.ts';
import type { Score } from '../run/scoreTypes.ts';
import { median } from '../stats/summary.ts';
import { tileThroughputs, type WorkloadTotal, workloadTotals } from './totals.ts';

/** One workload of one tile, over all measurement periods. */
export interface ResultCell {
  tile: number;
  workloadId: string;
  throughput: number | null;
  /** Throughput over the reference, or over the median of the tiles; null = neither is known. */
  ratio: number | null;
  /** Its tightest limit in its worst period; null = it has none. */
  tightest: (QosHeadroom & { period: number }) | null;
}
export interface ResultRow {
  tile: number;
  cells: readonly ResultCell[];
}
export interface ResultTable {
  workloads: readonly WorkloadTotal[];
  /** What the ratios are over; null = there is one tile and no reference, so no ratio. */
  basis: 'reference' | 'median' | null;
  /** By number of tile. */
  rows: readonly ResultRow[];
}

/**
 * What every tile did, workload by workload. A run that is its own reference is held against its
 * median tile: a ratio to itself says nothing.
 */
export function resultTable(score: Score): ResultTable {
  const workloads = workloadTotals(score);
  const throughputs = tileThroughputs(score);
  const tiles = (score.periods[0]?.tiles ?? []).map(({ tile }) => tile);
  const references = new Map(
    (score.periods[0]?.tiles[0]?.workloads ?? []).map((w) => [w.workloadId, w.reference]),
  );
  const isReferenced = score.reference === undefined && [...references.values()].some((r) => r);
  const basis = isReferenced ? 'reference' : tiles.length > 1 ? 'median' : null;
  const baseOf = (workloadId: string): number | null => {
    if (basis === null) return null;
    if (basis === 'reference') return references.get(workloadId) ?? null;
    const known = tiles.flatMap((tile) => throughputs.get(tile)?.get(workloadId) ?? []);
    return known.length === 0 ? null : median(known);
  };
  const bases = new Map(workloads.map((w) => [w.workloadId, baseOf(w.workloadId)]));
  // The worst comes first, so the first of a workload is its tightest limit.
  const limits = new Map<string, QosHeadroom & { period: number }>();
  for (const entry of scoreHeadroom(score)) {
    const key = `${entry.tile}/${entry.workloadId}`;
    if (!limits.has(key)) limits.set(key, entry);
  }
  return {
    workloads,
    basis,
    rows: tiles.map((tile) => ({
      tile,
      cells: workloads.map(({ workloadId }): ResultCell => {
        const throughput = throughputs.get(tile)?.get(workloadId) ?? null;
        const base = bases.get(workloadId) ?? null;
        return {
          tile,
          workloadId,
          throughput,
          ratio: throughput === null || base === null || base <= 0 ? null : throughput / base,
          tightest: limits.get(`${tile}/${workloadId}`) ?? null,
        };
      }),
    })),
  };
}

/**
 * `50 % of the reference`: what a cell gives to the score, for beside its chart. null = no score is
 * made of it, or there is nothing to hold it against.
 */
export function shareText(
  score: Score,
  { tile, workloadId }: Pick<ResultCell, 'tile' | 'workloadId'>,
): string | null {
  const { basis, rows, workloads } = resultTable(score);
  const ratio = rows
    .find((row) => row.tile === tile)
    ?.cells.find((cell) => cell.workloadId === workloadId)?.ratio;
  if (basis === null || ratio == null) return null;
  const isScored = workloads.some((w) => w.workloadId === workloadId && w.scored);
  return (
    `${Math.round(ratio * 100)} % of the ` +
    `${basis === 'reference' ? 'reference' : 'median tile'}${isScored ? '' : ', not scored'}`
  );
}

/** Tiles with the least headroom first, then those that did least beside the others. */
export function worstTilesFirst(rows: readonly ResultRow[]): ResultRow[] {
  const least = (row: ResultRow, of: (cell: ResultCell) => number | null | undefined): number =>
    Math.min(...row.cells.map((cell) => of(cell) ?? Infinity));
  const left = (row: ResultRow): number => least(row, (cell) => cell.tightest?.headroom);
  const done = (row: ResultRow): number => least(row, (cell) => cell.ratio);
  const order = (a: number, b: number): number => (a === b ? 0 : a - b);
  return [...rows].sort((a, b) => order(left(a), left(b)) || order(done(a), done(b)));
}

/** A cell in words: what was done, its share, and what is left of its tightest limit. */
export function cellText({ throughput, ratio, tightest }: ResultCell, unit: string): string {
  const did = throughput === null ? noValue : quantityText(throughput, unit);
  const share = ratio === null ? '' : ` (${Math.round(ratio * 100)} %)`;
  const left = tightest === null ? null : leftOfLimit(tightest);
  const limit =
    tightest === null ? '' : left === null ? '; not measured' : `; ${left.figure} ${left.word}`;
  return `${did}${share}${limit}`;
}
