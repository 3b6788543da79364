import type * as z from 'zod';

import {
  type LabClient,
  labClient,
  type LabHost,
  labHost,
  type LabLun,
  labLun,
  type LabSpec,
  labSpecSchema,
  type LabVm,
  labVm,
} from '../../../src/core/lab/lab.ts';
import { type Plan, planSchema } from '../../../src/core/plan/plan.ts';
import {
  type DriverParams,
  type Profile,
  profileSchema,
} from '../../../src/core/profile/profile.ts';
import {
  type ExpectationLine,
  type PublishedPoint,
  type StudySpec,
  studySpecSchema,
} from '../../../src/core/study/study.ts';
import { type Connection, connectionSchema } from '../../../src/core/testbed/connection.ts';
import type { infrastructureTargets } from '../../../src/core/testbed/infrastructure.ts';
import { type Testbed, testbedSchema } from '../../../src/core/testbed/testbed.ts';
import { knownMisses } from './libraryParts.ts';

/**
 * What gallery entries are built with. Everything goes through its schema, so defaults may be left
 * out. Ids begin with the entry's id in lower case (`e01-…`); give labs such ids too (`e01`,
 * `e01-physical`). Names of the simulated world: vCenter `<labId>.sim`, client
 * `<client>.<labId>.sim`, guest `<vm>.<labId>.sim`, meter `meter.<labId>.sim`; the vCenter
 * reference of a VM is the VM's id.
 */
export const idOf = (galleryId: string, what: string): string =>
  `${galleryId.toLowerCase()}-${what}`;

/** Name of the VM of a workload: `t1-mail` for the first tile (`tile` from 0). */
export const vmName = (tile: number, workloadId: string): string => `t${tile + 1}-${workloadId}`;

export const lab = (spec: z.input<typeof labSpecSchema>): LabSpec => labSpecSchema.parse(spec);

/** `count` items of one kind: `make` gets the index from 0. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Equal hosts `<prefix>1…`; `change` overrides single ones by index from 0. */
export function hosts(
  count: number,
  prefix: string,
  host: Omit<z.input<typeof labHost>, 'id'>,
  change: (index: number) => Partial<z.input<typeof labHost>> = () => ({}),
): LabHost[] {
  return times(count, (index) =>
    labHost.parse({ ...host, id: `${prefix}${index + 1}`, ...change(index) }),
  );
}

/** Equal LUNs `<prefix>1…` of one array. */
export function luns(
  count: number,
  prefix: string,
  lun: Omit<z.input<typeof labLun>, 'id'>,
  change: (index: number) => Partial<z.input<typeof labLun>> = () => ({}),
): LabLun[] {
  return times(count, (index) =>
    labLun.parse({ ...lun, id: `${prefix}${index + 1}`, ...change(index) }),
  );
}

/** Equal client machines `<prefix>1…`. */
export function clients(
  count: number,
  prefix = 'client',
  client: Omit<z.input<typeof labClient>, 'id'> = {},
): LabClient[] {
  return times(count, (index) => labClient.parse({ ...client, id: `${prefix}${index + 1}` }));
}

type VmShape = Omit<z.input<typeof labVm>, 'id' | 'hostId' | 'datastoreId'>;
/**
 * The VMs of `tiles` tiles, named by `vmName`. `shapes` by workload id; `place` says where each
 * starts (`tile` from 0).
 */
export function tileVms(
  tiles: number,
  shapes: Readonly<Record<string, VmShape>>,
  place: (tile: number, workloadId: string) => { hostId: string; datastoreId: string },
): LabVm[] {
  return times(tiles, (tile) =>
    Object.entries(shapes).map(([workloadId, shape]) =>
      labVm.parse({ ...shape, id: vmName(tile, workloadId), ...place(tile, workloadId) }),
    ),
  ).flat();
}

/** A profile of simulated loads. Not a benchmark's name unless the entry says so. */
export function profile(
  spec: Omit<
    z.input<typeof profileSchema>,
    'schemaVersion' | 'version' | 'description' | 'scoring'
  > &
    Partial<Pick<z.input<typeof profileSchema>, 'version' | 'description' | 'scoring'>>,
): Profile {
  return profileSchema.parse({
    schemaVersion: 1,
    version: '1',
    description: '',
    scoring: {
      tile: 'geometricMean',
      total: 'sum',
      periods: 'median',
      source: 'AnandTech 2743 and VMware TR-2006-002 (VMmark 1.x)',
    },
    ...spec,
  });
}

/** Secret of every simulated peer: its store answers anything. */
const password = { keychain: 'simulated' };
const user = 'lab';

export type PowerKind = 'vcenter' | 'meter' | 'none';
export interface ConnectionOptions {
  /** `meter`: one simulated NUT meter for the sum of the hosts. */
  power?: PowerKind;
  /** VMs whose driver runs inside them. */
  guests?: readonly string[];
}
export const vcenterId = (labId: string): string => labId;
export const clientId = (labId: string, client: string): string => `${labId}-${client}`;
const guestId = (labId: string, vm: string): string => `${labId}-in-${vm}`;
const powerId = (labId: string): string => `${labId}-power`;

/** vCenter, every client machine, the named guests and the power source of a lab. */
export function connections(labSpec: LabSpec, options: ConnectionOptions = {}): Connection[] {
  const { power = 'vcenter', guests = [] } = options;
  const machine = (id: string, name: string): z.input<typeof connectionSchema> => ({
    kind: 'client',
    id,
    name,
    host: `${name}.${labSpec.id}.sim`,
    user,
    auth: { method: 'password', password },
  });
  const list: z.input<typeof connectionSchema>[] = [
    {
      kind: 'vcenter',
      id: vcenterId(labSpec.id),
      name: `${labSpec.id}.sim`,
      host: `${labSpec.id}.sim`,
      user,
      password,
    },
    ...labSpec.clients.map((client) => machine(clientId(labSpec.id, client.id), client.id)),
    ...guests.map((vm) => machine(guestId(labSpec.id, vm), vm)),
    ...(power === 'vcenter'
      ? [
          {
            kind: 'power' as const,
            id: powerId(labSpec.id),
            name: `${labSpec.id} hosts`,
            source: { type: 'vcenter' as const, vcenterId: vcenterId(labSpec.id) },
          },
        ]
      : []),
    ...(power === 'meter'
      ? [
          {
            kind: 'power' as const,
            id: powerId(labSpec.id),
            name: `${labSpec.id} meter`,
            source: {
              type: 'nut' as const,
              host: `meter.${labSpec.id}.sim`,
              ups: 'meter',
              periodMs: 10_000,
            },
          },
        ]
      : []),
  ];
  return list.map((one) => connectionSchema.parse(one));
}

export interface TestbedOptions {
  galleryId: string;
  lab: LabSpec;
  profile: Profile;
  tiles: number;
  /** Default `<galleryId>-testbed`. */
  id?: string;
  name?: string;
  notes?: string;
  power?: PowerKind;
  /** VM under load (`tile` from 0); default `vmName`. */
  vmOf?: (tile: number, workloadId: string) => string;
  /**
   * Client machine that drives it, or null: the driver runs inside the VM. Default: the lab's
   * clients in turn, tile by tile; without clients inside.
   */
  clientOf?: (tile: number, workloadId: string) => string | null;
  /**
   * More driver parameters of one workload of one tile. `target` of simulated loads is set where a
   * client drives them.
   */
  params?: (tile: number, workloadId: string) => DriverParams;
  /** What infrastructure operations work on, where the profile scores them. */
  infrastructure?: z.input<typeof infrastructureTargets>;
}

/**
 * Tiles with their VMs and clients. Throws a plain error where a named VM or client is not in the
 * lab: an entry that is wrong.
 */
export function testbed(options: TestbedOptions): Testbed {
  const { galleryId, lab: labSpec, profile: made, tiles, power = 'vcenter' } = options;
  const vmOf = options.vmOf ?? vmName;
  const clientOf =
    options.clientOf ??
    ((tile: number): string | null =>
      labSpec.clients[tile % Math.max(1, labSpec.clients.length)]?.id ?? null);
  const known = (list: readonly { id: string }[], id: string, what: string): string => {
    if (!list.some((one) => one.id === id))
      throw new Error(`${galleryId}: lab ${labSpec.id} has no ${what} ${id}`);
    return id;
  };
  return testbedSchema.parse({
    id: options.id ?? idOf(galleryId, 'testbed'),
    name: options.name ?? labSpec.name,
    profileId: made.id,
    vcenterId: vcenterId(labSpec.id),
    powerIds: power === 'none' ? [] : [powerId(labSpec.id)],
    ...(options.infrastructure ? { infrastructure: options.infrastructure } : {}),
    notes: options.notes ?? '',
    tiles: times(tiles, (tile) => ({
      index: tile,
      workloads: made.workloads.map((workload) => {
        const vm = known(labSpec.vms, vmOf(tile, workload.id), 'VM');
        const client = clientOf(tile, workload.id);
        const target =
          client !== null && workload.driver === 'simload'
            ? { target: `${vm}.${labSpec.id}.sim` }
            : {};
        return {
          workloadId: workload.id,
          vm: { ref: vm, name: vm },
          clientId:
            client === null
              ? guestId(labSpec.id, vm)
              : clientId(labSpec.id, known(labSpec.clients, client, 'client')),
          params: { ...target, ...options.params?.(tile, workload.id) },
        };
      }),
    })),
  });
}

/** VMs that testbeds drive from inside: what `connections` needs as `guests`. */
export function guestsOf(labSpec: LabSpec, testbeds: readonly Testbed[]): string[] {
  const used = new Set(
    testbeds.flatMap((one) => one.tiles.flatMap((tile) => tile.workloads.map((w) => w.clientId))),
  );
  return labSpec.vms.map((vm) => vm.id).filter((vm) => used.has(guestId(labSpec.id, vm)));
}

/** The plan of an entry, `<galleryId>-plan`; phases of the profile where none are given. */
export function plan(
  options: {
    galleryId: string;
    name: string;
    testbed: Testbed;
    profile: Profile;
    tiles?: number;
  } & Partial<Pick<z.input<typeof planSchema>, 'id' | 'phases' | 'sampling' | 'notes' | 'acts'>>,
): Plan {
  const { galleryId, testbed: bed, profile: made, tiles = bed.tiles.length, ...rest } = options;
  return planSchema.parse({
    id: idOf(galleryId, 'plan'),
    testbedId: bed.id,
    profileId: made.id,
    tiles,
    phases: made.phases,
    ...rest,
  });
}

/** The study of an entry, `<galleryId>-study`, over its plan. */
export function study(
  options: { galleryId: string } & Omit<
    z.input<typeof studySpecSchema>,
    'schemaVersion' | 'id' | 'planId' | 'galleryId'
  > & { planId?: string },
): StudySpec {
  const { galleryId, ...rest } = options;
  return studySpecSchema.parse({
    schemaVersion: 1,
    id: idOf(galleryId, 'study'),
    planId: idOf(galleryId, 'plan'),
    galleryId,
    ...rest,
  });
}

/** One published figure at its place in the study. */
export const published = (
  factIds: readonly string[],
  measure: string,
  label: string,
  values: PublishedPoint['values'],
  value: number,
  unit: string,
  source: string,
): PublishedPoint => ({ factIds: [...factIds], measure, label, values, value, unit, source });

/**
 * One line of the comparison: `model` must lie in [low, high]; a bound of null is open, a model of
 * null is outside.
 */
export function expectation(line: {
  id: string;
  label: string;
  unit: string;
  model: number | null;
  /** As the author wrote it. */ published: string;
  /** The figure the difference is taken to. */ target?: number;
  low: number | null;
  high: number | null;
  source: string;
}): ExpectationLine {
  const { target, ...rest } = line;
  const { model, low, high } = rest;
  const finite = model !== null && Number.isFinite(model);
  // 100 · a / a may be 100.00000000000001.
  const dust = finite ? 1e-9 * Math.max(1, Math.abs(model)) : 0;
  const center = target ?? (low !== null && high !== null ? (low + high) / 2 : (low ?? high));
  const inside =
    finite && (low === null || model >= low - dust) && (high === null || model <= high + dust);
  const reason = knownMisses[line.id];
  return {
    ...rest,
    model: finite ? model : null,
    difference: finite && center !== null ? model - center : null,
    inside,
    ...(inside || reason === undefined ? {} : { knownMiss: reason }),
  };
}

/**
 * Makes the lines of one study: `expectation` with the id `<study>.<id>`, the author's words, and
 * the line of the post that `source` gives.
 */
export const linesOf =
  (galleryId: string, source: (seedLine: number) => string) =>
  (
    id: string,
    label: string,
    unit: string,
    model: number | null,
    words: string,
    low: number | null,
    high: number | null,
    seedLine: number,
    target?: number,
  ): ExpectationLine =>
    expectation({
      id: `${galleryId}.${id}`,
      label,
      unit,
      model,
      published: words,
      low,
      high,
      source: source(seedLine),
      ...(target === undefined ? {} : { target }),
    });
