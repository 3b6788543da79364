import * as z from 'zod';

import { field } from '../base/field.ts';

/** Kinds of act, in the order in which they are offered. What each is: `kinds.ts`. */
export const actKindIds = [
  'hostJoins',
  'hostLeaves',
  'hostFails',
  'maintenance',
  'burst',
  'uplinkLost',
  'pathLost',
  'vmotionSpeed',
  'snapshotStorm',
] as const;
export type ActKindId = (typeof actKindIds)[number];

/** So many acts a plan may have. */
export const mostActs = 50;

/** Something that is done to the testbed at a time of the steady state. */
export const actSchema = z.object({
  /** Of this plan only. */ id: field
    .id('act')
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'letters, digits, - and _ only' }),
  kind: z.enum(actKindIds),
  /** Seconds from the start of the steady state. */
  atS: z.number().min(0).max(604_800),
  /** What it is done to, by vCenter's reference; of an uplink or a storage adapter `<host>/<adapter>`. null = all. */
  target: z
    .object({ ref: field.id('ref'), name: field.name('thing').max(255) })
    .nullable()
    .default(null),
  /** Seconds until it is undone; null = at the end of the run. */
  lastsS: z.number().min(1).max(604_800).nullable().default(null),
  /** By kind: how many times the load, of a burst. null = the kind has none. */
  amount: z.number().min(0).max(1_000).nullable().default(null),
  /** `hand`: the engineer does it when the live board says so, and presses Done. */
  by: z.enum(['console', 'hand']).default('console'),
  /** What becomes of the run when it fails. */
  onFailure: z.enum(['goOn', 'endRun']).default('goOn'),
});
export type Act = z.infer<typeof actSchema>;
export const planActs = z.array(actSchema).max(mostActs, { error: `at most ${mostActs} acts` });

/** What one act did to one workload; the rule is `recoveryRule` of `effect.ts`. */
const actEffect = z.object({
  entityId: field.id('entity'),
  /** Means over the time before the act; null = too little was measured. */
  throughputBefore: field.figure().nullable(),
  latencyBeforeMs: field.figure().nullable(),
  /** Means over the end of the time that is looked at. */
  throughputAfter: field.figure().nullable(),
  latencyAfterMs: field.figure().nullable(),
  /**
   * `even`: never left the band; `recovered` after `recoveryS`; `lost`: not back when the time
   * ended; `unknown`: too little was measured; `uneven`: it left the band by itself before the act.
   */
  outcome: z.enum(['even', 'recovered', 'lost', 'unknown', 'uneven']),
  recoveryS: field.figure().nullable(),
  /** Operations that were not done until recovery, against the mean before. Negative = more. */
  workLost: field.figure().nullable(),
  /** Seconds in which a QoS limit was broken; null = the workload has none. */
  violatedS: field.figure().nullable(),
  /** Seconds of which nothing was measured. */
  missingS: field.figure(),
});
export type ActEffect = z.infer<typeof actEffect>;

/** The figures by which effects were judged, as `recoveryRule` of `effect.ts` has them. */
const judgedBy = z.object({
  intervalS: field.figure(),
  beforeS: field.figure(),
  leastBefore: field.figure(),
  bandPct: field.figure(),
  latencyBandPct: field.figure(),
  unevenPct: field.figure(),
  afterS: field.figure(),
  held: field.figure(),
});

/** An act as a run did it. */
export const actState = z.object({
  id: field.id('act'),
  kind: z.enum(actKindIds),
  /** In words: `Host esx03 fails`. */ label: field.freeText(),
  /** null = the steady state has not begun. */ plannedMs: field.timeMs().nullable(),
  by: z.enum(['console', 'hand']),
  /**
   * `asked`: waits for the engineer to press Done; `missed`: the engine was away at its time;
   * `undone`: it happened and is over.
   */
  state: z.enum(['planned', 'asked', 'doing', 'done', 'undone', 'failed', 'missed']),
  /** When it began: what is measured against. */ startedMs: field.timeMs().nullable(),
  /** When it had been carried out. */ doneMs: field.timeMs().nullable(),
  /** When it was undone. */ endedMs: field.timeMs().nullable(),
  /** What came of it, in words. */ text: field.freeText(),
  /** Something is to be put back, as it was by `before`. */ owed: z.boolean(),
  /** Names references and folders of the lab: not what leaves it. */
  before: field.record(field.word(), field.address('lab')).nullable(),
  /** After the run; a workload each. */ effects: field.list(actEffect).optional(),
  /** Absent where there are no effects, or a version of this app judged them that did not say how. */
  rule: judgedBy.optional(),
});
export type ActState = z.infer<typeof actState>;
