import * as z from 'zod';

import { field } from '../base/field.ts';

const ref = field.id('ref');

/**
 * What infrastructure operations work on. A VM is never in two at once; what they move is put back
 * after the run.
 */
export const infrastructureTargets = z.object({
  /** VMs that vMotion moves from host to host. */
  vmotionVmRefs: field.list(ref).default([]),
  /**
   * VMs whose disks Storage vMotion moves between their own datastore and this one, the maintenance
   * LUN.
   */
  storageVmotion: z
    .object({ vmRefs: field.list(ref).min(1), datastoreRef: ref })
    .nullable()
    .default(null),
  /** VMs that change host and datastore in one move. */
  xvmotion: z
    .object({ vmRefs: field.list(ref).min(1), datastoreRef: ref })
    .nullable()
    .default(null),
  /** Template that is cloned, powered on, checked and destroyed again. */
  deploy: z
    .object({
      templateRef: ref,
      datastoreRef: ref,
      /**
       * Customisation specification of the vCenter, by name; absent = the clone is not customised.
       */ customization: field.name('specification').max(255).optional(),
    })
    .nullable()
    .default(null),
  snapshotVmRefs: field.list(ref).default([]),
  /** Pause of each loop between two operations, in seconds. */
  pauseS: z.number().min(0).max(86_400).default(0),
  /**
   * By operation id, what differs for it: its own pause, and its own number of loops instead of the
   * profile's.
   */
  pace: field
    .record(
      field.id('operation'),
      z.object({
        pauseS: z.number().min(0).max(86_400).optional(),
        loops: z.number().int().min(1).max(64).optional(),
      }),
    )
    .optional(),
});
export type InfrastructureTargets = z.infer<typeof infrastructureTargets>;
