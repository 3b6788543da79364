import * as z from 'zod';

import { field } from '../base/field.ts';

/**
 * A customer's lab while it is typed: null = nobody has said it yet. What a file or an inventory told
 * and what was typed look alike here; `origins` say which it was.
 */

/** Bounds of a lab that is made of parts. */
export const customerLabLimits = {
  hosts: 64,
  datastores: 256,
  /** Tiles of six VMs. */ tiles: 200,
  /** VMs without load that are kept. */ vms: 1_200,
} as const;

const figure = (min: number, max: number) => z.number().min(min).max(max).nullable();
const whole = (min: number, max: number) => z.number().int().min(min).max(max).nullable();

/** Hosts that are equal. */
const hostGroup = z.object({
  names: field.list(field.name('host'), customerLabLimits.hosts).min(1),
  vendor: field.word().max(500),
  model: field.word().max(500),
  /** As its maker names it. */ cpuModel: field.word().max(500),
  sockets: whole(1, 16),
  coresPerSocket: whole(1, 256),
  ghz: figure(0.5, 6),
  memoryGb: figure(2, 24_576),
  /** Of one core and GHz, against the reference core; and what both threads give over one. */
  workPerGhz: figure(0.05, 10),
  hyperThreadGain: figure(1, 2),
  uplinks: whole(1, 32),
  uplinkGbps: figure(0.1, 400),
  hbaPorts: whole(1, 16),
  idleW: figure(1, 20_000),
  busyW: figure(1, 20_000),
});
export type HostGroup = z.infer<typeof hostGroup>;
/** Figures of a group that may be missing. */
export type HostGroupFigure = {
  [K in keyof HostGroup]: HostGroup[K] extends number | null ? K : never;
}[keyof HostGroup];

export const customerLabDraft = z.object({
  name: field.name('lab').max(80),
  /** `inventory.xlsx`; empty = typed. */
  origin: field.freeText().max(2_000),
  groups: field.list(hostGroup, customerLabLimits.hosts),
  datastores: field.list(
    z.object({ name: field.name('datastore'), capacityGb: figure(1, 1e7) }),
    customerLabLimits.datastores,
  ),
  /** VMs that are there and switched on; a table of inventory tells no load of theirs. */
  vms: field.list(
    z.object({
      vcpus: z.number().int().min(1).max(1_024),
      memoryGb: z.number().positive().max(1e5),
    }),
    customerLabLimits.vms,
  ),
  /** They stay, and hold memory. */ keepVms: z.boolean().nullable(),
  hypervisor: field.word().nullable(),
  array: field.word().nullable(),
  arrayPorts: whole(1, 64),
  adapter: field.word().nullable(),
  disk: field.word().nullable(),
  /** Under each datastore. */ disks: whole(1, 1_000),
  raid: z.enum(['0', '1', '10', '5', '6']).nullable(),
  drs: z.enum(['off', '1', '2', '3', '4', '5']).nullable(),
  tiles: whole(1, customerLabLimits.tiles),
  /** What was offered and taken, in words: kept with the lab. */
  chosen: field.list(field.freeText().max(1_000), 500),
});
export type CustomerLabDraft = z.infer<typeof customerLabDraft>;

/** An empty form. */
export const emptyDraft = (): CustomerLabDraft => ({
  name: '',
  origin: '',
  groups: [],
  datastores: [],
  vms: [],
  keepVms: null,
  hypervisor: null,
  array: null,
  arrayPorts: null,
  adapter: null,
  disk: null,
  disks: null,
  raid: null,
  drs: null,
  tiles: null,
  chosen: [],
});

/** A group of which nothing is known but how many there are. */
export const emptyGroup = (names: string[]): HostGroup => ({
  names,
  vendor: '',
  model: '',
  cpuModel: '',
  sockets: null,
  coresPerSocket: null,
  ghz: null,
  memoryGb: null,
  workPerGhz: null,
  hyperThreadGain: null,
  uplinks: null,
  uplinkGbps: null,
  hbaPorts: null,
  idleW: null,
  busyW: null,
});

export const hostsOf = ({ groups }: Pick<CustomerLabDraft, 'groups'>): number =>
  groups.reduce((sum, { names }) => sum + names.length, 0);

/** Name of a group: maker and model, or its first host. */
export const groupName = ({ vendor, model, names }: HostGroup): string =>
  [vendor, model]
    .filter((one) => one !== '' && !(one === vendor && model.startsWith(vendor)))
    .join(' ') || names[0]!;

export const groupFigures: Readonly<Record<HostGroupFigure, { label: string; unit: string }>> = {
  sockets: { label: 'Sockets', unit: '' },
  coresPerSocket: { label: 'Cores per socket', unit: '' },
  ghz: { label: 'Clock', unit: 'GHz' },
  memoryGb: { label: 'Memory', unit: 'GB' },
  workPerGhz: { label: 'Work of a core per GHz', unit: '' },
  hyperThreadGain: { label: 'Gain by hyper-threading', unit: '×' },
  uplinks: { label: 'Network links', unit: '' },
  uplinkGbps: { label: 'Each network link', unit: 'Gb/s' },
  hbaPorts: { label: 'Storage links', unit: '' },
  idleW: { label: 'Power when idle', unit: 'W' },
  busyW: { label: 'Power when busy', unit: 'W' },
};
export const groupFigureKeys = Object.keys(groupFigures) as HostGroupFigure[];
