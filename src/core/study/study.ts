import * as z from 'zod';

import { field } from '../base/field.ts';
import { labEdit } from '../lab/labEdit.ts';

export const axisValue = z.union([field.figure(), field.id('value')]);
export type AxisValue = z.infer<typeof axisValue>;

const plainParameters = [
  /** Tiles of the plan (one-workload profiles: VMs, hosts). */
  z.object({ kind: z.literal('tiles') }),
  /** A driver parameter of one workload: outstanding I/Os, users, packet rate. */
  z.object({ kind: z.literal('option'), workloadId: field.id('workload'), param: field.word() }),
  /** Values are ids of testbeds: LUN layout, array, sockets, policy, physical or virtual. */
  z.object({ kind: z.literal('testbed') }),
  z.object({ kind: z.literal('profile') }),
  /** Values are ids of runs: each is run again, with the plan it had. */
  z.object({ kind: z.literal('run') }),
  /**
   * A property of the simulated lab by its path (`drs.stars`), or `variant`. Refused on a real lab.
   */
  z.object({ kind: z.literal('lab'), path: field.word() }),
  /** Something a person changes: the study waits with this instruction before each value. */
  z.object({ kind: z.literal('manual'), instruction: field.freeText().min(1) }),
] as const;
/**
 * Values that change a simulated lab, each with its changes and these in words; any other value is
 * the lab without them. `held` is set at every value: what the axis held that this one stands for.
 */
const whatIfParameter = z.object({
  kind: z.literal('whatIf'),
  held: field.list(
    z.object({ parameter: z.discriminatedUnion('kind', plainParameters), value: axisValue }),
  ),
  sets: field.record(
    field.id('value'),
    z.object({ edits: field.list(labEdit, 500).min(1), words: field.list(field.freeText(), 500) }),
  ),
});
/** What a sweep changes between runs. */
const sweepParameter = z.discriminatedUnion('kind', [...plainParameters, whatIfParameter]);
export type SweepParameter = z.infer<typeof sweepParameter>;
const studyAxis = z.object({
  /** Key of the axis in points: `tiles`, `outstanding`. */
  name: field.id('axis').regex(/^[a-z][A-Za-z0-9]*$/),
  label: field.freeText().min(1),
  unit: field.word().default(''),
  parameter: sweepParameter,
  values: z.array(axisValue).min(1).max(200),
  /** Words for values that are ids. */
  valueLabels: field.record(field.id('value'), field.freeText()).default({}),
});
export type StudyAxis = z.infer<typeof studyAxis>;

/** Points at which each named axis has one of these values. */
const axisFilter = field.record(field.id('axis'), field.list(axisValue, 200).min(1), 2);

/** What a figure draws besides its first measure, and how. */
const figureShape = z.object({
  /** What the first measure is called where several are drawn. */
  label: field.freeText().optional(),
  /** Further measures on the same axes, each normalised to its own reference. */
  also: field
    .list(
      z.object({
        measure: field.id('measure'),
        label: field.freeText(),
        /** Another than the figure's: drawn against an axis at the right. */
        unit: field.word().optional(),
      }),
      11,
    )
    .optional(),
  /** Axis it is drawn against; absent = the first. */
  over: field.id('axis').optional(),
  /** Only these points. */
  where: axisFilter.optional(),
  /** Values of an axis of names as groups of bars that stand for the same thing in each group. */
  groups: z
    .object({
      /** What the groups are, below the axis. */
      label: field.freeText(),
      bars: field.list(field.freeText(), 8).min(1),
      /** A value for each bar, in their order. */
      places: field
        .list(z.object({ label: field.freeText(), values: field.list(axisValue, 8).min(1) }), 40)
        .min(1),
    })
    .optional(),
  /**
   * Each curve against the one at `curve`: its share of it (`ratio`), by how much it is above
   * (`more`) or below (`less`).
   */
  against: z.object({ curve: axisValue, as: z.enum(['ratio', 'more', 'less']) }).optional(),
  /** Multiplies every figure, as from per cent of a host to per cent of one of its cores. */
  factor: field.figure().positive().optional(),
  /** The measured series of one run over its time, in place of a point a run. */
  overTime: z.boolean().optional(),
});
export type FigureShape = z.infer<typeof figureShape>;
const studyFigure = figureShape.extend({
  title: field.freeText(),
  measure: field.id('measure'),
  unit: field.word(),
  normalise: z.boolean().default(false),
});

export const studySpecSchema = z.object({
  schemaVersion: z.literal(1),
  id: field.id('study').min(1).max(64),
  name: field.name('study').min(1).max(120),
  version: field.count().default(0),
  planId: field.id('plan'),
  axes: z.array(studyAxis).min(1).max(2),
  /** `inTurns`: every value once, then every value again, so that a drift meets all alike. */
  order: z.enum(['asGiven', 'ascending', 'descending', 'shuffled', 'inTurns']).default('asGiven'),
  repeats: z.number().int().min(1).max(20).default(1),
  /** Between two runs, so that caches and moves settle. */
  pauseS: z.number().int().min(0).max(86_400).default(0),
  stopRule: z.enum(['never', 'firstQosFailure', 'firstFailedRun']).default('firstFailedRun'),
  /**
   * Present: instead of every value, find the highest value of the first axis that still passes.
   */
  findLimit: z
    .object({
      from: field.figure(),
      to: field.figure(),
      coarseStep: field.figure().positive(),
      /** Ends when pass and fail are this close. */ resolution: field
        .figure()
        .positive()
        .default(1),
      confirmations: z.number().int().min(1).max(10).default(2),
    })
    .optional(),
  /** The point whose values are 1.0; absent = the first. */
  reference: field.record(field.id('axis'), axisValue).optional(),
  /** What is drawn of it. */
  charts: field.list(studyFigure).default([]),
  /** Gallery entry it was made from. */
  galleryId: field.id('gallery').nullable().default(null),
  notes: field.freeText().default(''),
});
export type StudySpec = z.infer<typeof studySpecSchema>;

const studyPointState = z.enum([
  'pending',
  'running',
  'passed',
  'qosFailed',
  'failed',
  'aborted',
  'skipped',
]);
/**
 * Measures of one run, over its steady state, by name: `score`, `score.application`,
 * `score.infrastructure`, `cpuPct.host.mean`, `cpuPct.host.min`, `cpuPct.host.max`, of few hosts
 * each `cpuPct.host.<host>.mean`,
 * `throughput.<workloadId>.sum|mean`, `latencyMeanMs.<workloadId>.mean|max`, `latencyP95Ms.…`,
 * `iops.datastore.sum`, `deviceLatencyMs.datastore.mean`,
 * `kernelLatencyMs.datastore.mean`, `powerW.sum.mean|max`, `wattsPerVm`,
 * `netKbps.uplink.<host/uplink>.mean` in KB/s, the same as `netGbps.…` in Gb/s;
 * `packetsRxPerS`, `packetsTxPerS`, `droppedRxPerS`, `droppedTxPerS` of an uplink likewise. null =
 * not measured.
 */
export const measures = field.record(field.id('measure'), field.figure().nullable());
export type Measures = z.infer<typeof measures>;
export const studyPoint = z.object({
  /** Stable: axis values and repeat, e.g. `tiles=16;repeat=1`. */
  key: field.id('point'),
  values: field.record(field.id('axis'), axisValue),
  repeat: field.count().min(1),
  state: studyPointState,
  runId: field.id('run').nullable(),
  /** Runs of this point that were replaced by a re-run. */ earlierRunIds: field
    .list(field.id('run'))
    .default([]),
  detail: field.freeText().default(''),
  measures,
});
export type StudyPoint = z.infer<typeof studyPoint>;

/**
 * An interval with the method that found it; null bounds = not found inside the measured points.
 */
const kneeResult = z.object({
  method: field.freeText(),
  low: field.figure().nullable(),
  high: field.figure().nullable(),
  estimate: field.figure().nullable(),
  note: field.freeText(),
});
export type KneeResult = z.infer<typeof kneeResult>;

/** Published beside modelled. */
const publishedPoint = z.object({
  factIds: field.list(field.id('line')),
  measure: field.id('measure'),
  label: field.freeText(),
  values: field.record(field.id('axis'), axisValue),
  value: field.figure(),
  unit: field.word(),
  /** Seed post and line, in words. */ source: field.freeText(),
});
export type PublishedPoint = z.infer<typeof publishedPoint>;
const expectationLine = z.object({
  id: field.id('line'),
  label: field.freeText(),
  unit: field.word(),
  model: field.figure().nullable(),
  published: field.freeText(),
  low: field.figure().nullable(),
  high: field.figure().nullable(),
  difference: field.figure().nullable(),
  inside: z.boolean(),
  source: field.freeText(),
  /** Of a line that is missed: why it is known to be. */ knownMiss: field.freeText().optional(),
});
export type ExpectationLine = z.infer<typeof expectationLine>;

/** One constant that a ready-made study rests on. */
const studyBasis = z.object({
  /**
   * `published` by the study's author, `sourced` elsewhere, `chosen` to be plausible or to match;
   * `result`: chosen, and what a study then shows.
   */
  kind: z.enum(['published', 'sourced', 'chosen', 'result']),
  what: field.freeText(),
  figure: field.freeText(),
  source: field.freeText(),
  /** Published lines of all studies that rest on it. */ serves: field.count(),
});
export type StudyBasis = z.infer<typeof studyBasis>;

export const studyStates = [
  'draft',
  'running',
  'pausing',
  'paused',
  'waiting',
  'done',
  'failed',
] as const;
/** One study, whole, as of `rev`. */
export const studyOverview = z.object({
  spec: studySpecSchema,
  rev: field.count(),
  state: z.enum(studyStates),
  origin: z.enum(['real', 'simulated']),
  /** What a person must do now, in state `waiting`. */
  instruction: field.freeText().nullable(),
  points: field.list(studyPoint),
  activeKey: field.id('point').nullable(),
  startedAtMs: field.timeMs().nullable(),
  endedAtMs: field.timeMs().nullable(),
  nowMs: field.timeMs(),
  detail: field.freeText().default(''),
  limit: z
    .object({
      lastPass: field.figure().nullable(),
      firstFail: field.figure().nullable(),
      confirmed: field.count(),
    })
    .nullable(),
  knees: field.list(
    z.object({
      measure: field.id('measure'),
      series: field.freeText(),
      results: field.list(kneeResult),
    }),
  ),
  published: field.list(publishedPoint),
  expectations: field.list(expectationLine),
  /** Of a ready-made study: what its lab rests on. */ basis: field.list(studyBasis).optional(),
});
export type StudyOverview = z.infer<typeof studyOverview>;
export const studySummary = z.object({
  id: field.id('study'),
  name: field.name('study'),
  state: z.enum(studyStates),
  origin: z.enum(['real', 'simulated']),
  axis: field.freeText(),
  done: field.count(),
  total: field.count(),
  startedAtMs: field.timeMs().nullable(),
  galleryId: field.id('gallery').nullable(),
});
export type StudySummary = z.infer<typeof studySummary>;

/** A ready-made study of the gallery, as the interface shows it. */
export const galleryItem = z.object({
  id: field.id('study'),
  title: field.freeText(),
  /** Own words. */ paragraph: field.freeText(),
  benchmark: field.freeText(),
  year: field.freeText(),
  swept: field.freeText(),
  shows: field.freeText(),
  studyId: field.id('study'),
  /** Installed study's state; null = never run. */ state: z.enum(studyStates).nullable(),
  testbed: z.object({
    hosts: field.list(z.object({ name: field.freeText(), text: field.freeText() })),
    arrays: field.list(
      z.object({ name: field.freeText(), text: field.freeText(), luns: field.count() }),
    ),
    clients: field.count(),
    vms: field.count(),
  }),
  published: field.list(
    z.object({ label: field.freeText(), text: field.freeText(), source: field.freeText() }),
  ),
  basis: field.list(studyBasis).optional(),
  /** Single plans on the same lab, with acts; absent = none. */
  also: field
    .list(
      z.object({
        planId: field.id('plan'),
        title: field.freeText(),
        paragraph: field.freeText(),
        source: field.freeText(),
      }),
    )
    .optional(),
});
export type GalleryItem = z.infer<typeof galleryItem>;
