import * as z from 'zod';

import { field } from '../base/field.ts';
import { driverParams } from '../profile/profile.ts';
import { arrayFactsSchema, mostArrays } from './arrayFacts.ts';
import { connectionId } from './connection.ts';
import { infrastructureTargets } from './infrastructure.ts';

const ref = field.id('ref');

/** A thing of the inventory with the name it had when it was chosen. */
export const namedRef = z.object({ ref, name: field.name('thing').max(255) });
export type NamedRef = z.infer<typeof namedRef>;

const assignmentSchema = z.object({
  /** Workload of the profile, e.g. `database`. */
  workloadId: field.id('workload'),
  /** The VM under load; host and datastore are read from vCenter, not stored twice. */
  vm: z.object({ ref, name: field.name('vm') }).nullable(),
  /** The client machine that generates the load. */
  clientId: connectionId,
  /** Overrides of the profile's driver parameters for this VM (addresses, sizes). */
  params: driverParams.default({}),
  /**
   * Where the designer wants the VM when the run starts; absent = wherever it is. Names are for
   * people and for an import into another lab.
   */
  planned: z.object({ host: namedRef.nullable(), datastore: namedRef.nullable() }).optional(),
});
export type Assignment = z.infer<typeof assignmentSchema>;

export const tileSchema = z.object({
  index: field.count(),
  workloads: field.list(assignmentSchema, 1_000),
});
export type Tile = z.infer<typeof tileSchema>;

/** A workload of one tile, and its parameter by the driver's name for it; null = its VM. */
export const placeInTestbed = z.object({
  /** From 0. */
  tile: field.count(),
  workloadId: field.id('workload'),
  parameter: field.word().nullable(),
});
export type PlaceInTestbed = z.infer<typeof placeInTestbed>;

/** What the designer lays out beside the tiles. Absent members = not chosen. */
export const layoutSchema = z.object({
  /** Hosts and datastores under test; empty = all that the tiles use. */
  hosts: z.array(namedRef).max(512).default([]),
  datastores: z.array(namedRef).max(1_024).default([]),
  /** Scratch datastore of Storage vMotion and deploy; no tile lives on it. */
  maintenanceDatastore: namedRef.nullable().default(null),
  /** VMs that may run on the hosts under test without being strays. */
  excludedVms: z.array(namedRef).max(10_000).default([]),
  resourcePool: namedRef.nullable().default(null),
  network: namedRef.nullable().default(null),
  /** Template a missing VM of a workload is cloned from, by workload id. */
  templates: field.record(field.id('workload'), namedRef).default({}),
  /**
   * How VMs are named, e.g. `tile{tile}-{workload}`; matched to discovered VMs and used for clones.
   */
  namePattern: field.name('pattern').max(120).default('tile{tile}-{workload}'),
  /**
   * VMs this app made here: all it may ever delete. Written by provisioning; what a form or a file
   * says is not taken.
   */
  made: z.array(namedRef).max(10_000).default([]),
  /** VM folder this app made for them. */
  madeFolder: namedRef.nullable().optional(),
});
export type Layout = z.infer<typeof layoutSchema>;

/**
 * A login to a machine under test, by an SSH connection. `linux`: a KVM, Proxmox or bare-metal host
 * that no vCenter counts, read as clients are; `esxi`: a host of the vCenter, where esxtop runs.
 */
const hostLogin = z.discriminatedUnion('system', [
  z.object({ system: z.literal('linux'), connectionId }),
  z.object({ system: z.literal('esxi'), connectionId, host: namedRef }),
]);
export type HostLogin = z.infer<typeof hostLogin>;

export const testbedSchema = z.object({
  id: field.id('testbed').min(1).max(64),
  name: field.name('testbed').min(1).max(120),
  /** Bumped by the engine at each save. */
  version: field.count().default(0),
  profileId: field.id('profile'),
  vcenterId: connectionId.nullable(),
  powerIds: field.list(connectionId, 1_000).default([]),
  /**
   * What the machines use without load: given in W of all sources together, or measured before the
   * load of each run; `windowS` = over how long. Absent = not known.
   */
  idlePower: z
    .union([
      z.object({
        by: z.literal('given'),
        watts: field.figure().positive(),
        windowS: z.number().int().min(1).max(86_400),
      }),
      z.object({ by: z.literal('measured'), windowS: z.number().int().min(10).max(3_600) }),
    ])
    .nullable()
    .optional(),
  tiles: field.list(tileSchema, 2_000),
  /** Machines under test that are logged in to; absent = none. */
  hostLogins: field.list(hostLogin, 1_000).optional(),
  /** Needed where the profile scores infrastructure operations. */
  infrastructure: infrastructureTargets.optional(),
  layout: layoutSchema.optional(),
  /** Disk arrays, recorded by hand or from a file. Absent = none are. */
  arrays: z.array(arrayFactsSchema).max(mostArrays).optional(),
  notes: field.freeText().default(''),
});
export type Testbed = z.infer<typeof testbedSchema>;
