import { byNaturalOrder } from '../base/naturalOrder.ts';
import type { MetricName } from '../metric/metric.ts';
import type { CompareMatrix, CompareTest, Comparison } from './types.ts';

type Row = Comparison['rows'][number];

/** What one workload did in a run against the baseline: a row of the forest plot. */
export interface ForestRow {
  workloadId: string;
  name: string;
  /** What `deltaPct` is of: throughput where it was measured, else a latency. */
  metric: MetricName;
  /** Key of the metric among the rows of the comparison. */
  key: string;
  deltaPct: number | null;
  /** 95 % interval; null = not told. */
  lowPct: number | null;
  highPct: number | null;
  /** Half of the noise band: the smallest true difference that would be found; null = not told. */
  noisePct: number | null;
  word: CompareTest['word'] | null;
  /** Change of the 95th percentile of latency, else of its mean; null = not measured. */
  latency: { deltaPct: number; word: CompareTest['word'] | null } | null;
}

/** Place of the side that run `run` belongs to; 0 = it repeats the baseline. */
export const sideOfRun = ({ sides }: Pick<Comparison, 'sides'>, run: number): number =>
  Math.max(
    0,
    sides.findIndex((side) => side.runs.includes(run)),
  );

const leading: readonly MetricName[] = ['throughput', 'latencyP95Ms', 'latencyMeanMs'];
const isSum = (row: Row): boolean => row.key.endsWith('.sum');

/** Key of the row of a metric of a workload over all tiles; undefined = not measured. */
export function rowOf(
  { rows }: Pick<Comparison, 'rows'>,
  metric: MetricName,
  workloadId: string,
): Row | undefined {
  return rows.find((row) => row.key.startsWith(`${metric}.${workloadId}.`) && !isSum(row));
}

/**
 * Where a difference comes from: a row for each workload, what lost most first, what was not
 * measured in both last. Changes are those of the tests, means of repeats, where there is a test.
 */
export function forestRows(comparison: Comparison, run: number): ForestRow[] {
  const side = sideOfRun(comparison, run);
  const workloads = new Map(
    comparison.matrix.flatMap(({ cells }) => cells.map((c) => [c.workloadId, c.workload])),
  );
  const changeOf = (row: Row): number | null =>
    row.tests[side]?.differencePct ?? row.deltaPct[run] ?? null;
  const rows = [...workloads].flatMap(([workloadId, name]): ForestRow[] => {
    const found = leading.flatMap((metric) => {
      const row = rowOf(comparison, metric, workloadId);
      return row === undefined ? [] : [{ metric, row }];
    });
    const first = found.find(({ row }) => changeOf(row) !== null) ?? found[0];
    if (first === undefined) return [];
    const slow = found.find(({ metric }) => metric !== 'throughput');
    const slowPct = slow === undefined ? null : changeOf(slow.row);
    const test = first.row.tests[side] ?? null;
    return [
      {
        workloadId,
        name,
        metric: first.metric,
        key: first.row.key,
        deltaPct: changeOf(first.row),
        lowPct: test?.lowPct ?? null,
        highPct: test?.highPct ?? null,
        noisePct: test?.detectablePct ?? null,
        word: test?.word ?? null,
        latency:
          slow === undefined || slow === first || slowPct === null
            ? null
            : { deltaPct: slowPct, word: slow.row.tests[side]?.word ?? null },
      },
    ];
  });
  // A latency that rises is a loss.
  const gain = ({ metric, deltaPct }: ForestRow): number =>
    deltaPct === null ? Infinity : metric === 'throughput' ? deltaPct : -deltaPct;
  return rows.sort((a, b) => gain(a) - gain(b) || byNaturalOrder(a.name, b.name));
}

/** Ends of the axis in percent: round, with 0 inside; no further out than a loss of everything. */
export function forestAxis(rows: readonly ForestRow[]): readonly [from: number, to: number] {
  const ends = rows.flatMap(({ deltaPct, lowPct, highPct, noisePct }) =>
    [deltaPct, lowPct, highPct, noisePct, noisePct === null ? null : -noisePct].flatMap(
      (pct) => pct ?? [],
    ),
  );
  const round = (pct: number): number => {
    const step = Math.abs(pct) > 20 ? 10 : Math.abs(pct) > 4 ? 5 : 1;
    return Math.min(farthestPct, Math.ceil(Math.abs(pct) / step) * step);
  };
  const from = round(Math.min(-1, ...ends));
  const to = round(Math.max(1, ...ends));
  return [-from, to];
}
/** What lies further out is drawn at the end of the axis: its figure stands beside it. */
const farthestPct = 100;

/**
 * The tile in which a metric of a workload changed most, in a run against the baseline; null where
 * none has it in both.
 */
export function mostChangedTile(
  matrix: CompareMatrix | undefined,
  workloadId: string,
  run: number,
): number | null {
  const cells = (matrix?.cells ?? []).filter((c) => c.workloadId === workloadId);
  const size = (cell: (typeof cells)[number]): number => {
    const delta = cell.deltaPct[run] ?? null;
    return delta === null ? -1 : Math.abs(delta);
  };
  const [first, ...rest] = cells;
  return first === undefined
    ? null
    : rest.reduce((most, cell) => (size(cell) > size(most) ? cell : most), first).tile;
}
