import * as z from 'zod';

import { planActs } from '../acts/act.ts';
import { field } from '../base/field.ts';
import { labSpecSchema } from '../lab/lab.ts';
import { driverParams, maximumTiles, phasesSchema, profileSchema } from '../profile/profile.ts';
import { connectionSchema } from '../testbed/connection.ts';
import { namedRef, placeInTestbed, testbedSchema } from '../testbed/testbed.ts';
import { earlyAbortRule } from './earlyAbortRule.ts';
import { esxtopWish } from './esxtopWish.ts';

const samplingSchema = z.object({
  /** Interval the drivers print at. */
  workloadMs: z.number().int().min(1_000).max(60_000).default(1_000),
  /** How often vCenter is asked; its own samples are 20 s. */
  vcenterMs: z.number().int().min(5_000).max(300_000).default(20_000),
});

/** A finding somebody takes responsibility for; the reason stays in the run. */
const waiverSchema = z.object({
  /** `key` of the finding. */ key: field.freeText().min(1).max(300),
  reason: field.freeText().trim().min(3).max(500),
  atMs: field.figure(),
});
export type Waiver = z.infer<typeof waiverSchema>;

/** DRS as the run wants it. Set when the run starts and put back at its end, also after a crash. */
const drsWish = z.object({
  clusterRef: field.id('ref'),
  behavior: z.enum(['off', 'manual', 'partiallyAutomated', 'fullyAutomated']),
  /**
   * Migration threshold as vCenter numbers it in its API: 1 is the most aggressive, 5 the most
   * conservative. Absent = as it is.
   */
  vmotionRate: z.number().int().min(1).max(5).nullable().default(null),
  /** When the user agreed that this run changes the cluster. */
  consentedAtMs: field.timeMs(),
});
export type DrsWish = z.infer<typeof drsWish>;

export const planSchema = z.object({
  id: field.id('plan').min(1).max(64),
  name: field.name('plan').min(1).max(120),
  version: field.count().default(0),
  testbedId: field.id('testbed'),
  profileId: field.id('profile'),
  /** How many of the testbed's tiles run, from the first. */
  tiles: z
    .number()
    .int()
    .min(1)
    .max(maximumTiles, { error: `at most ${maximumTiles} tiles` }),
  phases: phasesSchema,
  sampling: samplingSchema.default({ workloadMs: 1_000, vcenterMs: 20_000 }),
  /**
   * Run whose workload throughputs score 1.0, where the profile's references are not set. null = the
   * plan's first run that broke no limit, which itself has no score.
   */
  referenceRunId: field.id('run').nullable().default(null),
  /**
   * Driver parameters by workload id that win over the profile's and the testbed's: what a sweep
   * changes.
   */
  overrides: field.record(field.id('workload'), driverParams).default({}),
  /** Study and point this plan is a variant for; null = a plan of a person. */
  study: z
    .object({ id: field.id('study'), key: field.id('point') })
    .nullable()
    .default(null),
  notes: field.freeText().default(''),
  waivers: z.array(waiverSchema).max(2_000).optional(),
  drs: drsWish.nullable().optional(),
  /**
   * Where the VMs are put before the ramp-up: absent = left where they are; `planned` = as the
   * testbed's layout says; a host = all on that one, DRS balances.
   */
  startPlacement: z
    .union([z.literal('planned'), z.object({ allOnHostRef: field.id('ref') })])
    .optional(),
  /** A one-tile trial of that plan: short, and no result. */
  smoke: z.object({ planId: field.id('plan') }).optional(),
  /** When the run ends before its time; null or absent = never. */
  earlyAbort: earlyAbortRule.nullable().optional(),
  /** Absent or null = esxtop does not run beside it. */
  esxtop: esxtopWish.nullable().optional(),
  /** What is done to the testbed while the load runs; absent = nothing. */
  acts: planActs.optional(),
});
export type Plan = z.infer<typeof planSchema>;

/** A plan as one file: everything a headless run needs, secrets by reference only. */
export const planFileSchema = z.object({
  tilebenchPlan: z.literal(1),
  plan: planSchema,
  testbed: testbedSchema,
  connections: field.list(connectionSchema, 2_000),
  /** Inline profile; absent = a shipped one by `plan.profileId`. */
  profile: profileSchema.optional(),
  /**
   * Simulated labs the connections are part of; such a file is for the simulated workspace only.
   */
  labs: field.list(labSpecSchema).optional(),
});
export type PlanFile = z.infer<typeof planFileSchema>;

/** Seconds from launch to the end of the ramp-down. */
export function planDurationS(phases: Plan['phases']): number {
  return phases.rampUpS + phases.steadyS + phases.rampDownS;
}

/** Seconds of one measurement period. */
export const planPeriodS = ({ steadyS, periods }: Plan['phases']): number => steadyS / periods;

/* Pre-flight. */
export const severities = ['block', 'warn', 'info', 'ok'] as const;
const checkFindingSchema = z.object({
  /** Stable id of the check, e.g. `client.clockOffset`. */
  id: field.id('finding'),
  severity: z.enum(severities),
  /** What was checked, of what. */
  title: field.freeText(),
  /** What was read, from where. */
  evidence: field.freeText(),
  /** What to do; absent where nothing is to be done. */
  fix: field.freeText().optional(),
  /**
   * What the finding is about (a host, a VM, a client); with `id` it makes the `key` that a waiver
   * names.
   */
  subject: field.name('thing').optional(),
  /** A command that mends it or shows it, to copy. */
  command: field.freeText().optional(),
  /** Where the evidence was read, e.g. `vCenter lab-vc`, `client c1 over SSH`. */
  source: field.freeText().optional(),
  /** The check that made it: what a re-run of one asks for. */
  checkId: field.id('finding').optional(),
  /** Set where a waiver covers it: it no longer blocks. */
  waived: z.object({ reason: field.freeText(), atMs: field.figure() }).optional(),
  /** false: a run with it is impossible, so it cannot be waived. */
  waivable: z.boolean().optional(),
  /** A run to look at, of a finding that is about one. */
  runId: field.id('run').optional(),
  /** The workload of the testbed that has to be corrected, and what of it. */
  at: placeInTestbed.optional(),
  /** A VM of the testbed that is off: vCenter can power it on. */
  off: namedRef.optional(),
});
/** What a waiver names: stable between two checks of the same thing. */
export const findingKey = (finding: {
  id: string;
  subject?: string | undefined;
  title: string;
}): string => `${finding.id} ${finding.subject ?? finding.title}`;
export type CheckFinding = z.infer<typeof checkFindingSchema>;
export const checkReportSchema = z.object({
  planId: field.id('plan'),
  /** Of plan, testbed, profile and connections as checked: what `run.start` wants to see again. */ hash: field.hash(),
  atMs: field.figure(),
  ready: z.boolean(),
  findings: field.list(checkFindingSchema),
  /** Every check that was made, with how long it took. */
  checks: field
    .list(z.object({ id: field.id('finding'), title: field.freeText(), tookMs: field.figure() }))
    .optional(),
  /** SHA-256 of what the launch looks at again in a fresh inventory; null = no vCenter. */
  snapshotDigest: field.hash().nullable().optional(),
  /**
   * Set in a stored report: plan, testbed, profile or a connection was edited since. It launches
   * nothing.
   */
  stale: z.boolean().optional(),
});
export type CheckReport = z.infer<typeof checkReportSchema>;

/** A check under way. */
export const checkProgressSchema = z.object({
  planId: field.id('plan'),
  /** A lower one is older news. */ rev: field.count(),
  done: field.count(),
  total: field.count(),
  running: field.list(
    z.object({ id: field.id('finding'), title: field.freeText(), startedMs: field.timeMs() }),
  ),
  /** What was found so far, worst first. */
  findings: field.list(checkFindingSchema),
  /** Set when it is complete. A check that was cancelled never has one. */
  report: checkReportSchema.nullable(),
});
export type CheckProgress = z.infer<typeof checkProgressSchema>;
