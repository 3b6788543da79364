import type { MetricName, SeriesDef } from '../../../src/core/metric/metric.ts';
import { infraKey, type PeriodMeasurement } from '../../../src/core/run/scoreTypes.ts';
import type { PeriodSpan } from '../../../src/core/run/windows.ts';

/** What a score is made of: series of workloads and of infrastructure operations. */
export const isScored = (def: SeriesDef): boolean =>
  def.entity.kind === 'workload' || isInfrastructure(def);

/**
 * Means of every scored series over every measurement period: from what is stored, or from running
 * sums. `aggregate` gives mean and count of a series over a period; count 0 = nothing measured.
 */
export function measurePeriods(
  series: readonly SeriesDef[],
  periods: readonly PeriodSpan[],
  aggregate: (def: SeriesDef, period: PeriodSpan) => { count: number; mean: number },
): PeriodMeasurement[] {
  const workloads = groupByEntity(
    series.filter((def) => def.entity.kind === 'workload' && !isInfrastructure(def)),
  );
  const operations = series.filter((def) => isInfrastructure(def) && def.metric === 'throughput');
  return periods.map((period) => ({
    index: period.index,
    ...(operations.length === 0
      ? {}
      : {
          infrastructure: Object.fromEntries(
            operations.flatMap((def) => {
              const { count, mean } = aggregate(def, period);
              return count > 0 ? [[def.entity.id.slice(prefix.length), mean]] : [];
            }),
          ),
        }),
    workloads: [...workloads.values()].map((own) => {
      const values: Partial<Record<MetricName, number>> = {};
      const counts: typeof values = {};
      let samples = 0;
      for (const def of own) {
        const { count, mean } = aggregate(def, period);
        if (count > 0) {
          values[def.metric] = mean;
          counts[def.metric] = count;
        }
        if (def.metric === 'throughput') samples = count;
      }
      const { entity } = own[0]!;
      return {
        tile: entity.tile ?? 0,
        workloadId: entity.id.slice(entity.id.indexOf('.') + 1),
        samples,
        values,
        counts,
      };
    }),
  }));
}

const prefix = infraKey('');

/**
 * Series of an infrastructure operation (entity `infra.<operation id>`, throughput in
 * operations/h): they stand beside the tiles.
 */
const isInfrastructure = (def: SeriesDef): boolean => def.entity.id.startsWith(prefix);

function groupByEntity(series: readonly SeriesDef[]): Map<string, SeriesDef[]> {
  const groups = new Map<string, SeriesDef[]>();
  for (const def of series) {
    const own = groups.get(def.entity.id);
    if (own) own.push(def);
    else groups.set(def.entity.id, [def]);
  }
  return groups;
}
