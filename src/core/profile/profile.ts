import * as z from 'zod';

import { limits } from '../base/bounds.ts';
import { field } from '../base/field.ts';
import { metricName } from '../metric/metric.ts';

/** A driver's parameters: plain scalars, checked by the driver's own schema. */
export const driverParams = field.record(
  field.word(),
  z.union([field.byKey(), field.figure(), z.boolean()]),
);
export type DriverParams = z.infer<typeof driverParams>;

/** Throughput that scores 1.0. null = not set: no source gives one. */
const reference = z
  .number({ error: 'a reference is a number, or null for not set' })
  .positive({
    error:
      'a reference must be greater than 0: ratios divide by it; null = not set, normalise to a reference run',
  })
  .max(limits.figure)
  .nullable();
const weight = field
  .figure()
  .min(0, { error: 'a weight must not be negative: 0 leaves the part out, 1 is the default' });

const qosLimitSchema = z.object({
  metric: metricName,
  /**
   * The limit holds for the mean of each measurement period. Neither max nor min = there is a
   * limit, and no source gives its figure: not judged.
   */
  max: field.figure().optional(),
  min: field.figure().optional(),
  unit: field.word(),
  source: field.freeText(),
  /**
   * What is held against the limit: the metric itself, or failed operations as % of all (metric
   * errorRate).
   */
  measure: z.enum(['value', 'failurePct']).optional(),
  /** A named operation of the workload; absent = all its operations together. */
  operation: field.id('operation').min(1).optional(),
  /**
   * Whose mean is held against the limit: each measurement period (default), or the steady state as
   * a whole.
   */
  over: z.enum(['period', 'steady']).optional(),
});
export type QosLimit = z.infer<typeof qosLimitSchema>;

/** VMs of one kind that a workload has in a tile. */
const workloadVmSchema = z.object({
  name: field.name('workload').min(1),
  count: z.number().int().min(1).max(64),
  vcpus: field.count().positive().nullable(),
  guest: field.word().optional(),
  source: field.freeText().min(1),
});

const profileWorkloadSchema = z.object({
  id: field.id('workload').regex(/^[a-z][a-z0-9-]*$/, {
    error: 'an id has small letters, digits and hyphens and begins with a letter',
  }),
  /** `database`, `file`, `java`, `standby`, `io`, … the role it plays in the tile. */
  role: field.name('workload'),
  name: field.name('workload'),
  driver: field.word(),
  params: driverParams.default({}),
  /** Unit of the scored metric. */
  unit: field.word(),
  /** false: must stay alive, is not scored (standby). */
  scored: z.boolean().default(true),
  /** Throughput that scores 1.0. null = not set: normalise to a reference run. */
  reference,
  referenceSource: field.freeText(),
  /** Weight of its ratio in the tile's geometric mean; absent = 1. */
  weight: weight.optional(),
  weightSource: field.freeText().optional(),
  qos: z.array(qosLimitSchema).max(64, { error: 'at most 64 limits' }).default([]),
  /** What serves it in a tile; absent = not said. */
  vms: field.list(workloadVmSchema).optional(),
  /** What to know of the driver here: a stand-in for a tool that is not open, and so on. */
  note: field.freeText().optional(),
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

/** One infrastructure operation that is counted, e.g. vMotion. */
const infraOperationSchema = z.object({
  id: field.id('operation').regex(/^[a-z][A-Za-z0-9-]*$/, {
    error: 'an id begins with a small letter and has letters, digits and hyphens',
  }),
  name: field.name('operation').min(1),
  /** Operations an hour that score 1.0. */
  reference,
  referenceSource: field.freeText(),
  weight: weight.optional(),
  weightSource: field.freeText().optional(),
});
export type InfraOperation = z.infer<typeof infraOperationSchema>;

const infrastructureSchema = z.object({
  /**
   * Ratios of the operations to their references become one geometric mean; there is no sum over
   * tiles.
   */
  combine: z.literal('geometricMean'),
  operations: z
    .array(infraOperationSchema)
    .min(1, { error: 'an infrastructure part needs an operation' })
    .max(32, { error: 'at most 32 operations' }),
  /** The load grows with the hosts: one loop of each operation for this many. null = not set. */
  hostsPerLoop: field.figure().positive().nullable(),
  hostsPerLoopSource: field.freeText(),
  source: field.freeText(),
});

/**
 * How the parts become one number. A weight that is null is not set: the parts are shown apart and
 * no total is claimed.
 */
const overallSchema = z.object({
  application: weight.nullable(),
  infrastructure: weight.nullable(),
  source: field.freeText(),
});

const powerRuleSchema = z.object({
  /** What the meters of a run must cover. */
  kind: z.enum(['server', 'serverAndStorage']),
  /**
   * Longest period of a power source that may feed the figure; null = as long as the measurement
   * period.
   */
  maxPeriodMs: field.figure().positive().nullable(),
  source: field.freeText(),
});

const ruleKinds = [
  'minimumHosts',
  'standbyAlive',
  'noDroppedConnection',
  'qosEveryPeriod',
  'allTilesReport',
  'clientsKeptUp',
  'statement',
] as const;
const ruleSchema = z.object({
  id: field.id('rule').regex(/^[a-z][A-Za-z0-9-]*$/),
  kind: z.enum(ruleKinds),
  /**
   * minimumHosts: hosts; standbyAlive: standby VMs that must stay alive; clientsKeptUp: most percent
   * of a period that a client may fall behind.
   */
  value: field.figure().nonnegative().optional(),
  text: field.freeText().min(1),
  source: field.freeText().min(1),
});
export type ProfileRule = z.infer<typeof ruleSchema>;

const scoringSchema = z.object({
  /** How the workload ratios of one tile are combined, each with its weight. */
  tile: z.literal('geometricMean'),
  /** How the tile scores are combined. */
  total: z.literal('sum'),
  /**
   * Which measurement period speaks for the run. null = not set: only a run with one period has a
   * total.
   */
  periods: z.enum(['median', 'mean', 'worst']).nullable(),
  source: field.freeText(),
  periodsSource: field.freeText().optional(),
  infrastructure: infrastructureSchema.optional(),
  /** Needed beside an infrastructure part; without one the application part is the total. */
  overall: overallSchema.optional(),
  power: powerRuleSchema.optional(),
  /** How the field prints a result: `9.16 @ 8 tiles`. */
  number: z
    .object({ decimals: z.number().int().min(0).max(6), source: field.freeText() })
    .optional(),
});

/** Most tiles a run can have. */
export const maximumTiles = 400;

export const profileSchema = z.object({
  schemaVersion: z.literal(1, {
    error:
      'this Tilebench reads schemaVersion 1; a profile of a newer version needs a newer Tilebench',
  }),
  id: field.id('profile').min(1, { error: 'an id is needed' }).max(64),
  version: field.word(),
  name: field.name('profile'),
  description: field.freeText(),
  /** Profile it was copied from; what differs can be shown. */
  parentId: field.id('profile').nullable().optional(),
  /** What a result may be called: only a rules-conforming benchmark gets a benchmark's name. */
  resultName: field.freeText().default('scaling study'),
  minimumHosts: field.count().min(1).default(1),
  /** Most tiles the benchmark allows. */
  maximumTiles: z
    .number()
    .int()
    .min(1)
    .max(maximumTiles, { error: `at most ${maximumTiles} tiles` })
    .optional(),
  workloads: z
    .array(profileWorkloadSchema)
    .min(1, { error: 'a tile needs a workload' })
    .max(64, { error: 'at most 64 workloads a tile' }),
  phases: phasesSchema,
  /** Where lengths of phases and periods are from. */
  phasesSource: field.freeText().optional(),
  scoring: scoringSchema,
  rules: z.array(ruleSchema).max(64, { error: 'at most 64 rules' }).optional(),
});
export type Profile = z.infer<typeof profileSchema>;
export type Scoring = Profile['scoring'];

/** Weight of a ratio: 1 where the profile says nothing. */
export const weightOf = (part: { weight?: number | undefined }): number => part.weight ?? 1;

/** VMs of a tile, or null where the profile does not say. */
export function vmsOfTile(profile: Profile): number | null {
  const counts = profile.workloads.map((w) =>
    w.vms === undefined ? null : w.vms.reduce((sum, vm) => sum + vm.count, 0),
  );
  return counts.every((n): n is number => n !== null)
    ? counts.reduce((sum, n) => sum + n, 0)
    : null;
}
