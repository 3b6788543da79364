import { fail } from '../../../../src/core/base/errors.ts';
import { layoutOf } from '../../../../src/core/testbed/provision.ts';
import type { NamedRef, Testbed } from '../../../../src/core/testbed/testbed.ts';
import type { Emit } from '../../../../src/wire/contract.ts';
import type { TestbedStore } from '../../db/types.ts';

/**
 * What provisioning writes into the testbed, each at once: an engine that dies has lost nothing
 * that was made.
 */
export interface MadeRecord {
  testbed(): Testbed;
  /** The VM folder this app made; null = it is removed. */
  folder(folder: NamedRef | null): void;
  /** A VM this app made; with the workload it is for. */
  made(vm: NamedRef, workload?: { tileIndex: number; workloadId: string }): void;
  /** It is gone: no tile refers to it any more. */
  gone(ref: string): void;
}

export function createRecord(
  store: Pick<TestbedStore, 'get' | 'saveFor'>,
  emit: Emit,
  testbedId: string,
  jobId: string,
  open: () => boolean,
): MadeRecord {
  const testbed = (): Testbed => {
    if (!open()) throw fail('aborted', 'The engine is closing.');
    const stored = store.get(testbedId);
    if (!stored)
      throw fail(
        'notFound',
        'The testbed was removed meanwhile.',
        'Undo its removal; what was made carries its mark and can then be cleaned up.',
      );
    return stored;
  };
  const save = (next: Testbed): void => {
    store.saveFor(next, jobId);
    emit('list.changed', { list: 'testbeds' });
  };
  return {
    testbed,
    folder(folder) {
      const now = testbed();
      save({ ...now, layout: { ...layoutOf(now), madeFolder: folder } });
    },
    made(vm, workload) {
      const now = testbed();
      const layout = layoutOf(now);
      save({
        ...now,
        layout: { ...layout, made: [...layout.made.filter(({ ref }) => ref !== vm.ref), vm] },
        tiles: now.tiles.map((tile) =>
          tile.index !== workload?.tileIndex
            ? tile
            : {
                ...tile,
                workloads: tile.workloads.map((one) =>
                  one.workloadId === workload.workloadId ? { ...one, vm } : one,
                ),
              },
        ),
      });
    },
    gone(ref) {
      const now = testbed();
      const layout = layoutOf(now);
      save({
        ...now,
        layout: { ...layout, made: layout.made.filter((one) => one.ref !== ref) },
        tiles: now.tiles.map((tile) => ({
          ...tile,
          workloads: tile.workloads.map((one) =>
            one.vm?.ref === ref ? { ...one, vm: null } : one,
          ),
        })),
      });
    },
  };
}
