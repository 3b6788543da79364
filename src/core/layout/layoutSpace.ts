import type { LayoutDatastore, LayoutVm } from '../testbed/layoutModel.ts';
import type { Considered } from './layoutTypes.ts';

const mib = 1_048_576;

/**
 * Bytes that each slot will newly take on its datastore; null = not known. Disks of a VM that comes
 * here (a clone, or one planned from elsewhere) at their full size, and a swap file of its memory
 * less its reservation unless it is powered on here already. What leaves the datastore frees its
 * space only once it has gone, so it is not counted.
 */
export function spaceOf(
  store: LayoutDatastore,
  vms: readonly LayoutVm[],
  { view }: Pick<Considered, 'view'>,
): (number | null)[] {
  const templates = view.testbed.layout?.templates ?? {};
  return vms.map((vm) => {
    const here = vm.vm !== null && vm.actualDatastores.some(({ ref }) => ref === store.ref);
    if (here && vm.powerState === 'poweredOn') return 0;
    const swap =
      vm.memoryMb === null ? null : Math.max(0, vm.memoryMb - (vm.reservedMb ?? 0)) * mib;
    if (here) return swap;
    // A slot with neither VM nor template gets no disk from this app.
    if (vm.missing && !templates[vm.workload.id]) return null;
    return vm.diskBytes === null || swap === null ? null : vm.diskBytes + swap;
  });
}
