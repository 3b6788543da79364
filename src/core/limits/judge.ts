import { secondsOfRate } from '../base/units.ts';
import type { MetricName } from '../metric/metric.ts';
import type { QosLimit } from '../profile/profile.ts';
import type {
  MetricValues,
  PeriodMeasurement,
  QosResult,
  WorkloadMeasurement,
} from '../run/scoreTypes.ts';
import { weightedMean } from '../stats/summary.ts';
import type { Judgement, Limit, LimitKind, Means } from './types.ts';

/**
 * A mean over no samples arrives as NaN: that is a missing measurement, and so is a negative rate
 * or time.
 */
export function measurement(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : null;
}

/**
 * What a limit is held against. `failurePct` = 100 × failed / (failed + completed), both a second:
 * errorRate counts failures a second, throughput the completed operations in the workload's unit.
 * null = not measured, or no operation at all.
 */
function limitedValue(
  {
    metric,
    operation,
    measure,
    rateUnit,
  }: Pick<Limit, 'metric' | 'operation' | 'measure' | 'rateUnit'>,
  means: Means | undefined,
): number | null {
  const values: MetricValues | undefined =
    operation === undefined ? means?.values : means?.operations?.[operation];
  if (measure !== 'failurePct') return measurement(values?.[metric]);
  const failed = measurement(values?.errorRate);
  const completed = measurement(values?.throughput);
  const seconds = secondsOfRate(rateUnit);
  if (failed === null || completed === null || seconds === null) return null;
  const all = failed + completed / seconds;
  return all > 0 ? (100 * failed) / all : null;
}

/**
 * Metrics of the workload as a whole that a limit is judged by; none where it is on a named
 * operation.
 */
export function metricsOf({ metric, operation, measure }: Limit): MetricName[] {
  if (operation !== undefined) return [];
  return measure === 'failurePct' ? ['errorRate', 'throughput'] : [metric];
}

/**
 * What is left of a limit, as a fraction of the limit: (limit − value) / limit for a maximum,
 * (value − limit) / limit for a minimum. A limit of 0 has no fraction: 0 when kept, −1 when broken.
 */
export function headroomOf(kind: LimitKind, limit: number, value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  const left = kind === 'max' ? limit - value : value - limit;
  if (limit === 0) return left >= 0 ? 0 : -1;
  return left / Math.abs(limit);
}

/** A limit against the means over the window it is about. */
export function judge(limit: Limit, means: Means | undefined): Judgement {
  const measured = limitedValue(limit, means);
  return {
    measured,
    passed:
      measured === null
        ? null
        : limit.kind === 'max'
          ? measured <= limit.limit
          : measured >= limit.limit,
    headroom: headroomOf(limit.kind, limit.limit, measured),
  };
}

/** Limits against what their workload did: each over the window it is about. */
export function judgeAll(
  limits: readonly Limit[],
  means: (over: Limit['over']) => Means | undefined,
): QosResult[] {
  return limits.map((limit): QosResult => {
    const { measured, passed } = judge(limit, means(limit.over));
    return {
      metric: limit.metric,
      unit: limit.unit,
      limit: limit.limit,
      kind: limit.kind,
      measured,
      passed,
      source: limit.source,
      ...(limit.operation === undefined ? {} : { operation: limit.operation }),
      ...(limit.measure === undefined ? {} : { measure: limit.measure }),
      ...(limit.over === 'period' ? {} : { over: limit.over }),
    };
  });
}

/**
 * Means over all periods of one workload of one tile, each metric's period by the number of its
 * samples: the mean of all samples. A metric that any period misses is left out.
 */
export function overSteady(
  periods: readonly PeriodMeasurement[],
  tile: number,
  workloadId: string,
): Means | undefined {
  const found = periods.map((p) => measurementOf(p.workloads, tile, workloadId));
  if (found.length === 0 || found.some((w) => w === undefined)) return undefined;
  const own = found as WorkloadMeasurement[];
  const join = (of: (w: WorkloadMeasurement) => MetricValues | undefined): MetricValues => {
    const first = of(own[0]!) ?? {};
    return Object.fromEntries(
      (Object.keys(first) as (keyof MetricValues)[]).flatMap((metric) => {
        const values = own.map((w) => measurement(of(w)?.[metric]));
        const weights = own.map((w) => Math.max(1, w.counts?.[metric] ?? w.samples));
        if (values.some((v) => v === null)) return [];
        return [[metric, weightedMean(values as number[], weights)]];
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
  const what = limit.measure === 'failurePct' ? 'share of failures' : limit.metric;
  return limit.operation === undefined ? what : `${what} of ${limit.operation}`;
}

const byWorkload = new WeakMap<readonly WorkloadMeasurement[], Map<string, WorkloadMeasurement>>();

/**
 * What a period holds of one workload of one tile. Looked up, not searched for: 400 tiles of 64
 * workloads ask once each.
 */
export function measurementOf(
  workloads: readonly WorkloadMeasurement[],
  tile: number,
  workloadId: string,
): WorkloadMeasurement | undefined {
  let found = byWorkload.get(workloads);
  if (!found) {
    // The first of several counts.
    found = new Map([...workloads].reverse().map((w) => [`${w.tile} ${w.workloadId}`, w]));
    byWorkload.set(workloads, found);
  }
  return found.get(`${tile} ${workloadId}`);
}
