import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import {
  provisionJobSchema,
  provisionOptions,
  provisionPlanSchema,
} from '../../core/testbed/provision.ts';
import { testbedSchema } from '../../core/testbed/testbed.ts';
import { byId, none } from './common.ts';

/** One saved state of a testbed, in short. `savedAtMs` null = saved before times were kept. */
export const testbedVersion = z.object({
  version: field.count(),
  savedAtMs: field.timeMs().nullable(),
  by: z.enum(['person', 'provisioning']),
  name: field.name('testbed'),
  tiles: field.count(),
  assignedVms: field.count(),
  current: z.boolean(),
});
export type TestbedVersion = z.infer<typeof testbedVersion>;

/** Testbeds, their saved states, and what is provisioned for them. */
export const testbedMethods = {
  'testbed.list': { changes: false, input: none, output: field.list(testbedSchema) },
  'testbed.save': { changes: true, input: testbedSchema, output: testbedSchema },
  'testbed.remove': { changes: true, input: byId, output: none },
  /** Saved states, newest first. `by` = what saved it: a person, or a provisioning job. */
  'testbed.versions': { changes: false, input: byId, output: field.list(testbedVersion) },
  'testbed.version': {
    changes: false,
    input: byId.extend({ version: field.count() }),
    output: testbedSchema,
  },
  /** Saves an earlier state as the newest. What this app made since then stays known to it. */
  'testbed.restore': {
    changes: true,
    input: byId.extend({ version: field.count() }),
    output: testbedSchema,
  },
  /**
   * Powers VMs of the testbed on, or off again, and waits until vCenter has done it. Throws conflict
   * where they are to go off while a run uses the testbed.
   */
  'testbed.power': {
    changes: true,
    input: byId.extend({
      vmRefs: z.array(field.id('ref')).min(1).max(1_000),
      on: z.boolean(),
    }),
    output: none,
  },
  'testbed.duplicate': {
    changes: true,
    input: byId.extend({ name: field.name('testbed').trim().min(1).max(120).optional() }),
    output: testbedSchema,
  },
  /** As a file for another lab: names of all it refers to, no address and no secret. */
  'testbed.export': {
    changes: false,
    input: byId,
    output: z.object({ fileName: field.address('file'), text: field.document() }),
  },
  /**
   * Takes a testbed that was mapped to this lab as a new one; what another lab made is not this
   * app's to delete.
   */
  'testbed.import': {
    changes: true,
    input: z.object({
      testbed: testbedSchema,
      /**
       * A person agreed to the shell commands that it brings. Without it such a testbed is
       * `untrusted`.
       */
      allowCommands: z.boolean().default(false),
    }),
    output: testbedSchema,
  },
  /** What would be made, against the inventory of now. */
  'provision.plan': {
    changes: false,
    input: z.object({ testbedId: field.id('testbed'), powerOn: z.boolean().default(true) }),
    output: provisionPlanSchema,
  },
  /** Makes the VMs of the plan that can be made; the rest is left alone. */
  'provision.start': {
    changes: true,
    input: z.object({ testbedId: field.id('testbed'), options: provisionOptions.prefault({}) }),
    output: provisionJobSchema,
  },
  /** Ends clones under way; what was made before stays until `provision.cleanUp`. */
  'provision.cancel': {
    changes: true,
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema,
  },
  /** What failed or was cancelled, once more. */
  'provision.retry': {
    changes: true,
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema,
  },
  /** Removes what this app made for the testbed, and nothing else. */
  'provision.cleanUp': {
    changes: true,
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema,
  },
  /** The testbed's last job, or null. */
  'provision.status': {
    changes: false,
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema.nullable(),
  },
} as const;
