import { z } from 'zod';
import { metricName } from './metric.ts';

/** A driver's parameters: plain scalars, checked by the driver's own schema. */
export const driverParams = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type DriverParams = z.infer<typeof driverParams>;

export const qosLimitSchema = z.object({
  metric: metricName,
  /** The limit holds for the mean of each measurement period. */
  max: z.number().optional(),
  min: z.number().optional(),
  unit: z.string(),
  source: z.string(),
});
export type QosLimit = z.infer<typeof qosLimitSchema>;

export const profileWorkloadSchema = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** `database`, `file`, `java`, `standby`, `io`, … the role it plays in the tile. */
  role: z.string(),
  name: z.string(),
  driver: z.string(),
  params: driverParams.default({}),
  /** Unit of the scored metric. */
  unit: z.string(),
  /** false: must stay alive, is not scored (standby). */
  scored: z.boolean().default(true),
  /** Throughput that scores 1.0. null = not set: normalise to a reference run. */
  reference: z.number().positive().nullable(),
  referenceSource: z.string(),
  qos: z.array(qosLimitSchema).default([]),
});
export type ProfileWorkload = z.infer<typeof profileWorkloadSchema>;

export const phasesSchema = z.object({
  /** From launch until the last tile is at full load. */
  rampUpS: z.number().int().min(0).max(86_400),
  /** Delay between the starts of successive tiles, inside the ramp-up. */
  staggerS: z.number().min(0).max(3_600),
  /** Steady state, cut into `periods` equal measurement periods. */
  steadyS: z.number().int().min(5).max(172_800),
  periods: z.number().int().min(1).max(48),
  rampDownS: z.number().int().min(0).max(86_400),
});
export type Phases = z.infer<typeof phasesSchema>;

export const profileSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  version: z.string(),
  name: z.string(),
  description: z.string(),
  /** What a result may be called: only a rules-conforming benchmark gets a benchmark's name. */
  resultName: z.string().default('scaling study'),
  minimumHosts: z.number().int().min(1).default(1),
  workloads: z.array(profileWorkloadSchema).min(1),
  phases: phasesSchema,
  scoring: z.object({
    /** How the workload ratios of one tile are combined. */
    tile: z.literal('geometricMean'),
    /** How the tile scores are combined. */
    total: z.literal('sum'),
    /** Which measurement period speaks for the run. */
    periods: z.enum(['median', 'mean', 'worst']),
    source: z.string(),
  }),
});
export type Profile = z.infer<typeof profileSchema>;
