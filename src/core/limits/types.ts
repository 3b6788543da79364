import type { MetricName } from '../metric/metric.ts';
import type { QosLimit } from '../profile/profile.ts';
import type { WorkloadMeasurement } from '../run/scoreTypes.ts';

export type LimitKind = 'max' | 'min';

/**
 * One bound on one workload of one tile: a limit of a profile with both `max` and `min` makes two.
 */
export interface Limit {
  tile: number;
  workloadId: string;
  /** Of the workload. */
  name: string;
  /** `t0.database` */
  entityId: string;
  /** Unit of the workload's throughput: a share of failures is worked out from it. */
  rateUnit: string;
  metric: MetricName;
  unit: string;
  kind: LimitKind;
  limit: number;
  source: string;
  /** Whose mean is held against it. */
  over: 'period' | 'steady';
  operation?: string | undefined;
  measure?: QosLimit['measure'];
}

/** Means of one workload over the window a limit is about. */
export type Means = Pick<WorkloadMeasurement, 'values' | 'operations'>;

/** A limit against what was measured; all null = not measured. */
export interface Judgement {
  measured: number | null;
  passed: boolean | null;
  /** Fraction of the limit that is left: 1 = untouched, 0 = at the limit, negative = broken. */
  headroom: number | null;
}
