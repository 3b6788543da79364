import * as z from 'zod';

import { field } from './field.ts';
import { metricName } from './metric.ts';

/** What can keep a testbed from carrying more. `operations` = infrastructure operations and moves of VMs in the way of the load. */
export const causes = [
  'cpuSaturated',
  'hostsImbalanced',
  'cpuReady',
  'powerCap',
  'memory',
  'lunQueue',
  'spindles',
  'deviceLatency',
  'uplink',
  'client',
  'operations',
] as const;
export const causeSchema = z.enum(causes);
export type Cause = z.infer<typeof causeSchema>;

export const causeWords: Readonly<Record<Cause, string>> = {
  cpuSaturated: 'Host CPU saturated',
  hostsImbalanced: 'Hosts imbalanced',
  cpuReady: 'vCPUs wait for a processor',
  powerCap: 'Power limit slows the processors',
  memory: 'Memory swapped or ballooned',
  lunQueue: 'LUN queue full',
  spindles: 'Array saturated',
  deviceLatency: 'Storage device slower',
  uplink: 'Uplink saturated',
  client: 'Client saturated',
  operations: 'Infrastructure operations in the way',
};

const span = z.object({ fromMs: z.number(), toMs: z.number() });

/** One counter of one thing, as it was in both runs. */
export const evidenceSchema = z.object({
  metric: metricName.nullable(),
  label: field.freeText(),
  entityId: field.id('entity'),
  entityName: field.name('thing'),
  unit: field.word(),
  before: z.number().nullable(),
  after: z.number().nullable(),
  /** What it is held against, and who says so; null = shown for comparison only. */
  threshold: z.number().nullable(),
  thresholdSource: field.freeText(),
  /** null = nothing to break. */
  broken: z.boolean().nullable(),
  /** Series of the second run, for charts. */
  seriesIds: z.array(z.number().int()),
  window: span,
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** How a counter and the failing workloads line up in time, in the second run. */
export const alignmentSchema = z.object({
  /** When the counter crossed its threshold for good, and when the first failing workload broke its limit; null = never. */
  crossedMs: z.number().nullable(),
  failedMs: z.number().nullable(),
  /** Share of the time in which a workload fails that the counter is over its threshold, and of the time in which none fails; null = no such time. */
  whileFailing: z.number().nullable(),
  otherwise: z.number().nullable(),
  words: field.freeText(),
  /** Counter and worst failing workload in equal steps of the run, each as a share of its threshold; null = gap. */
  bucketMs: z.number(),
  startMs: z.number(),
  counter: z.array(z.number().nullable()),
  workload: z.array(z.number().nullable()),
});
export type Alignment = z.infer<typeof alignmentSchema>;

export const confidences = ['strong', 'likely', 'possible'] as const;
export const hypothesisSchema = z.object({
  cause: causeSchema,
  title: field.freeText(),
  /** What it is about: names of hosts, LUNs, uplinks, clients. */ subjects: z.array(
    field.freeText(),
  ),
  /** 0 to 1; an order, not a probability. */
  score: z.number(),
  confidence: z.enum(confidences),
  explanation: field.freeText(),
  remedy: field.freeText(),
  evidence: z.array(evidenceSchema),
  alignment: alignmentSchema.nullable(),
  /** Failing workloads that sit on its subjects, of all that fail; and their tiles. */
  failing: z.object({
    on: z.number().int(),
    of: z.number().int(),
    tiles: z.array(z.number().int()),
  }),
});
export type Hypothesis = z.infer<typeof hypothesisSchema>;

export const failingSchema = z.object({
  entityId: field.id('entity'),
  name: field.freeText(),
  tile: z.number().int(),
  metric: metricName,
  unit: field.word(),
  before: z.number().nullable(),
  after: z.number(),
  limit: z.number(),
  /** `qos`: its own limit; `worse`: no limit is broken, and it is this much worse than in the first run. */
  why: z.enum(['qos', 'worse']),
  seriesId: z.number().int(),
});
export type Failing = z.infer<typeof failingSchema>;

const runRef = z.object({
  runId: field.id('run'),
  name: field.name('run'),
  tiles: z.number().int(),
  label: field.freeText(),
});
export const diagnosisSchema = z.object({
  /** The last that was well; null = one run alone, its steady state only. The same run twice: its ramp-up against its steady state. */
  before: runRef.nullable(),
  after: runRef,
  sentence: field.freeText(),
  /** The testbed is used up evenly and nothing else is in the way. */
  healthy: z.boolean(),
  failing: z.array(failingSchema),
  hypotheses: z.array(hypothesisSchema),
  /** Looked at, and below their thresholds. */
  cleared: z.array(z.object({ cause: causeSchema, words: field.freeText() })),
  /** Could neither be blamed nor cleared. */
  notMeasured: z.array(
    z.object({ what: field.freeText(), why: field.freeText(), causes: z.array(causeSchema) }),
  ),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;
