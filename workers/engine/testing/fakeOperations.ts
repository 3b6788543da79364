import type { Inventory, VmInfo } from '../../../src/shared/testbed.ts';
import { fail } from '../../../src/shared/errors.ts';
import type { Clock, VCenterSession } from '../deps.ts';

type Operations = Pick<VCenterSession, 'placement' | 'relocate' | 'clone' | 'power' | 'snapshot' | 'removeSnapshot' | 'destroy'>;
export interface FakeOperations {
  session: Operations;
  /** What every operation does before it works: throw to fail it, wait to hang it. */
  setFault(fault: (name: string, vmRef: string, signal: AbortSignal | undefined) => Promise<void>): void;
  /** Calls that found the same VM already in another operation. */
  readonly overlaps: readonly string[];
  readonly calls: ReadonlyMap<string, number>;
}

/** A vCenter's operations on a mutable inventory: a move takes 20 s, a clone 40 s, the rest 2 s of the clock. */
export function createFakeOperations(clock: Clock, inventory: Inventory): FakeOperations {
  const busy = new Set<string>();
  const overlaps: string[] = [];
  const calls = new Map<string, number>();
  let fault: Parameters<FakeOperations['setFault']>[0] = async () => undefined;
  let made = 0;
  const find = (ref: string): VmInfo => {
    const vm = inventory.vms.find((one) => one.ref === ref);
    if (!vm) throw fail('notFound', `There is no VM ${ref}.`);
    return vm;
  };
  async function work(name: string, vmRef: string, seconds: number, signal: AbortSignal | undefined, act: (vm: VmInfo) => void): Promise<void> {
    const vm = find(vmRef);
    if (busy.has(vmRef)) overlaps.push(`${name} ${vmRef}`);
    busy.add(vmRef);
    calls.set(name, (calls.get(name) ?? 0) + 1);
    try {
      await fault(name, vmRef, signal);
      await clock.sleep(seconds * 1_000, signal);
      act(vm);
    } finally {
      busy.delete(vmRef);
    }
  }
  return {
    setFault: (next) => { fault = next; },
    overlaps, calls,
    session: {
      placement: async (vmRef) => { const { hostRef, datastoreRefs, powerState } = find(vmRef); return { hostRef, datastoreRefs: [...datastoreRefs], poweredOn: powerState === 'poweredOn' }; },
      relocate: (vmRef, { hostRef, datastoreRef }, signal) => work('relocate', vmRef, 20, signal, (vm) => { if (hostRef) vm.hostRef = hostRef; if (datastoreRef) vm.datastoreRefs = [datastoreRef]; }),
      async clone(vmRef, name, { hostRef, datastoreRef }, signal) {
        const ref = `vm-clone-${made += 1}`;
        calls.set('clone', (calls.get('clone') ?? 0) + 1);
        await fault('clone', vmRef, signal);
        await clock.sleep(40_000, signal);
        const source = find(vmRef);
        inventory.vms.push({ ...source, ref, name, template: false, powerState: 'poweredOff', hostRef: hostRef ?? source.hostRef, datastoreRefs: datastoreRef ? [datastoreRef] : source.datastoreRefs });
        return ref;
      },
      power: (vmRef, on, signal) => work('power', vmRef, 2, signal, (vm) => { vm.powerState = on ? 'poweredOn' : 'poweredOff'; }),
      snapshot: async (vmRef, name, signal) => { await work('snapshot', vmRef, 2, signal, (vm) => { vm.snapshotCount += 1; }); return `${vmRef}/${name}`; },
      removeSnapshot: (ref, signal) => work('removeSnapshot', ref.split('/')[0]!, 2, signal, (vm) => { vm.snapshotCount -= 1; }),
      destroy: (vmRef, signal) => work('destroy', vmRef, 2, signal, (vm) => { inventory.vms.splice(inventory.vms.indexOf(vm), 1); }),
    },
  };
}
