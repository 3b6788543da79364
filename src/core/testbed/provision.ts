import * as z from 'zod';

import { AppError } from '../base/errors.ts';
import { field } from '../base/field.ts';
import type { Profile } from '../profile/profile.ts';
import { cloneNames, type NamedSlot, parsePattern } from './naming.ts';
import {
  type DatastoreInfo,
  type HostInfo,
  type Inventory,
  type Layout,
  layoutSchema,
  type NamedRef,
  namedRef,
  type Testbed,
} from './testbed.ts';

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

/** What is known of a template beyond the inventory. */
export type TemplateSizes = Readonly<Record<string, number | null>>;
interface PlanInput {
  testbed: Testbed;
  profile: Pick<Profile, 'workloads'> | undefined;
  inventory: Inventory | null;
  sizes?: TemplateSizes;
  powerOn?: boolean;
}

const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
const usable = (host: HostInfo): string | null =>
  host.connectionState !== 'connected'
    ? `it is ${host.connectionState === 'notResponding' ? 'not responding' : host.connectionState}`
    : host.maintenance
      ? 'it is in maintenance mode'
      : null;
const mounts = (store: DatastoreInfo, hostRef: string): boolean =>
  store.hostRefs.length === 0 || store.hostRefs.includes(hostRef);
const named = ({ ref, name }: { ref: string; name: string }): NamedRef => ({ ref, name });

/**
 * What provisioning would make: one item for each workload whose VM is not assigned or gone, with
 * its name, template, place and space, and why it cannot be made. Places that are planned are kept;
 * others go to the least used host that mounts the datastore, and to the datastore with most space
 * left. Pure, and linear but for the choice of places.
 */
export function provisionPlan({
  testbed,
  profile,
  inventory,
  sizes = {},
  powerOn = true,
}: PlanInput): ProvisionPlan {
  const layout = layoutOf(testbed);
  const vms = new Map((inventory?.vms ?? []).map((vm) => [vm.ref, vm]));
  const hosts = new Map((inventory?.hosts ?? []).map((host) => [host.ref, host]));
  const stores = new Map((inventory?.datastores ?? []).map((store) => [store.ref, store]));
  const roles = new Map((profile?.workloads ?? []).map((workload) => [workload.id, workload.role]));
  const all = testbed.tiles.flatMap((tile) =>
    tile.workloads.map((assignment) => ({
      assignment,
      slot: {
        key: `${tile.index}/${assignment.workloadId}`,
        tile: tile.index,
        workloadId: assignment.workloadId,
        role: roles.get(assignment.workloadId) ?? assignment.workloadId,
      } satisfies NamedSlot,
    })),
  );
  const missing = all.filter(
    ({ assignment }) =>
      assignment.vm === null || (inventory !== null && !vms.has(assignment.vm.ref)),
  );
  const names = namesFor(
    layout.namePattern,
    missing.map(({ slot }) => slot),
    [...vms.values()].map((vm) => vm.name),
  );
  const load = new Map<string, number>();
  for (const { assignment } of all) {
    const at = vms.get(assignment.vm?.ref ?? '')?.hostRef;
    if (at) load.set(at, (load.get(at) ?? 0) + 1);
  }
  const left = new Map([...stores.values()].map((store) => [store.ref, store.freeBytes]));
  const used = new Map<string, ProvisionPlan['stores'][number]>();

  const items = missing.map(({ assignment, slot }, i): ProvisionPlanItem => {
    const { name, problem: nameProblem } = names[i]!;
    const template = layout.templates[slot.workloadId] ?? null;
    const source = template ? vms.get(template.ref) : undefined;
    const swap = powerOn
      ? (source?.memoryMb ?? null) === null
        ? null
        : source!.memoryMb! * 2 ** 20
      : 0;
    const size = template ? (sizes[template.ref] ?? null) : null;
    const needBytes = size === null || swap === null ? null : size + swap;
    const wanted = assignment.planned;
    const store = wanted?.datastore
      ? stores.get(wanted.datastore.ref)
      : chooseStore(layout, stores, left, source?.datastoreRefs ?? []);
    const host = wanted?.host
      ? hosts.get(wanted.host.ref)
      : chooseHost(layout, hosts, load, source?.hostRef ?? null, store);
    const problem = ((): ProvisionPlanItem['problem'] => {
      if (testbed.vcenterId === null)
        return { text: 'The testbed has no vCenter', hint: 'Choose the vCenter in the testbed.' };
      if (!inventory)
        return { text: 'The vCenter was not discovered yet', hint: 'Discover the inventory.' };
      if (nameProblem !== null) return nameProblem;
      if (!template)
        return {
          text: `No template is chosen for ${slot.workloadId}`,
          hint: 'Choose one under Templates in the layout.',
        };
      if (!source)
        return {
          text: `Template ${template.name} is not in vCenter`,
          hint: 'Choose another template, or discover the inventory again.',
        };
      if (wanted?.host && !host)
        return {
          text: `Planned host ${wanted.host.name} is not in vCenter`,
          hint: 'Plan another host.',
        };
      if (!host)
        return {
          text: 'No usable host mounts the datastore',
          hint: 'Plan a host, or take hosts out of maintenance mode.',
        };
      const why = usable(host);
      if (why !== null)
        return {
          text: `Host ${host.name} cannot be used: ${why}`,
          hint: 'Plan another host, or bring it back.',
        };
      if (wanted?.datastore && !store)
        return {
          text: `Planned datastore ${wanted.datastore.name} is not in vCenter`,
          hint: 'Plan another datastore.',
        };
      if (!store)
        return {
          text: 'No datastore is planned, and none can be chosen',
          hint: 'Plan a datastore.',
        };
      if (!store.accessible)
        return {
          text: `Datastore ${store.name} is not accessible`,
          hint: 'Plan another datastore, or bring it back.',
        };
      if (!mounts(store, host.ref))
        return {
          text: `Host ${host.name} does not mount datastore ${store.name}`,
          hint: 'Plan a host and a datastore that go together.',
        };
      const free = left.get(store.ref) ?? null;
      if (needBytes !== null && free !== null && needBytes > free)
        return {
          text: `Datastore ${store.name} has ${gib(Math.max(0, free))} left for it, ${gib(needBytes)} are needed`,
          hint: 'Plan another datastore, or make room.',
        };
      return null;
    })();
    if (problem === null && store && host) {
      const free = left.get(store.ref) ?? null;
      left.set(store.ref, free === null || needBytes === null ? free : free - needBytes);
      load.set(host.ref, (load.get(host.ref) ?? 0) + 1);
      const sum = used.get(store.ref) ?? {
        ...named(store),
        count: 0,
        needBytes: 0,
        freeBytes: store.freeBytes,
      };
      used.set(store.ref, {
        ...sum,
        count: sum.count + 1,
        needBytes: sum.needBytes === null || needBytes === null ? null : sum.needBytes + needBytes,
      });
    }
    return {
      key: slot.key,
      tileIndex: slot.tile,
      workloadId: slot.workloadId,
      name,
      lost: assignment.vm?.name ?? null,
      template,
      needBytes,
      problem,
      host: host ? named(host) : (wanted?.host ?? null),
      datastore: store ? named(store) : (wanted?.datastore ?? null),
      hostPlanned: Boolean(wanted?.host),
      datastorePlanned: Boolean(wanted?.datastore),
    };
  });
  return {
    testbedId: testbed.id,
    items,
    present: all.length - missing.length,
    stores: [...used.values()],
  };
}

function namesFor(
  pattern: string,
  slots: readonly NamedSlot[],
  taken: readonly string[],
): { name: string; problem: ProvisionPlanItem['problem'] }[] {
  try {
    return cloneNames(parsePattern(pattern), slots, taken).map(({ name, problem }) => ({
      name,
      problem:
        problem === null
          ? null
          : {
              text: `${name}: ${problem}`,
              hint: problem.includes('exists')
                ? 'Assign that VM by name, or change the name pattern.'
                : 'Change the name pattern.',
            },
    }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = { text: error.message, hint: error.hint ?? 'Change the name pattern.' };
    return slots.map((slot) => ({ name: slot.key, problem }));
  }
}

/**
 * Of the layout's datastores the one with most space left; where the layout has none, where the
 * template is.
 */
function chooseStore(
  layout: Layout,
  stores: ReadonlyMap<string, DatastoreInfo>,
  left: ReadonlyMap<string, number | null>,
  home: readonly string[],
): DatastoreInfo | undefined {
  const listed = layout.datastores
    .filter(({ ref }) => ref !== layout.maintenanceDatastore?.ref)
    .flatMap(({ ref }) => stores.get(ref) ?? [])
    .filter((store) => store.accessible);
  if (listed.length === 0) return home.flatMap((ref) => stores.get(ref) ?? [])[0];
  return listed.reduce((best, store) =>
    (left.get(store.ref) ?? -1) > (left.get(best.ref) ?? -1) ? store : best,
  );
}

/**
 * Of the layout's hosts, or else of the template's cluster, the one with the fewest of this
 * testbed's VMs that mounts the datastore.
 */
function chooseHost(
  layout: Layout,
  hosts: ReadonlyMap<string, HostInfo>,
  load: ReadonlyMap<string, number>,
  homeRef: string | null,
  store: DatastoreInfo | undefined,
): HostInfo | undefined {
  const home = homeRef === null ? undefined : hosts.get(homeRef);
  const listed =
    layout.hosts.length > 0
      ? layout.hosts.flatMap(({ ref }) => hosts.get(ref) ?? [])
      : home
        ? [...hosts.values()].filter(
            (host) =>
              host === home || (host.clusterRef !== null && host.clusterRef === home.clusterRef),
          )
        : [...hosts.values()];
  const fit = listed.filter((host) => usable(host) === null && (!store || mounts(store, host.ref)));
  return fit.length === 0
    ? undefined
    : fit.reduce((best, host) =>
        (load.get(host.ref) ?? 0) < (load.get(best.ref) ?? 0) ? host : best,
      );
}

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
