import * as z from 'zod';

import { field } from '../base/field.ts';
import { formatElapsed } from '../base/format.ts';
import { metricName } from '../metric/metric.ts';

/**
 * What can keep a testbed from carrying more. `operations` = infrastructure operations and moves of
 * VMs in the way of the load; `acts` = what the plan itself did to the testbed.
 */
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
  'reservations',
  'acts',
] as const;
const causeSchema = z.enum(causes);
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
  reservations: 'SCSI reservation conflicts',
  acts: 'An act of the plan',
};

const span = z.object({ fromMs: field.timeMs(), toMs: field.timeMs() });

/** One counter of one thing, as it was in both runs. */
const evidenceSchema = z.object({
  metric: metricName.nullable(),
  label: field.freeText(),
  entityId: field.id('entity'),
  entityName: field.name('thing'),
  unit: field.word(),
  before: field.figure().nullable(),
  after: field.figure().nullable(),
  /** What it is held against, and who says so; null = shown for comparison only. */
  threshold: field.figure().nullable(),
  thresholdSource: field.freeText(),
  /** null = nothing to break. */
  broken: z.boolean().nullable(),
  /** Series of the second run, for charts. */
  seriesIds: field.list(field.count()),
  window: span,
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** How a counter and the failing workloads line up in time, in the second run. */
const alignmentSchema = z.object({
  /**
   * When the counter crossed its threshold for good, and when the first failing workload broke its
   * limit; null = never.
   */
  crossedMs: field.timeMs().nullable(),
  failedMs: field.timeMs().nullable(),
  /**
   * Share of the time in which a workload fails that the counter is over its threshold, and of the
   * time in which none fails; null = no such time.
   */
  whileFailing: field.figure().nullable(),
  otherwise: field.figure().nullable(),
  words: field.freeText(),
  /**
   * Counter and worst failing workload in equal steps of the run, each as a share of its threshold;
   * null = gap.
   */
  bucketMs: field.figure(),
  startMs: field.timeMs(),
  counter: field.list(field.figure().nullable()),
  workload: field.list(field.figure().nullable()),
});
export type Alignment = z.infer<typeof alignmentSchema>;

const confidences = ['strong', 'likely', 'possible'] as const;
const hypothesisSchema = z.object({
  cause: causeSchema,
  title: field.freeText(),
  /** What it is about: names of hosts, LUNs, uplinks, clients. */ subjects: field.list(
    field.freeText(),
  ),
  /** 0 to 1; an order, not a probability. */
  score: field.figure(),
  confidence: z.enum(confidences),
  explanation: field.freeText(),
  remedy: field.freeText(),
  evidence: field.list(evidenceSchema),
  alignment: alignmentSchema.nullable(),
  /** Failing workloads that sit on its subjects, of all that fail; and their tiles. */
  failing: z.object({
    on: field.integer(),
    of: field.integer(),
    tiles: field.list(field.count()),
  }),
});
export type Hypothesis = z.infer<typeof hypothesisSchema>;

const failingSchema = z.object({
  entityId: field.id('entity'),
  name: field.freeText(),
  tile: field.integer(),
  metric: metricName,
  unit: field.word(),
  before: field.figure().nullable(),
  after: field.figure(),
  limit: field.figure(),
  /**
   * `qos`: its own limit; `worse`: no limit is broken, and it is this much worse than in the first
   * run; `disturbed`: neither, but an act of the plan threw it out of its band.
   */
  why: z.enum(['qos', 'worse', 'disturbed']),
  seriesId: field.count(),
});
export type Failing = z.infer<typeof failingSchema>;

/** What one act of the plan did, and what fell short before, while and after it was under way. */
const actDiagnosis = z.object({
  actId: field.id('act'),
  /** With its time: `Host esx3 fails at 30:00`. */ label: field.freeText(),
  atMs: field.timeMs(),
  words: field.freeText(),
  windows: field.list(
    span.extend({
      name: z.enum(['before', 'during', 'after']),
      /** Workloads that fell short in it; null = it could not be judged. */
      failing: field.count().nullable(),
      of: field.count(),
      words: field.freeText(),
    }),
  ),
});
export type ActDiagnosis = z.infer<typeof actDiagnosis>;

/** A time of an act with its length: `Before it, 15:00`. */
export const actTimeWords = ({
  name,
  fromMs,
  toMs,
}: Pick<ActDiagnosis['windows'][number], 'name' | 'fromMs' | 'toMs'>): string =>
  `${{ before: 'Before it', during: 'While it was under way', after: 'After it' }[name]}, ` +
  formatElapsed(toMs - fromMs);

const runRef = z.object({
  runId: field.id('run'),
  name: field.name('run'),
  tiles: field.count(),
  label: field.freeText(),
});
export const diagnosisSchema = z.object({
  /**
   * The last that was well; null = one run alone, its steady state only. The same run twice: its
   * ramp-up against its steady state.
   */
  before: runRef.nullable(),
  after: runRef,
  sentence: field.freeText(),
  /** The testbed is used up evenly and nothing else is in the way. */
  healthy: z.boolean(),
  failing: field.list(failingSchema),
  hypotheses: field.list(hypothesisSchema),
  /** Acts of the second run that happened, in the order of their times. */
  acts: field.list(actDiagnosis),
  /** Looked at, and below their thresholds. */
  cleared: field.list(z.object({ cause: causeSchema, words: field.freeText() })),
  /** Could neither be blamed nor cleared. */
  notMeasured: field.list(
    z.object({ what: field.freeText(), why: field.freeText(), causes: field.list(causeSchema) }),
  ),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/**
 * Why a study stopped scaling: the pair of points of one of its curves, and what tells them apart.
 */
export const studyDiagnosis = z.object({
  curves: field.list(z.object({ key: field.id('point'), label: field.freeText() })),
  curve: field.id('curve').nullable(),
  beforeKey: field.id('point').nullable(),
  afterKey: field.id('point').nullable(),
  why: field.freeText(),
  diagnosis: diagnosisSchema.nullable(),
});
export type StudyDiagnosis = z.infer<typeof studyDiagnosis>;
