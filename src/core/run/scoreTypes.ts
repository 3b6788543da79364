import * as z from 'zod';

import { field } from '../base/field.ts';
import type { MetricName } from '../metric/metric.ts';
import { steadyPowerSchema } from './steadyPower.ts';

const finite = field.figure();
const qosResult = z.object({
  metric: field.word(),
  unit: field.word(),
  limit: finite,
  kind: z.enum(['max', 'min']),
  measured: finite.nullable(),
  passed: z.boolean().nullable(),
  source: field.freeText(),
  /** Named operation the limit is for; absent = the whole workload. */
  operation: field.id('operation').optional(),
  measure: z.enum(['value', 'failurePct']).optional(),
  /** `steady`: measured over all periods together, and therefore the same in each. */
  over: z.enum(['period', 'steady']).optional(),
});
export type QosResult = z.infer<typeof qosResult>;
const workloadScore = z.object({
  workloadId: field.id('workload'),
  name: field.name('workload'),
  unit: field.word(),
  scored: z.boolean(),
  /** Mean throughput in the period; null = no sample arrived. */
  throughput: finite.nullable(),
  samples: field.count(),
  reference: finite.nullable(),
  ratio: finite.nullable(),
  qos: field.list(qosResult),
  /** Absent = 1. */
  weight: finite.optional(),
  /** Failures a second, mean of the period; absent = the tool counts none. */
  errorsPerS: finite.optional(),
  /**
   * Percent of the period in which the client could not offer the load in time; absent = its program
   * does not tell.
   */
  saturatedPct: finite.optional(),
});
const tileScore = z.object({
  tile: field.integer(),
  score: finite.nullable(),
  workloads: field.list(workloadScore),
});
const operationScore = z.object({
  operationId: field.id('operation'),
  name: field.name('operation'),
  /** null = not counted. */ perHour: finite.nullable(),
  reference: finite.nullable(),
  ratio: finite.nullable(),
  weight: finite.optional(),
});
const infrastructureScore = z.object({
  score: finite.nullable(),
  operations: field.list(operationScore),
});
const periodScore = z.object({
  index: field.integer(),
  total: finite.nullable(),
  qosPassed: z.boolean(),
  tiles: field.list(tileScore),
  /** Sum over the tiles; present beside an infrastructure part, otherwise `total` is it. */
  application: finite.nullable().optional(),
  infrastructure: infrastructureScore.optional(),
});
const powerScoreSchema = z.object({
  kind: z.enum(['server', 'serverAndStorage', 'asMeasured']),
  /** Mean of the periods that speak for the run; null = missing or refused. */
  meanW: finite.nullable(),
  /** Score a kilowatt. */ value: finite.nullable(),
  /** Why there is no figure. */
  refused: field.freeText().nullable(),
  measuredBy: field.freeText(),
  source: field.freeText(),
  /** What the whole steady state used; absent in runs of earlier versions. */
  steady: steadyPowerSchema.optional(),
});
export type PowerScore = z.infer<typeof powerScoreSchema>;
export const scoreSchema = z.object({
  resultName: field.freeText(),
  /** null = cannot be told; `missing` says why. */
  total: finite.nullable(),
  tiles: field.count(),
  periodRule: field.word(),
  chosenPeriod: field.integer().nullable(),
  periods: field.list(periodScore),
  /**
   * `none`: nothing says what scores 1.0, and there is no score. `itself`: the run others of its
   * study are held against. Absent = the profile's figures, or another run.
   */
  reference: z.enum(['none', 'itself']).optional(),
  referenceLabel: field.freeText(),
  qosPassed: z.boolean(),
  missing: field.list(field.freeText()),
  /**
   * Parts of the total over the periods that speak for it; absent = the profile has one part only.
   */
  application: finite.nullable().optional(),
  infrastructure: finite.nullable().optional(),
  /** Weights of the parts; null = not set, no total is claimed. */
  weights: z.object({ application: finite, infrastructure: finite }).nullable().optional(),
  /** Indexes of the periods whose mean is the result; empty = there is none. */
  speaking: field.list(field.integer()).optional(),
  /** What a reader must know of the figures: zeros, limits that are not set. */
  notes: field.list(field.freeText()).optional(),
  power: powerScoreSchema.optional(),
});
export type Score = z.infer<typeof scoreSchema>;
export type PeriodScore = z.infer<typeof periodScore>;
export type TileScore = z.infer<typeof tileScore>;
export type WorkloadScore = z.infer<typeof workloadScore>;
export type OperationScore = z.infer<typeof operationScore>;
export type InfrastructureScore = z.infer<typeof infrastructureScore>;

export type MetricValues = Partial<Record<MetricName, number>>;
/**
 * What one workload did in one period. `values` are means over the period by metric; `operations`
 * the same of its named operations, where the tool tells them apart.
 */
export interface WorkloadMeasurement {
  tile: number;
  workloadId: string;
  samples: number;
  values: MetricValues;
  /** Samples behind each of `values`; a metric without one counts as `samples`. */
  counts?: MetricValues;
  operations?: Readonly<Record<string, MetricValues>>;
}
/** `infrastructure`: operations an hour by id. */
export interface PeriodMeasurement {
  index: number;
  workloads: readonly WorkloadMeasurement[];
  infrastructure?: Readonly<Record<string, number>>;
}

/**
 * What scores 1.0, by workload id, and by `infra.<operation id>` for operations an hour; missing =
 * not set.
 */
export type References = Readonly<Record<string, number>>;
/**
 * Key of an infrastructure operation in references, and id of the entity whose throughput series
 * counts it (operations an hour).
 */
export const infraKey = (operationId: string): string => `infra.${operationId}`;
