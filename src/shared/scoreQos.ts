import type { ProfileWorkload, QosLimit } from './profile.ts';
import type {
  MetricValues,
  PeriodMeasurement,
  QosResult,
  WorkloadMeasurement,
} from './scoreTypes.ts';
import { secondsOfRate } from './units.ts';

/** A mean over no samples arrives as NaN: that is a missing measurement, and so is a negative rate or time. */
export function measurement(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : null;
}

/**
 * What a limit is held against. `failurePct` = 100 × failed / (failed + completed), both a second: errorRate counts failures a second,
 * throughput the completed operations in the workload's unit. null = not measured, or no operation at all.
 */
export function limitedValue(
  limit: QosLimit,
  unit: string,
  found: Pick<WorkloadMeasurement, 'values' | 'operations'> | undefined,
): number | null {
  const values: MetricValues | undefined =
    limit.operation === undefined ? found?.values : found?.operations?.[limit.operation];
  if (limit.measure !== 'failurePct') return measurement(values?.[limit.metric]);
  const failed = measurement(values?.errorRate);
  const completed = measurement(values?.throughput);
  const seconds = secondsOfRate(unit);
  if (failed === null || completed === null || seconds === null) return null;
  const all = failed + completed / seconds;
  return all > 0 ? (100 * failed) / all : null;
}

/** Means over all periods of one workload of one tile, each period by its samples; a metric that any period misses is left out. */
export function overSteady(
  periods: readonly PeriodMeasurement[],
  tile: number,
  workloadId: string,
): Pick<WorkloadMeasurement, 'values' | 'operations'> | undefined {
  const found = periods.map((p) =>
    p.workloads.find((w) => w.tile === tile && w.workloadId === workloadId),
  );
  if (found.length === 0 || found.some((w) => w === undefined)) return undefined;
  const own = found as WorkloadMeasurement[];
  const join = (of: (w: WorkloadMeasurement) => MetricValues | undefined): MetricValues => {
    const first = of(own[0]!) ?? {};
    return Object.fromEntries(
      (Object.keys(first) as (keyof MetricValues)[]).flatMap((metric) => {
        const values = own.map((w) => measurement(of(w)?.[metric]));
        const weights = own.map((w) => Math.max(1, w.samples));
        if (values.some((v) => v === null)) return [];
        return [
          [
            metric,
            values.reduce<number>((sum, v, i) => sum + v! * weights[i]!, 0) /
              weights.reduce((a, b) => a + b, 0),
          ],
        ];
      }),
    );
  };
  const names = Object.keys(own[0]!.operations ?? {});
  return {
    values: join((w) => w.values),
    operations: Object.fromEntries(names.map((name) => [name, join((w) => w.operations?.[name])])),
  };
}

/** Words for what a limit is on: `latencyP99Ms of login`, `failures in %`. */
export function limitWords(limit: {
  metric: string;
  measure?: QosLimit['measure'];
  operation?: string | undefined;
}): string {
  return `${limit.measure === 'failurePct' ? 'share of failures' : limit.metric}${limit.operation === undefined ? '' : ` of ${limit.operation}`}`;
}

/** Every limit of a workload against what it did in a period (`period`) or in the whole steady state (`steady`); a limit whose figure is not set gives none. */
export function judgeLimits(
  workload: ProfileWorkload,
  period: Pick<WorkloadMeasurement, 'values' | 'operations'> | undefined,
  steady: () => Pick<WorkloadMeasurement, 'values' | 'operations'> | undefined,
): QosResult[] {
  return workload.qos.flatMap((limit) =>
    (['max', 'min'] as const)
      .filter((kind) => limit[kind] !== undefined)
      .map((kind): QosResult => {
        const value = limitedValue(
          limit,
          workload.unit,
          limit.over === 'steady' ? steady() : period,
        );
        const bound = limit[kind]!;
        return {
          metric: limit.metric,
          unit: limit.unit,
          limit: bound,
          kind,
          measured: value,
          passed: value === null ? null : kind === 'max' ? value <= bound : value >= bound,
          source: limit.source,
          ...(limit.operation === undefined ? {} : { operation: limit.operation }),
          ...(limit.measure === undefined ? {} : { measure: limit.measure }),
          ...(limit.over === undefined ? {} : { over: limit.over }),
        };
      }),
  );
}
