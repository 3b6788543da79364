import * as z from 'zod';

import { field } from '../base/field.ts';
import { planFileSchema } from '../plan/plan.ts';
import { profileSchema } from '../profile/profile.ts';
import { studySpecSchema } from '../study/study.ts';
import { testbedSchema } from '../testbed/testbed.ts';

/** What comes in at once: a plan file, and what a study file holds beside it. */
export const importSource = z.object({
  file: planFileSchema,
  testbeds: z.array(testbedSchema).max(1_000).default([]),
  profiles: z.array(profileSchema).max(1_000).default([]),
  study: studySpecSchema.nullable().default(null),
});
export type ImportSource = z.infer<typeof importSource>;

/** What is done about one thing of the file whose id is taken here by another. */
export const importDecision = z.enum(['keep', 'new', 'replace']);
export type ImportDecision = z.infer<typeof importDecision>;

export const clashKinds = ['connection', 'profile', 'testbed', 'plan', 'study'] as const;
export type ClashKind = (typeof clashKinds)[number];

const importState = z.enum(['new', 'same', 'differs']);

const importPeer = z.object({
  id: field.id('thing'),
  name: field.name('thing'),
  kind: z.enum(['vcenter', 'client', 'power']),
  /** `host:port`; of a power source read through vCenter, the id of that connection. */
  address: field.address('address'),
  user: field.address('person').nullable(),
  /** Name of the client it is reached through. */ via: field.name('client').nullable(),
  pin: field.address('fingerprint').nullable(),
  /** How it logs in, and where its secret lies. */ login: field.freeText(),
  /**
   * `allowed`: may be sent there already; `allow`: a file or variable that is sent there once this
   * is agreed to;
   * `enter`: a stored secret of another peer, or none: asked for at its first use; `none`: nothing
   * is sent.
   */
  secret: z.enum(['none', 'allowed', 'allow', 'enter']),
  state: importState,
});
export type ImportPeer = z.infer<typeof importPeer>;

const importLoad = z.object({
  driver: field.word(),
  /**
   * What a shell runs, where the file says it whole; else what it says of the driver's parameters.
   */
  text: field.freeText(),
  isCommand: z.boolean(),
  /** Names of the client machines that run it. */ clients: field.list(field.name('client')),
  workloads: field.count(),
});
export type ImportLoad = z.infer<typeof importLoad>;

const importClash = z.object({
  /** `kind:id`, what a decision names it by. */ key: field.id('clash'),
  kind: z.enum(clashKinds),
  id: field.id('thing'),
  /** Of what is stored, and of what the file brings. */ mine: field.freeText(),
  theirs: field.freeText(),
  fields: field.list(
    z.object({ field: field.freeText(), mine: field.freeText(), theirs: field.freeText() }),
  ),
  /** false: what is stored comes with Tilebench. */ replaceable: z.boolean(),
});
export type ImportClash = z.infer<typeof importClash>;

export const importPreview = z.object({
  plan: z.object({ id: field.id('plan'), name: field.name('plan') }),
  study: z.object({ id: field.id('study'), name: field.name('study') }).nullable(),
  /** Of everything a person agrees to. */ digest: field.hash(),
  /** Agreed to before, or everything is simulated. */ trusted: z.boolean(),
  peers: field.list(importPeer),
  loads: field.list(importLoad),
  /** What a run does to VMs and clusters, in words. */ changes: field.list(field.freeText()),
  clashes: field.list(importClash),
});
export type ImportPreview = z.infer<typeof importPreview>;
