import * as z from 'zod';

import { field } from '../base/field.ts';
import { testbedSchema } from './testbed.ts';

const fileThingKinds = [
  'host',
  'datastore',
  'vm',
  'template',
  'network',
  'pool',
  'client',
] as const;

export type FileThingKind = (typeof fileThingKinds)[number];

/** Bounds of a testbed file. 400 tiles of 19 VMs take less than 4 million characters. */
export const testbedFileBounds = {
  characters: 8_000_000,
  things: 40_000,
  nameLength: 255,
  notesLength: 20_000,
  workloadsATile: 64,
} as const;

const thing = z.object({
  kind: z.enum(fileThingKinds),
  ref: field.id('ref').min(1).max(testbedFileBounds.nameLength),
  name: field.name('thing').max(testbedFileBounds.nameLength, {
    error: `a name has at most ${testbedFileBounds.nameLength} characters`,
  }),
});

export const testbedFileSchema = z.object({
  tilebenchTestbed: z.literal(1, { error: 'this Tilebench reads tilebenchTestbed 1' }),
  /** Where it was laid out, for people. */
  from: z
    .object({
      vcenter: field.name('vcenter').max(255).default(''),
      version: field.word().max(255).default(''),
    })
    .default({ vcenter: '', version: '' }),
  profile: z.object({
    id: field.id('profile').max(64),
    name: field.name('profile').max(255),
    version: field.word().max(64),
  }),
  /** Everything that the testbed refers to, by name: what an import maps. */
  things: z
    .array(thing)
    .max(testbedFileBounds.things, { error: `at most ${testbedFileBounds.things} names` }),
  /**
   * Client machines, and over which of them they were reached. Addresses and users are not part of
   * the file.
   */
  clients: z
    .array(
      z.object({
        id: field.id('client').min(1).max(64),
        name: field.name('client').max(255),
        jumpId: field.id('client').max(64).nullable().default(null),
      }),
    )
    .max(1_000, { error: 'at most 1000 client machines' })
    .default([]),
  testbed: testbedSchema,
});

export type TestbedFile = z.infer<typeof testbedFileSchema>;
