import * as z from 'zod';

import { field } from '../base/field.ts';
import { type Layout, layoutSchema, namedRef, type Testbed } from './testbed.ts';

/** How made VMs are powered on. Sizes and pauses are this app's choice, not a limit of vCenter. */
export const provisionOptions = z.object({
  powerOn: z.boolean().default(true),
  /** VMs powered on side by side, and the pause before the next as many. */
  stageSize: z.number().int().min(1).max(64).default(4),
  stagePauseS: z.number().min(0).max(3_600).default(30),
});
export type ProvisionOptions = z.infer<typeof provisionOptions>;

const provisionPlanItem = z.object({
  /** `tile/workload`, tile from 0. */
  key: field.id('point'),
  tileIndex: field.figure(),
  workloadId: field.id('workload'),
  name: field.name('vm'),
  /** Name of the VM that was assigned and is gone; null = none was. */
  lost: field.name('vm').nullable(),
  template: namedRef.nullable(),
  host: namedRef.nullable(),
  datastore: namedRef.nullable(),
  /** false: nothing is planned, the place was chosen here. */
  hostPlanned: z.boolean(),
  datastorePlanned: z.boolean(),
  /**
   * What its files take at first: those of the template, and the swap file where it is powered on.
   * null = not known.
   */
  needBytes: field.figure().nullable(),
  /** Why it cannot be made, and what to do; null = it can. */
  problem: z.object({ text: field.freeText(), hint: field.freeText() }).nullable(),
});
export type ProvisionPlanItem = z.infer<typeof provisionPlanItem>;
export const provisionPlanSchema = z.object({
  testbedId: field.id('testbed'),
  items: field.list(provisionPlanItem),
  /** Workloads that have their VM. */
  present: field.figure(),
  stores: field.list(
    z.object({
      ref: field.id('ref'),
      name: field.name('datastore'),
      count: field.figure(),
      needBytes: field.figure().nullable(),
      freeBytes: field.figure().nullable(),
    }),
  ),
});
export type ProvisionPlan = z.infer<typeof provisionPlanSchema>;

const provisionSteps = [
  'waiting',
  'cloning',
  'registering',
  'cloned',
  'poweringOn',
  'checking',
  'done',
  'failed',
  'cancelled',
  'removing',
  'removed',
  'unmade',
] as const;
const provisionItem = z.object({
  key: field.id('point'),
  tileIndex: field.figure(),
  workloadId: field.id('workload'),
  name: field.name('vm'),
  template: namedRef,
  host: namedRef,
  datastore: namedRef,
  step: z.enum(provisionSteps),
  progressPct: field.figure().nullable(),
  error: z.object({ message: field.freeText(), hint: field.freeText().nullable() }).nullable(),
  /** What else is to be known, e.g. that vCenter ended the clone before it could be cancelled. */
  note: field.freeText().nullable(),
  vmRef: field.id('ref').nullable(),
  /** The clone's task, to be found again after a restart. */ taskRef: field.id('ref').nullable(),
  startedAtMs: field.timeMs().nullable(),
  endedAtMs: field.timeMs().nullable(),
});
export type ProvisionItem = z.infer<typeof provisionItem>;
const provisionStates = [
  'running',
  'cancelling',
  'done',
  'failed',
  'cancelled',
  'cleaningUp',
  'cleaned',
] as const;
/** All of one provisioning: what is done, what is left, what went wrong. A lower `rev` is older. */
export const provisionJobSchema = z.object({
  id: field.id('thing'),
  testbedId: field.id('testbed'),
  vcenterId: field.id('vcenter'),
  rev: field.count(),
  state: z.enum(provisionStates),
  /** What the job is for; a retry keeps to it. */ purpose: z.enum(['make', 'remove']),
  options: provisionOptions,
  folder: namedRef.nullable(),
  items: field.list(provisionItem),
  startedAtMs: field.timeMs(),
  endedAtMs: field.timeMs().nullable(),
  /** Engine's clock when this was said. */ nowMs: field.timeMs(),
  /** Why the job as a whole stopped; null = nothing to say. */
  error: z.object({ message: field.freeText(), hint: field.freeText().nullable() }).nullable(),
});
export type ProvisionJob = z.infer<typeof provisionJobSchema>;

/**
 * Clones under way at once, in all and to one datastore. This app's choice: more copies side by
 * side share the same disks.
 */
export const clonesAtOnce = 4,
  clonesPerDatastore = 2;

export const isProvisioning = (job: Pick<ProvisionJob, 'state'>): boolean =>
  job.state === 'running' || job.state === 'cancelling' || job.state === 'cleaningUp';
export const layoutOf = (testbed: Testbed): Layout => testbed.layout ?? layoutSchema.parse({});

export interface ProvisionCounts {
  total: number;
  done: number;
  failed: number;
  cancelled: number;
  /** Cloned, and waiting for their stage of the power-on. */ cloned: number;
  active: number;
  waiting: number;
  removed: number;
}
export function provisionCounts({ items }: Pick<ProvisionJob, 'items'>): ProvisionCounts {
  const count = (...steps: ProvisionItem['step'][]): number =>
    items.filter((item) => steps.includes(item.step)).length;
  return {
    total: items.length,
    done: count('done'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    cloned: count('cloned'),
    active: count('cloning', 'registering', 'poweringOn', 'checking', 'removing'),
    waiting: count('waiting'),
    removed: count('removed'),
  };
}

/** No estimate before this much has passed: the first figures jump. */
const estimateAfterS = 5;

/**
 * Seconds left at the pace so far; null until something is done. Work that is under way counts by
 * its progress; what failed, and what was done before this attempt, says nothing of the pace. An
 * estimate: clones to a busy datastore are slower than those before.
 */
export function provisionTimeLeftS(job: ProvisionJob, nowMs: number): number | null {
  if (!isProvisioning(job)) return null;
  const items = job.items.filter(
    (item) =>
      item.step !== 'failed' &&
      item.step !== 'cancelled' &&
      (item.endedAtMs === null || item.endedAtMs >= job.startedAtMs || item.step === 'waiting'),
  );
  const part = (item: ProvisionItem): number =>
    item.step === 'waiting' || item.step === 'removing'
      ? 0
      : item.step === 'cloning'
        ? (item.progressPct ?? 0) / 100
        : 1;
  const parts = items.reduce((sum, item) => sum + part(item), 0);
  const passedS = (nowMs - job.startedAtMs) / 1_000;
  return parts < 0.05 || passedS < estimateAfterS
    ? null
    : Math.max(0, (passedS / parts) * (items.length - parts));
}
