import * as z from 'zod';

import { field } from '../base/field.ts';
import { bundleDigest } from './bundle.ts';

const fault = z.object({ message: field.freeText(), hint: field.freeText() });

/** Whose packages a preparation takes. */
export const guestSettings = z.object({
  /** Base address of an APT mirror in the lab; '' = the sources each machine has. */
  mirror: field
    .address('url')
    .max(300)
    .regex(/^$|^https?:\/\/[A-Za-z0-9._~:/?#@%+=,;-]+$|^file:\/[A-Za-z0-9._~/+-]+$/, {
      error: 'an address that begins with http://, https:// or file:/',
    })
    .default(''),
  /** A bundle that packages are taken from instead; '' = none. */
  bundle: z.union([z.literal(''), bundleDigest]).default(''),
});
export type GuestSettings = z.infer<typeof guestSettings>;

/** A machine that somebody chose to prepare: its workload, its role, and how it is logged in to. */
export const guestChoice = z.object({
  /** `tile/workload`, tile from 0. */
  key: field.id('point'),
  roleId: field.word().max(40),
  connectionId: field.id('connection').max(64),
});
export type GuestChoice = z.infer<typeof guestChoice>;

const guestPlanItem = z.object({
  key: field.id('point'),
  tileIndex: field.count(),
  workloadId: field.id('workload'),
  /** Name of the assigned VM; null = none is assigned. */
  vm: field.name('vm').nullable(),
  /** Its address by VMware Tools: where drivers look for it. null = not known. */
  address: field.address('address').nullable(),
  /** Proposed by the role of the workload in the profile; null = none fits. */
  roleId: field.word().nullable(),
  /** The only client connection with this address or name; null = none, or several. */
  connectionId: field.id('connection').nullable(),
  /** Role it is prepared with, as the last job left it; null = as far as this app knows, none. */
  preparedAs: field.word().nullable(),
});
export type GuestPlanItem = z.infer<typeof guestPlanItem>;
export const guestPlanSchema = z.object({
  testbedId: field.id('testbed'),
  items: field.list(guestPlanItem),
});
export type GuestPlan = z.infer<typeof guestPlanSchema>;

const guestStepStates = ['waiting', 'running', 'done', 'already', 'failed'] as const;
const guestStep = z.object({
  id: field.word(),
  title: field.freeText(),
  state: z.enum(guestStepStates),
  note: field.freeText(),
  startedAtMs: field.timeMs().nullable(),
  endedAtMs: field.timeMs().nullable(),
});
export type GuestStep = z.infer<typeof guestStep>;

const guestItem = z.object({
  key: field.id('point'),
  tileIndex: field.count(),
  workloadId: field.id('workload'),
  vm: field.name('vm').nullable(),
  address: field.address('address').nullable(),
  roleId: field.word(),
  connectionId: field.id('connection'),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  steps: field.list(guestStep, 20),
  error: fault.nullable(),
});
export type GuestItem = z.infer<typeof guestItem>;

/** All of one preparation, or of one undo. A lower `rev` is older. */
export const guestJobSchema = z.object({
  id: field.id('thing'),
  testbedId: field.id('testbed'),
  rev: field.count(),
  purpose: z.enum(['prepare', 'undo']),
  state: z.enum(['running', 'cancelling', 'done', 'failed', 'cancelled']),
  settings: guestSettings,
  items: field.list(guestItem),
  startedAtMs: field.timeMs(),
  endedAtMs: field.timeMs().nullable(),
  nowMs: field.timeMs(),
  /** Roles by the key of their workload, as this and earlier jobs left them. */
  prepared: field.record(field.id('point'), field.word()),
});
export type GuestJob = z.infer<typeof guestJobSchema>;

export const isPreparing = ({ state }: Pick<GuestJob, 'state'>): boolean =>
  state === 'running' || state === 'cancelling';
