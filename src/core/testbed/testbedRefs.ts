import type { Inventory } from './inventory.ts';
import { indexInventory } from './layoutIndex.ts';
import type { NamedRef, Testbed } from './testbed.ts';
import type { FileThingKind, TestbedFile } from './testbedFileTypes.ts';

/** One thing a testbed refers to, and how often. */
export interface UsedRef {
  kind: FileThingKind;
  ref: string;
  name: string;
  uses: number;
  /** First uses, in words. */ where: string[];
}

/**
 * Everything that a testbed refers to, in the order in which an import asks for it. Names come from
 * the testbed, else from the inventory, else the ref stands for itself.
 */
export function testbedRefs(testbed: Testbed, inventory: Inventory | null): UsedRef[] {
  const index = indexInventory(inventory);
  const found = new Map<string, UsedRef>();
  const add = (kind: FileThingKind, ref: string, name: string | null, where: string): void => {
    if (ref === '') return;
    const key = `${kind} ${ref}`,
      known = found.get(key);
    if (!known) {
      found.set(key, { kind, ref, name: name ?? ref, uses: 1, where: [where] });
      return;
    }
    known.uses += 1;
    if (known.where.length < 3) known.where.push(where);
  };
  const named = (kind: FileThingKind, one: NamedRef | null | undefined, where: string): void => {
    if (one) add(kind, one.ref, one.name, where);
  };
  testbed.tiles.forEach(({ workloads }, tile) =>
    workloads.forEach(({ workloadId, vm, planned, clientId }) => {
      const where = `tile ${tile + 1} ${workloadId}`;
      named('host', planned?.host, where);
      named('datastore', planned?.datastore, where);
      named('vm', vm, where);
      add('client', clientId, null, where);
    }),
  );
  const { layout, infrastructure } = testbed;
  for (const host of layout?.hosts ?? []) named('host', host, 'hosts under test');
  for (const store of layout?.datastores ?? []) named('datastore', store, 'datastores under test');
  named('datastore', layout?.maintenanceDatastore, 'maintenance datastore');
  for (const vm of layout?.excludedVms ?? []) named('vm', vm, 'excluded VMs');
  for (const [workloadId, template] of Object.entries(layout?.templates ?? {}))
    named('template', template, `template of ${workloadId}`);
  named('network', layout?.network, 'network');
  named('pool', layout?.resourcePool, 'resource pool');
  const vmRef = (kind: 'vm' | 'template', ref: string, where: string): void =>
    add(kind, ref, index.vm.get(ref)?.name ?? null, where);
  const storeRef = (ref: string, where: string): void =>
    add('datastore', ref, index.datastore.get(ref)?.name ?? null, where);
  for (const ref of infrastructure?.vmotionVmRefs ?? []) vmRef('vm', ref, 'vMotion');
  for (const [target, where] of [
    [infrastructure?.storageVmotion, 'Storage vMotion'],
    [infrastructure?.xvmotion, 'XvMotion'],
  ] as const) {
    for (const ref of target?.vmRefs ?? []) vmRef('vm', ref, where);
    if (target) storeRef(target.datastoreRef, where);
  }
  if (infrastructure?.deploy) {
    vmRef('template', infrastructure.deploy.templateRef, 'deploy');
    storeRef(infrastructure.deploy.datastoreRef, 'deploy');
  }
  for (const ref of infrastructure?.snapshotVmRefs ?? []) vmRef('vm', ref, 'snapshots');
  return [...found.values()];
}

/** What the file's testbed refers to, with the file's names where the testbed has none. */
export function fileRefs({ testbed, things }: TestbedFile): UsedRef[] {
  const names = new Map(things.map(({ kind, ref, name }) => [`${kind} ${ref}`, name]));
  return testbedRefs(testbed, null).map((one) =>
    one.name === one.ref ? { ...one, name: names.get(`${one.kind} ${one.ref}`) ?? one.name } : one,
  );
}
