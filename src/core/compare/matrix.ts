import type { MetricName } from '../metric/metric.ts';
import { welch } from '../stats/welch.ts';
import { deltaPct } from './rows.ts';
import type { ComparedRun, CompareMatrix } from './types.ts';

const metrics: readonly { metric: MetricName; better: 'higher' | 'lower' }[] = [
  { metric: 'throughput', better: 'higher' },
  { metric: 'latencyP95Ms', better: 'lower' },
  { metric: 'latencyMeanMs', better: 'lower' },
];
type Word = CompareMatrix['cells'][number]['words'][number];

/**
 * Every workload of every tile against the baseline. Words come from the means of the measurement
 * periods, taken as independent (non-overlapping batch means: C. Alexopoulos and A. F. Seila,
 * "Output data analysis", Handbook of Simulation, 1998, ch. 7) and compared by Welch at 5 %, each
 * cell by itself; null where a run has fewer than two periods. A metric no cell has is left out.
 */
export function compareMatrix(runs: readonly ComparedRun[], guarded: boolean): CompareMatrix[] {
  const tiles = Math.max(0, ...runs.map((r) => r.record.plan.tiles));
  const workloads = new Map(
    runs.flatMap((r) => r.record.profile.workloads.map((w) => [w.id, w.name] as const)),
  );
  return metrics.flatMap(({ metric, better }) => {
    const cells = Array.from({ length: tiles }, (_, tile) =>
      [...workloads].flatMap(([workloadId, workload]) => {
        const found = runs.map((r) =>
          r.aggregates.series.find(
            (s) => s.def.metric === metric && s.def.entity.id === `t${tile}.${workloadId}`,
          ),
        );
        const unit = found.find((s) => s !== undefined)?.def.unit;
        if (unit === undefined) return [];
        const same = found.map((s) => (s?.def.unit === unit ? s : undefined));
        const values = same.map((s) => s?.steady?.mean ?? null);
        const periods = same.map(
          (s) => s?.periods.flatMap((p) => (p === null ? [] : [p.mean])) ?? [],
        );
        return [
          {
            tile,
            workloadId,
            workload,
            unit,
            values,
            deltaPct: values.map((v, i) => (i === 0 ? null : deltaPct(v, values[0]!))),
            words: values.map((v, i): Word =>
              i === 0 || v === null || values[0] === null
                ? null
                : guarded
                  ? 'notComparable'
                  : wordOf(periods[0]!, periods[i]!, better),
            ),
          },
        ];
      }),
    ).flat();
    return cells.length === 0 ? [] : [{ metric, better, cells }];
  });
}

function wordOf(
  base: readonly number[],
  other: readonly number[],
  better: 'higher' | 'lower',
): Word {
  const of = welch(base, other);
  if (of === null) return null;
  if (of.p >= 0.05) return 'withinNoise';
  return of.difference > 0 === (better === 'higher') ? 'better' : 'worse';
}
