import { quantityText } from '../base/format.ts';
import type { Score } from '../run/scoreTypes.ts';
import { weightedMean } from '../stats/summary.ts';

/** What one workload did over the measurement periods, all tiles together. Needs no reference. */
export interface WorkloadTotal {
  workloadId: string;
  name: string;
  unit: string;
  scored: boolean;
  /**
   * Sum over the tiles of their mean throughput; null where a tile was not measured in some period.
   */
  total: number | null;
  /** Throughput of the tile that does least and of the one that does most. */
  least: number | null;
  most: number | null;
  /** Least over most: 1 = all tiles do the same. null with one tile, or where nothing was done. */
  balance: number | null;
}

/**
 * Mean over the periods, each by its samples: the mean of all samples. null where a period has
 * none.
 */
function overPeriods(
  parts: readonly { throughput: number | null; samples: number }[],
): number | null {
  if (parts.length === 0 || parts.some((p) => p.throughput === null)) return null;
  return weightedMean(
    parts.map((p) => p.throughput!),
    parts.map((p) => Math.max(1, p.samples)),
  );
}

/** `Database 1.62k tps, Web 48.6 pages/s`; null where nothing was measured. */
export function totalsText(
  totals:
    | readonly { readonly name: string; readonly unit: string; readonly total: number | null }[]
    | undefined,
): string | null {
  const words = (totals ?? []).flatMap(({ name, unit, total }) =>
    total === null ? [] : [`${name} ${quantityText(total, unit)}`],
  );
  return words.length === 0 ? null : words.join(', ');
}

/**
 * Throughput of each workload of each tile over all periods, by tile and workload; null where a
 * period has none of it.
 */
export function tileThroughputs({
  periods,
}: Pick<Score, 'periods'>): Map<number, Map<string, number | null>> {
  type Part = { throughput: number | null; samples: number };
  const parts = new Map<number, Map<string, Part[]>>();
  for (const { tiles } of periods)
    for (const { tile, workloads } of tiles) {
      const own = parts.get(tile) ?? new Map<string, Part[]>();
      for (const w of workloads) own.set(w.workloadId, [...(own.get(w.workloadId) ?? []), w]);
      parts.set(tile, own);
    }
  return new Map(
    [...parts].map(([tile, own]) => [
      tile,
      new Map([...own].map(([id, list]) => [id, overPeriods(list)])),
    ]),
  );
}

/**
 * Totals of each workload of a run, in the profile's order; empty where no measurement period was
 * reached.
 */
export function workloadTotals(score: Pick<Score, 'periods'>): WorkloadTotal[] {
  const first = score.periods[0];
  const throughputs = tileThroughputs(score);
  return (first?.tiles[0]?.workloads ?? []).map(({ workloadId, name, unit, scored }) => {
    const tiles = first!.tiles.map(({ tile }) => throughputs.get(tile)?.get(workloadId) ?? null);
    const whole = tiles.every((value): value is number => value !== null);
    const values = tiles.filter((value): value is number => value !== null);
    const least = whole ? Math.min(...values) : null;
    const most = whole ? Math.max(...values) : null;
    return {
      workloadId,
      name,
      unit,
      scored,
      total: whole ? values.reduce((a, b) => a + b, 0) : null,
      least,
      most,
      balance: tiles.length > 1 && most !== null && most > 0 ? least! / most : null,
    };
  });
}
