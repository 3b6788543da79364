import { fail } from '../../../src/core/base/errors.ts';
import type { CloneTarget, TaskWatch, VCenterSession } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { customizationElement } from './customization.ts';
import { readObject } from './properties.ts';
import { element, escapeXml, group, idsOf, type MoRef, refElement, refOf } from './soap.ts';
import { runTask } from './tasks.ts';
import { textOf } from './xml.ts';

type Operations = Pick<
  VCenterSession,
  'placement' | 'relocate' | 'clone' | 'power' | 'snapshot' | 'removeSnapshot' | 'destroy'
>;
interface Target {
  hostRef?: string;
  datastoreRef?: string;
  poolRef?: string;
}

const vm = (id: string): MoRef => ({ type: 'VirtualMachine', id });
const host = (id: string): MoRef => ({ type: 'HostSystem', id });

/** One property that refers to another object. */
async function refProperty(
  core: Core,
  ref: MoRef,
  path: string,
  signal?: AbortSignal,
): Promise<MoRef | null> {
  const { props } = await readObject(core, ref, [path], signal);
  return refOf(props.get(path));
}

/**
 * The pool a VM must move to when its new host belongs to another cluster; undefined where it
 * stays. A standalone host is a cluster of its own here. A template has no pool and always needs
 * one.
 */
async function poolFor(
  core: Core,
  vmRef: string,
  hostRef: string,
  signal?: AbortSignal,
): Promise<MoRef | undefined> {
  const pool = await refProperty(core, vm(vmRef), 'resourcePool', signal);
  const cluster = await refProperty(core, host(hostRef), 'parent', signal);
  const owner = pool && (await refProperty(core, pool, 'owner', signal));
  if (!cluster || owner?.id === cluster.id) return undefined;
  return (await refProperty(core, cluster, 'resourcePool', signal)) ?? undefined;
}

/** VirtualMachineRelocateSpec; the order of its elements is the API's. */
async function relocateSpec(
  core: Core,
  name: string,
  vmRef: string,
  target: Target,
  signal?: AbortSignal,
): Promise<string> {
  const { hostRef, datastoreRef, poolRef } = target;
  const pool =
    poolRef !== undefined
      ? { type: 'ResourcePool', id: poolRef }
      : hostRef === undefined
        ? undefined
        : await core.withLogin(() => poolFor(core, vmRef, hostRef, signal), signal);
  return group(
    name,
    refElement(
      'datastore',
      datastoreRef === undefined ? undefined : { type: 'Datastore', id: datastoreRef },
    ),
    refElement('pool', pool),
    refElement('host', hostRef === undefined ? undefined : host(hostRef)),
  );
}

/** VirtualMachineConfigSpec with what is written on a clone; empty where nothing is. */
function configSpec({ annotation, extraConfig = {} }: CloneTarget): string {
  const options = Object.entries(extraConfig).map(([key, value]) =>
    group(
      'extraConfig',
      element('key', key),
      `<value xmlns:xsd="http://www.w3.org/2001/XMLSchema" xsi:type="xsd:string">${escapeXml(value)}</value>`,
    ),
  );
  return annotation === undefined && options.length === 0
    ? ''
    : group('config', element('annotation', annotation), ...options);
}

/** Clones a VM or template, powered off; gives the reference of the clone. */
async function cloneVm(
  core: Core,
  vmRef: string,
  name: string,
  target: CloneTarget,
  signal?: AbortSignal,
  watch?: TaskWatch,
): Promise<string> {
  const folder =
    target.folderRef === undefined
      ? await core.withLogin(() => refProperty(core, vm(vmRef), 'parent', signal), signal)
      : { type: 'Folder', id: target.folderRef };
  if (!folder)
    throw fail(
      'conflict',
      `${vmRef} is in no folder: its clone needs one.`,
      'Name a folder for the clone.',
    );
  const { customization: wanted } = target;
  const customization =
    wanted === undefined
      ? ''
      : await core.withLogin(() => customizationElement(core, wanted, signal), signal);
  const spec = group(
    'spec',
    await relocateSpec(core, 'location', vmRef, target, signal),
    element('template', false),
    configSpec(target),
    customization,
    element('powerOn', false),
  );
  const result = await runTask(
    core,
    'CloneVM_Task',
    vm(vmRef),
    refElement('folder', folder) + element('name', name) + spec,
    signal,
    watch,
  );
  const ref = textOf(result);
  if (ref === null)
    throw fail(
      'internal',
      `The clone ${name} of ${vmRef} was made, but vCenter gave no reference.`,
      'Discover the inventory again.',
    );
  return ref;
}

/** What changes VMs. Every one waits for its task, and cancels it when the signal fires. */
export function createOperations(core: Core): Operations {
  return {
    async placement(vmRef, signal) {
      const { props } = await core.withLogin(
        () =>
          readObject(
            core,
            vm(vmRef),
            ['runtime.host', 'datastore', 'runtime.powerState', 'guest.ipAddress'],
            signal,
          ),
        signal,
      );
      return {
        hostRef: textOf(props.get('runtime.host')),
        datastoreRefs: idsOf(props.get('datastore')),
        poweredOn: textOf(props.get('runtime.powerState')) === 'poweredOn',
        ip: textOf(props.get('guest.ipAddress')),
      };
    },
    async relocate(vmRef, target, signal, watch) {
      if (target.hostRef === undefined && target.datastoreRef === undefined)
        throw fail('invalidInput', `${vmRef} cannot be moved without a target host or datastore.`);
      await runTask(
        core,
        'RelocateVM_Task',
        vm(vmRef),
        await relocateSpec(core, 'spec', vmRef, target, signal),
        signal,
        watch,
      );
    },
    clone: (vmRef, name, target, signal, watch) =>
      cloneVm(core, vmRef, name, target, signal, watch),
    async power(vmRef, on, signal, watch) {
      const wanted = on ? 'poweredOn' : 'poweredOff';
      const { props } = await core.withLogin(
        () => readObject(core, vm(vmRef), ['runtime.powerState'], signal),
        signal,
      );
      if (textOf(props.get('runtime.powerState')) === wanted) return;
      await runTask(core, on ? 'PowerOnVM_Task' : 'PowerOffVM_Task', vm(vmRef), '', signal, watch);
    },
    async snapshot(vmRef, name, signal, watch) {
      const result = await runTask(
        core,
        'CreateSnapshot_Task',
        vm(vmRef),
        element('name', name) + element('memory', false) + element('quiesce', false),
        signal,
        watch,
      );
      const ref = textOf(result);
      if (ref === null)
        throw fail(
          'internal',
          `The snapshot ${name} of ${vmRef} was made, but vCenter gave no reference.`,
        );
      return ref;
    },
    async removeSnapshot(snapshotRef, signal, watch) {
      await runTask(
        core,
        'RemoveSnapshot_Task',
        { type: 'VirtualMachineSnapshot', id: snapshotRef },
        element('removeChildren', false) + element('consolidate', true),
        signal,
        watch,
      );
    },
    async destroy(vmRef, signal, watch) {
      await runTask(core, 'Destroy_Task', vm(vmRef), '', signal, watch);
    },
  };
}
