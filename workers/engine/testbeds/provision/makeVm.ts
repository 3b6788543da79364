import { AppError, fail } from '../../../../src/core/base/errors.ts';
import { layoutOf } from '../../../../src/core/testbed/provision.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import type { LiveJob } from './liveJob.ts';
import { isMarkedFor, marking } from './mark.ts';
import type { MadeRecord } from './record.ts';

export interface MakeScope {
  session: VCenterSession;
  job: LiveJob;
  record: MadeRecord;
  signal: AbortSignal;
}

/**
 * One VM, from its template to its place in the testbed. What an earlier try left is taken up: the
 * VM itself, the task that vCenter still works on, or a finished clone that carries the mark of
 * this item. Throws what went wrong.
 */
export async function makeVm(scope: MakeScope, key: string): Promise<void> {
  const { session, job, record, signal } = scope;
  const item = job.item(key);
  const vmRef = (await existing(scope, key)) ?? (await clone(scope, key));
  job.changeItem(key, { step: 'registering', progressPct: 100, vmRef });
  const mark = await session.vmMark(vmRef, signal);
  if (!isMarkedFor(job.get().testbedId, item, mark)) {
    throw fail(
      'conflict',
      `${mark.name} was made, but does not carry the mark it was given.`,
      'Give the vCenter user the privilege VirtualMachine.Config.AdvancedConfig; this app ' +
        'does not delete the VM without its mark: remove it in vCenter.',
    );
  }
  record.made({ ref: vmRef, name: item.name }, item);
  const { network } = layoutOf(record.testbed());
  if (network) await session.connectNetwork(vmRef, network.ref, signal);
  job.changeItem(key, { step: 'cloned' });
}

/**
 * A VM of an earlier try: by its reference, by the clone's task, or by name and mark where the
 * engine died between the two.
 */
async function existing({ session, job, signal }: MakeScope, key: string): Promise<string | null> {
  const { vmRef, taskRef } = job.item(key);
  if (vmRef !== null && (await isThere(session, vmRef, signal))) return vmRef;
  if (taskRef === null) return null;
  try {
    job.changeItem(key, { step: 'cloning' });
    const made = await session.followTask(taskRef, signal, {
      onProgress: (percent) => job.progress(key, percent),
    });
    if (made !== null && (await isThere(session, made, signal))) return made;
  } catch (error) {
    if (signal.aborted) throw error;
    // The earlier task failed or is forgotten: whatever it made is found by its mark, and else it
    // is done again.
  }
  return findOwn({ session, job, signal }, key);
}

async function isThere(
  session: VCenterSession,
  vmRef: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await session.placement(vmRef, signal);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'notFound') return false;
    throw error;
  }
}

/**
 * The VM of an item's name that carries its mark, wherever it came from; null where there is none.
 */
export async function findOwn(
  { session, job, signal }: Pick<MakeScope, 'session' | 'job'> & { signal?: AbortSignal },
  key: string,
): Promise<string | null> {
  const item = job.item(key);
  const { vms } = await session.inventory(signal);
  for (const vm of vms.filter(({ name }) => name === item.name)) {
    if (isMarkedFor(job.get().testbedId, item, await session.vmMark(vm.ref, signal))) return vm.ref;
  }
  return null;
}

async function clone({ session, job, record, signal }: MakeScope, key: string): Promise<string> {
  const { template, name, host, datastore, ...item } = job.item(key);
  const { folder } = job.get();
  const testbed = record.testbed();
  const pool = layoutOf(testbed).resourcePool;
  job.changeItem(key, { step: 'cloning', progressPct: 0, taskRef: null });
  const target = {
    hostRef: host.ref,
    datastoreRef: datastore.ref,
    ...(folder ? { folderRef: folder.ref } : {}),
    ...(pool ? { poolRef: pool.ref } : {}),
    ...marking(testbed, { ...item, name }),
  };
  try {
    return await session.clone(template.ref, name, target, signal, {
      onTask: (taskRef) => {
        job.changeItem(key, { taskRef });
      },
      onProgress: (percent) => {
        job.progress(key, percent);
      },
    });
  } catch (error) {
    // An earlier engine's clone may have come to its end after that engine died.
    const own =
      error instanceof AppError && error.details?.['fault'] === 'DuplicateName'
        ? await findOwn({ session, job, signal }, key)
        : null;
    if (own === null) throw error;
    return own;
  }
}

/** Powers a made VM on and looks whether it runs where it was put. */
export async function startVm({ session, job, signal }: MakeScope, key: string): Promise<void> {
  const { vmRef, name, host, datastore } = job.item(key);
  if (vmRef === null)
    throw fail('internal', `${name} was made, but its reference is not known.`, 'Retry.');
  if (job.get().options.powerOn) {
    job.changeItem(key, { step: 'poweringOn' });
    await session.power(vmRef, true, signal);
  }
  job.changeItem(key, { step: 'checking' });
  const place = await session.placement(vmRef, signal);
  if (job.get().options.powerOn && !place.poweredOn)
    throw fail(
      'conflict',
      `${name} was powered on, but vCenter says it is off.`,
      "Look at the VM's events in vCenter, then retry.",
    );
  if (!place.datastoreRefs.includes(datastore.ref))
    throw fail(
      'conflict',
      `${name} is not on datastore ${datastore.name}.`,
      'Storage DRS may have placed it elsewhere: move it, or plan the datastore it is on.',
    );
  job.changeItem(key, {
    note:
      place.hostRef === host.ref
        ? job.item(key).note
        : `Runs on another host than ${host.name}: DRS chose it.`,
  });
}
