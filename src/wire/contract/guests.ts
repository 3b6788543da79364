import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { bundleDigest, guestBundleSchema } from '../../core/roles/bundle.ts';
import {
  guestChoice,
  guestJobSchema,
  guestPlanSchema,
  guestSettings,
} from '../../core/roles/job.ts';
import { none } from './common.ts';

const byTestbed = z.object({ testbedId: field.id('testbed') });

/** Preparing the machines of a testbed for their roles, and taking it back. */
export const guestMethods = {
  /** Machines, roles that fit and logins that are plainly theirs. Nobody is asked. */
  'guest.plan': { changes: false, input: byTestbed, output: guestPlanSchema },
  /**
   * Prepares the chosen machines, or takes back what was done to them. Throws conflict while a run
   * or another job works on the testbed, invalidInput for a choice that cannot be.
   */
  'guest.start': {
    changes: true,
    input: byTestbed.extend({
      purpose: z.enum(['prepare', 'undo']),
      choices: z.array(guestChoice).min(1).max(10_000),
      settings: guestSettings.prefault({}),
    }),
    output: guestJobSchema,
  },
  /** No further step begins; the one under way on each machine ends first. */
  'guest.cancel': { changes: true, input: byTestbed, output: guestJobSchema },
  /** What failed or was cancelled, once more: what is done is not done again. */
  'guest.retry': { changes: true, input: byTestbed, output: guestJobSchema },
  /** The testbed's last job, or null. */
  'guest.status': { changes: false, input: byTestbed, output: guestJobSchema.nullable() },
  /**
   * Copies a bundle of packages from this computer, once all of it was held against its own list.
   * Throws invalidInput with what does not fit.
   */
  'guest.takeBundle': {
    changes: true,
    input: z.object({ path: field.address('path').min(1) }),
    output: guestBundleSchema,
  },
  /** Bundles that were taken in, the newest first. */
  'guest.bundles': { changes: false, input: none, output: field.list(guestBundleSchema) },
  /** Forgets one. Throws conflict while a preparation takes packages from it. */
  'guest.dropBundle': {
    changes: true,
    input: z.object({ sha256: bundleDigest }),
    output: none,
  },
} as const;
