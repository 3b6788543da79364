import { fail } from '../base/errors.ts';
import type { InfrastructureTargets } from './infrastructure.ts';
import type { Layout, NamedRef, Testbed } from './testbed.ts';
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
  const dropped: string[] = [];
  const at = (kind: string, ref: string): NamedRef | null => mapping.get(`${kind} ${ref}`) ?? null;
  const one = (kind: string, thing: NamedRef | null | undefined): NamedRef | null =>
    thing ? at(kind, thing.ref) : null;
  const unique = (list: NamedRef[]): NamedRef[] => [
    ...new Map(list.map((thing) => [thing.ref, thing])).values(),
  ];
  const many = (kind: string, list: readonly NamedRef[]): NamedRef[] =>
    unique(list.flatMap((thing) => at(kind, thing.ref) ?? []));
  const refs = (kind: string, list: readonly string[]): string[] => [
    ...new Set(list.flatMap((ref) => at(kind, ref)?.ref ?? [])),
  ];
  for (const { kind, ref, name, where } of used)
    if (mapping.get(`${kind} ${ref}`) === null)
      dropped.push(`${kind} ${name} (${where.join(', ')})`);
  if (testbed.powerIds.length > 0)
    dropped.push(`${testbed.powerIds.length} power sources: choose those of this lab`);

  const layout =
    testbed.layout &&
    ((from: Layout): Layout => ({
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
    }))(testbed.layout);

  const move = <T extends { vmRefs: string[]; datastoreRef: string }>(from: T | null): T | null => {
    const store = from && at('datastore', from.datastoreRef),
      vms = from ? refs('vm', from.vmRefs) : [];
    return from && store && vms.length > 0
      ? { ...from, vmRefs: vms, datastoreRef: store.ref }
      : null;
  };
  const deploy = (from: InfrastructureTargets['deploy']): InfrastructureTargets['deploy'] => {
    const template = from && at('template', from.templateRef),
      store = from && at('datastore', from.datastoreRef);
    return from && template && store
      ? { ...from, templateRef: template.ref, datastoreRef: store.ref }
      : null;
  };
  const { infrastructure: from } = testbed;
  const infrastructure = from && {
    ...from,
    vmotionVmRefs: refs('vm', from.vmotionVmRefs),
    snapshotVmRefs: refs('vm', from.snapshotVmRefs),
    storageVmotion: move(from.storageVmotion),
    xvmotion: move(from.xvmotion),
    deploy: deploy(from.deploy),
  };

  const tiles = testbed.tiles.map(({ workloads }, index) => ({
    index,
    workloads: workloads.map(({ planned, ...rest }) => {
      const host = one('host', planned?.host),
        datastore = one('datastore', planned?.datastore);
      return {
        ...rest,
        vm: one('vm', rest.vm),
        clientId: rest.clientId === '' ? '' : (at('client', rest.clientId)?.ref ?? ''),
        ...(host || datastore ? { planned: { host, datastore } } : {}),
      };
    }),
  }));
  return {
    dropped,
    testbed: {
      ...testbed,
      ...target,
      version: 0,
      powerIds: [],
      tiles,
      ...(layout ? { layout } : {}),
      ...(infrastructure ? { infrastructure } : {}),
    },
  };
}
