import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { checkReportSchema, planSchema } from '../../core/plan/plan.ts';
import { importDecision, importPreview, importSource } from '../../core/planImport/schema.ts';
import { profileSchema } from '../../core/profile/profile.ts';
import { byId, none } from './common.ts';

const driverInfo = z.object({
  id: field.id('driver'),
  title: field.freeText(),
  role: field.word(),
  params: field.list(
    z.object({
      name: field.word(),
      type: z.enum(['string', 'number', 'boolean']),
      default: z.union([field.freeText(), field.figure(), z.boolean()]).nullable(),
      description: field.freeText(),
      /** Its values, where it has few. */
      choices: field.list(z.object({ value: field.word(), label: field.freeText() })).optional(),
      /** Counts only while another parameter has one of these values; absent = always. */
      when: z.object({ member: field.word(), is: field.list(field.word()) }).optional(),
      /** Of a number; absent = no bound. */
      least: field.figure().optional(),
      most: field.figure().optional(),
    }),
  ),
});
export type DriverInfo = z.infer<typeof driverInfo>;

const practiceLab = z.object({
  path: field.address('path'),
  source: importSource,
  notOwn: field.freeText().nullable(),
});

/** Plans, profiles and drivers: what a run is made of, and the checks before it. */
export const planMethods = {
  'profile.list': {
    changes: false,
    input: none,
    output: field.list(
      profileSchema.extend({
        /** true: comes with Tilebench and cannot be changed. */ shipped: z.boolean().optional(),
      }),
    ),
  },
  'driver.list': { changes: false, input: none, output: field.list(driverInfo) },
  'plan.list': { changes: false, input: none, output: field.list(planSchema) },
  'plan.save': { changes: true, input: planSchema, output: planSchema },
  'plan.remove': { changes: true, input: byId, output: none },
  /**
   * What a plan or study file would reach, run, change and replace here. Nothing is stored and
   * nobody is asked.
   */
  'plan.previewImport': { changes: false, input: importSource, output: importPreview },
  /**
   * The practice lab that runs on this machine, null = none, and its second plan, a tile in the
   * style of VMmark 2, null where it lacks what that needs. `notOwn`: why it may be another
   * user's; null = its file is this user's alone and all it names is on this machine.
   */
  'plan.practiceLab': {
    changes: false,
    input: none,
    output: z.object({ lab: practiceLab.nullable(), styleTile: practiceLab.nullable() }),
  },
  /**
   * Takes a whole plan or study file in, all or nothing. Throws untrusted where nobody agreed to
   * what it holds (`trust` is the digest of the preview that was shown), conflict where something
   * stored differs and nothing was decided.
   */
  'plan.import': {
    changes: true,
    input: importSource.extend({
      trust: field.hash().max(64).nullable().default(null),
      /** By the key of the clash. */ decisions: field
        .record(field.id('clash').max(100), importDecision)
        .default({}),
    }),
    output: z.object({ plan: planSchema, studyId: field.id('study').nullable() }),
  },
  /**
   * Reads everything a run would use and tells what would waste it. Progress by `check.changed`;
   * the call's signal cancels it.
   */
  'plan.check': { changes: true, input: byId, output: checkReportSchema },
  /**
   * Makes one check again and puts its findings into the last report. `conflict` where that report
   * is of another state of the plan.
   */
  'plan.checkOne': {
    changes: true,
    input: z.object({ id: field.id('plan'), checkId: field.id('check') }),
    output: checkReportSchema,
  },
  /** The last report of this engine, or null. */
  'plan.report': { changes: false, input: byId, output: checkReportSchema.nullable() },
  /**
   * Keeps a waiver in the plan, or takes it back (null), and judges the last report again without
   * reading anything.
   */
  'plan.waive': {
    changes: true,
    input: z.object({
      id: field.id('plan'),
      /** `findingKey` of each; all get the same reason. */ keys: z
        .array(field.freeText().min(1).max(300))
        .min(1)
        .max(1_000),
      reason: field.freeText().trim().min(3).max(500).nullable(),
    }),
    output: z.object({ plan: planSchema, report: checkReportSchema.nullable() }),
  },
  /** Checks and starts a short run of the first tile, marked as a smoke run. */
  'plan.smoke': { changes: true, input: byId, output: z.object({ runId: field.id('run') }) },
  'profile.save': { changes: true, input: profileSchema, output: profileSchema },
  /** Takes a profile of a file in as a new one; it replaces none. */
  'profile.import': {
    changes: true,
    input: z.object({
      profile: profileSchema,
      /**
       * A person agreed to the shell commands that it brings. Without it such a profile is
       * `untrusted`.
       */
      allowCommands: z.boolean().default(false),
    }),
    output: profileSchema,
  },
  'profile.remove': { changes: true, input: byId, output: none },
} as const;
