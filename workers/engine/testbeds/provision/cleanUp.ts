import { AppError, fail } from '../../../../src/core/base/errors.ts';
import {
  clonesAtOnce,
  layoutOf,
  type ProvisionItem,
} from '../../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';
import { createGate } from './gate.ts';
import { errorOf } from './liveJob.ts';
import { findOwn, type MakeScope } from './makeVm.ts';
import { refusalToDelete } from './mark.ts';

/**
 * Powers a made VM off and deletes it, if the testbed's list and the VM's mark agree that this app
 * made it. A VM that is gone is taken off the list.
 */
export async function deleteMade(
  { session, record, job }: Pick<MakeScope, 'session' | 'record' | 'job'>,
  vmRef: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    // Read at the last moment: what was true when it was made need not be now.
    const mark = await session.vmMark(vmRef, signal);
    const refusal = refusalToDelete(
      job.get().testbedId,
      layoutOf(record.testbed()).made,
      vmRef,
      mark,
    );
    if (refusal !== null)
      throw fail(
        'conflict',
        `Not deleted: ${refusal}.`,
        'Remove it in vCenter, if it is not needed.',
      );
    await session.power(vmRef, false, signal);
    await session.destroy(vmRef, signal);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'notFound')) throw error;
  }
  record.gone(vmRef);
}

/** Items of a clean-up: the job's own, and what earlier jobs of this testbed made. */
export function itemsToClean(testbed: Testbed, items: readonly ProvisionItem[]): ProvisionItem[] {
  const known = new Set(items.map((item) => item.vmRef));
  const place = { ref: '', name: '' };
  const earlier = layoutOf(testbed)
    .made.filter(({ ref }) => !known.has(ref))
    .map((vm): ProvisionItem => {
      const at = testbed.tiles
        .flatMap((tile) => tile.workloads.map((one) => ({ tileIndex: tile.index, ...one })))
        .find((one) => one.vm?.ref === vm.ref);
      return {
        key: `made/${vm.ref}`,
        tileIndex: at?.tileIndex ?? -1,
        workloadId: at?.workloadId ?? '',
        name: vm.name,
        template: place,
        host: at?.planned?.host ?? place,
        datastore: at?.planned?.datastore ?? place,
        step: 'waiting',
        progressPct: null,
        error: null,
        note: null,
        vmRef: vm.ref,
        taskRef: null,
        startedAtMs: null,
        endedAtMs: null,
      };
    });
  return [
    ...items.map((item) => ({
      ...item,
      step: 'waiting' as const,
      error: null,
      note: null,
      progressPct: null,
    })),
    ...earlier,
  ];
}

/**
 * Removes all that was made, side by side; then the folder, if it is this app's and empty. Gives
 * whether everything is gone.
 */
export async function cleanUp(scope: MakeScope & { clock: { now(): number } }): Promise<boolean> {
  const { session, job, record, signal } = scope;
  const gate = createGate(clonesAtOnce, clonesAtOnce);
  await Promise.all(
    job.get().items.map((item) =>
      gate('', async () => {
        if (signal.aborted) return;
        job.changeItem(item.key, { step: 'removing' });
        try {
          // A clone that ended after its job was cancelled stands in no list: its name and mark
          // tell it.
          const vmRef =
            item.vmRef ??
            (item.taskRef === null ? null : await findOwn({ session, job, signal }, item.key));
          if (vmRef !== null) {
            if (item.vmRef === null) record.made({ ref: vmRef, name: item.name });
            await deleteMade(scope, vmRef, signal);
          }
          job.changeItem(item.key, {
            step: vmRef === null ? 'unmade' : 'removed',
            vmRef: null,
            taskRef: null,
            endedAtMs: scope.clock.now(),
          });
        } catch (error) {
          job.changeItem(item.key, {
            step: 'failed',
            error: errorOf(error),
            endedAtMs: scope.clock.now(),
          });
        }
      }),
    ),
  );
  if (
    job
      .get()
      .items.some(
        (item) => item.step === 'failed' || item.step === 'removing' || item.step === 'waiting',
      )
  )
    return false;
  return removeFolder(scope);
}

async function removeFolder({ session, job, record, signal }: MakeScope): Promise<boolean> {
  const folder = layoutOf(record.testbed()).madeFolder;
  if (!folder) return true;
  try {
    if (!(await session.removeEmptyFolder(folder.ref, signal)))
      throw fail(
        'conflict',
        `Folder ${folder.name} is not empty, and stays.`,
        'Others keep VMs in it; remove it in vCenter when it is empty.',
      );
    record.folder(null);
    job.change({ folder: null });
  } catch (error) {
    job.change({ error: errorOf(error) });
  }
  return true;
}
