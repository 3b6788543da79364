import { fail } from '../base/errors.ts';
import type { InfrastructureTargets } from './infrastructure.ts';
import type { Assignment, Layout, NamedRef, Testbed } from './testbed.ts';
import type { TestbedFile } from './testbedFileTypes.ts';
import type { Mapping } from './testbedImport.ts';
import { fileRefs } from './testbedRefs.ts';

export interface ImportTarget {
  id: string;
  name: string;
  vcenterId: string | null;
  profileId: string;
}
export interface Imported {
  testbed: Testbed;
  /** What was left out, in words. */
  dropped: string[];
}

/** The counterparts here of what a file names; what is left out is null, or missing in a list. */
interface Counterparts {
  at: (kind: string, ref: string) => NamedRef | null;
  one: (kind: string, thing: NamedRef | null | undefined) => NamedRef | null;
  /** Each once. */
  many: (kind: string, list: readonly NamedRef[]) => NamedRef[];
  refs: (kind: string, list: readonly string[]) => string[];
}
function counterparts(mapping: Mapping): Counterparts {
  const at = (kind: string, ref: string): NamedRef | null => mapping.get(`${kind} ${ref}`) ?? null;
  return {
    at,
    one: (kind, thing) => (thing ? at(kind, thing.ref) : null),
    many: (kind, list) => {
      const here = list.flatMap((thing) => at(kind, thing.ref) ?? []);
      return [...new Map(here.map((thing) => [thing.ref, thing])).values()];
    },
    refs: (kind, list) => [...new Set(list.flatMap((ref) => at(kind, ref)?.ref ?? []))],
  };
}

/**
 * The file's testbed in this lab: every thing replaced by what it is mapped to, those mapped to
 * null left out. Throws invalidInput where one is not decided. A client that is left out leaves its
 * workloads without one. Nothing here counts as made by this app.
 */
export function applyMapping(file: TestbedFile, mapping: Mapping, target: ImportTarget): Imported {
  const { testbed } = file,
    used = fileRefs(file);
  const open = used.filter(({ kind, ref }) => !mapping.has(`${kind} ${ref}`));
  if (open.length > 0)
    throw fail(
      'invalidInput',
      `${open.length} names of the file are not mapped: ${open
        .slice(0, 5)
        .map(({ kind, name }) => `${kind} ${name}`)
        .join(', ')}${open.length > 5 ? ' …' : ''}.`,
      'Choose a counterpart for each, or leave it out.',
    );
  const dropped = used
    .filter(({ kind, ref }) => mapping.get(`${kind} ${ref}`) === null)
    .map(({ kind, name, where }) => `${kind} ${name} (${where.join(', ')})`);
  if (testbed.powerIds.length > 0)
    dropped.push(`${testbed.powerIds.length} power sources: choose those of this lab`);
  const { hostLogins = [], ...rest } = testbed;
  if (hostLogins.length > 0)
    dropped.push(`${hostLogins.length} logins to hosts under test: name those of this lab`);
  const here = counterparts(mapping);
  const { layout, infrastructure } = testbed;
  return {
    dropped,
    testbed: {
      ...rest,
      ...target,
      version: 0,
      powerIds: [],
      tiles: testbed.tiles.map(({ workloads }, index) => ({
        index,
        workloads: workloads.map((assignment) => assignmentHere(assignment, here)),
      })),
      ...(layout ? { layout: layoutHere(layout, here) } : {}),
      ...(infrastructure ? { infrastructure: infrastructureHere(infrastructure, here) } : {}),
    },
  };
}

const layoutHere = (from: Layout, { one, many }: Counterparts): Layout => ({
  ...from,
  hosts: many('host', from.hosts),
  datastores: many('datastore', from.datastores),
  excludedVms: many('vm', from.excludedVms),
  maintenanceDatastore: one('datastore', from.maintenanceDatastore),
  network: one('network', from.network),
  resourcePool: one('pool', from.resourcePool),
  templates: Object.fromEntries(
    Object.entries(from.templates).flatMap(([id, template]) => {
      const here = one('template', template);
      return here ? [[id, here]] : [];
    }),
  ),
  made: [],
  madeFolder: null,
});

/** An operation of which a part is left out is left out itself. */
function infrastructureHere(
  from: InfrastructureTargets,
  { at, refs }: Counterparts,
): InfrastructureTargets {
  const move = <T extends { vmRefs: string[]; datastoreRef: string }>(of: T | null): T | null => {
    const store = of && at('datastore', of.datastoreRef),
      vms = of ? refs('vm', of.vmRefs) : [];
    return of && store && vms.length > 0 ? { ...of, vmRefs: vms, datastoreRef: store.ref } : null;
  };
  const { deploy } = from;
  const template = deploy && at('template', deploy.templateRef),
    store = deploy && at('datastore', deploy.datastoreRef);
  return {
    ...from,
    vmotionVmRefs: refs('vm', from.vmotionVmRefs),
    snapshotVmRefs: refs('vm', from.snapshotVmRefs),
    storageVmotion: move(from.storageVmotion),
    xvmotion: move(from.xvmotion),
    deploy:
      deploy && template && store
        ? { ...deploy, templateRef: template.ref, datastoreRef: store.ref }
        : null,
  };
}

function assignmentHere({ planned, ...rest }: Assignment, { at, one }: Counterparts): Assignment {
  const host = one('host', planned?.host),
    datastore = one('datastore', planned?.datastore);
  return {
    ...rest,
    vm: one('vm', rest.vm),
    clientId: rest.clientId === '' ? '' : (at('client', rest.clientId)?.ref ?? ''),
    ...(host || datastore ? { planned: { host, datastore } } : {}),
  };
}
