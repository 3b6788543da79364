import { forEachSample, type MetricName, type SeriesDef } from '../../../src/core/metric/metric.ts';
import type { PeriodMeasurement } from '../../../src/core/run/scoreTypes.ts';
import type { PeriodSpan } from '../../../src/core/run/windows.ts';
import { infrastructureOf, isInfrastructure } from './infrastructure.ts';
import type { Sink } from './types.ts';

export interface VerdictSink extends Sink {
  setPeriods(periods: readonly PeriodSpan[]): void;
  /**
   * Running means by period, for the score while a run goes. The final score is made from stored
   * samples.
   */
  measurements(series: readonly SeriesDef[]): PeriodMeasurement[];
}

/**
 * Keeps a count and a sum for each series and measurement period: a few operations a sample, memory
 * independent of the run's length.
 */
export function createVerdictSink(): VerdictSink {
  let periods: readonly PeriodSpan[] = [];
  let sums: Map<number, { sum: number; count: number }>[] = [];
  return {
    name: 'verdict',
    setPeriods(next) {
      periods = next;
      sums = next.map(() => new Map<number, { sum: number; count: number }>());
    },
    accept(batch) {
      forEachSample(batch, (seriesId, tMs, value) => {
        const at = periods.findIndex((p) => tMs >= p.startMs && tMs < p.endMs);
        if (at < 0) return;
        const known = sums[at]!.get(seriesId);
        if (known) {
          known.sum += value;
          known.count += 1;
        } else sums[at]!.set(seriesId, { sum: value, count: 1 });
      });
    },
    measurements(series) {
      const workloads = series.filter(
        (def) => def.entity.kind === 'workload' && !isInfrastructure(def),
      );
      const meanOf = (at: number, id: number): number | null => {
        const known = sums[at]!.get(id);
        return known ? known.sum / known.count : null;
      };
      const byId = new Map<string, SeriesDef[]>();
      for (const def of workloads) {
        const own = byId.get(def.entity.id);
        if (own) own.push(def);
        else byId.set(def.entity.id, [def]);
      }
      return periods.map(({ index }, at) => ({
        index,
        ...infrastructureOf(series, (def) => meanOf(at, def.id)),
        workloads: [...byId].map(([id, own]) => {
          const values: Partial<Record<MetricName, number>> = {};
          const counts: typeof values = {};
          let samples = 0;
          for (const def of own) {
            const mean = sums[at]!.get(def.id);
            if (!mean) continue;
            values[def.metric] = mean.sum / mean.count;
            counts[def.metric] = mean.count;
            if (def.metric === 'throughput') samples = mean.count;
          }
          return {
            tile: own[0]!.entity.tile ?? 0,
            workloadId: id.slice(id.indexOf('.') + 1),
            samples,
            values,
            counts,
          };
        }),
      }));
    },
    close: () => undefined,
  };
}
