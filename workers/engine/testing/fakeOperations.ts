import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { HostInfo, Inventory, VmInfo } from '../../../src/core/testbed/inventory.ts';
import type { Clock } from '../deps.ts';
import type { HostCalls, TaskWatch, VCenterSession, VmMark } from '../deps/vcenter.ts';
import { createFakeVms, type FakeVms } from './fakeVms.ts';

type Operations = HostCalls &
  Pick<
    VCenterSession,
    | 'placement'
    | 'relocate'
    | 'clone'
    | 'power'
    | 'snapshot'
    | 'removeSnapshot'
    | 'destroy'
    | 'followTask'
    | 'cancelTask'
    | 'vmMark'
    | 'vmStorage'
    | 'connectNetwork'
    | 'makeFolder'
    | 'removeEmptyFolder'
    | 'placements'
    | 'tasks'
    | 'task'
    | 'events'
    | 'drs'
    | 'setDrs'
  >;
export interface FakeOperations {
  session: Operations;
  /** Its tasks, events and DRS. */
  vms: FakeVms;
  /** What every operation does before it works: throw to fail it, wait to hang it. */
  setFault(
    fault: (name: string, vmRef: string, signal: AbortSignal | undefined) => Promise<void>,
  ): void;
  /** Calls that found the same VM already in another operation. */
  readonly overlaps: readonly string[];
  readonly calls: ReadonlyMap<string, number>;
  /** What is written on each VM; to be changed by hand, as somebody in vCenter would. */
  readonly marks: Map<string, VmMark>;
  readonly folders: ReadonlyMap<string, string>;
  /** Network each VM was put on. */
  readonly networks: ReadonlyMap<string, string>;
  /**
   * true: a clone goes on when its caller is aborted or gone, as one that vCenter cannot cancel.
   */
  setStubborn(stubborn: boolean): void;
  /** Most clones under way at once, in all and to one datastore. */
  readonly most: { clones: number; perDatastore: number };
}

/**
 * A vCenter's operations on a mutable inventory: a move takes 20 s, a clone 40 s, the rest 2 s of
 * the clock.
 */
export function createFakeOperations(clock: Clock, inventory: Inventory): FakeOperations {
  const busy = new Set<string>();
  const overlaps: string[] = [];
  const calls = new Map<string, number>();
  let fault: Parameters<FakeOperations['setFault']>[0] = async () => undefined;
  const vms = createFakeVms(clock, inventory);
  let made = 0;
  let stubborn = false;
  const marks = new Map<string, VmMark>();
  const folders = new Map<string, string>();
  const networks = new Map<string, string>();
  const tasks = new Map<string, Promise<string>>();
  const cloning: string[] = [];
  const most = { clones: 0, perDatastore: 0 };
  const find = (ref: string): VmInfo => {
    const vm = inventory.vms.find((one) => one.ref === ref);
    if (!vm) throw fail('notFound', `There is no VM ${ref}.`);
    return vm;
  };
  const hostOf = (ref: string): HostInfo => {
    const host = inventory.hosts.find((one) => one.ref === ref);
    if (!host) throw fail('notFound', `There is no host ${ref}.`);
    return host;
  };
  /** What a host is told takes 2 s. */
  async function onHost(
    name: string,
    ref: string,
    signal: AbortSignal | undefined,
    act: (host: HostInfo) => void,
  ): Promise<void> {
    const host = hostOf(ref);
    calls.set(name, (calls.get(name) ?? 0) + 1);
    await fault(name, ref, signal);
    await clock.sleep(2_000, signal);
    act(host);
  }
  async function work(
    name: string,
    vmRef: string,
    seconds: number,
    signal: AbortSignal | undefined,
    watch: TaskWatch | undefined,
    act: (vm: VmInfo) => void,
  ): Promise<void> {
    const vm = find(vmRef);
    if (busy.has(vmRef)) overlaps.push(`${name} ${vmRef}`);
    busy.add(vmRef);
    calls.set(name, (calls.get(name) ?? 0) + 1);
    const task = vms.begin(name, vmRef, watch);
    const end = (ok: boolean, by: TaskWatch | undefined): void => {
      busy.delete(vmRef);
      if (ok) act(vm);
      vms.end(task, ok, by);
    };
    try {
      await fault(name, vmRef, signal);
      await clock.sleep(seconds * 1_000, signal);
      end(true, watch);
    } catch (error) {
      const cutOff = signal?.aborted === true || toAppError(error).kind === 'unreachable';
      if (cutOff && vms.lingerMs() > 0)
        void clock.sleep(vms.lingerMs()).then(() => {
          end(true, undefined);
        });
      else end(false, undefined);
      throw error;
    }
  }
  return {
    setFault: (next) => {
      fault = next;
    },
    overlaps,
    calls,
    marks,
    folders,
    networks,
    most,
    vms,
    setStubborn: (next) => {
      stubborn = next;
    },
    session: {
      ...vms.session,
      hostState: async (ref) => {
        const { connectionState, maintenance, clusterRef } = hostOf(ref);
        return { connectionState, maintenance, clusterRef };
      },
      hostVms: async (ref) => {
        hostOf(ref);
        return inventory.vms
          .filter((vm) => vm.hostRef === ref)
          .map((vm) => ({ ref: vm.ref, name: vm.name, poweredOn: vm.powerState === 'poweredOn' }));
      },
      adapterPaths: async (ref) => {
        hostOf(ref);
        return [];
      },
      setPath: async (_ref, name) => {
        throw fail('notFound', `There is no path ${name}.`);
      },
      enterMaintenance: (ref, signal) =>
        onHost('enterMaintenance', ref, signal, (host) => {
          host.maintenance = true;
        }),
      exitMaintenance: (ref, signal) =>
        onHost('exitMaintenance', ref, signal, (host) => {
          host.maintenance = false;
        }),
      disconnectHost: (ref, signal) =>
        onHost('disconnectHost', ref, signal, (host) => {
          host.connectionState = 'disconnected';
        }),
      reconnectHost: (ref, signal) =>
        onHost('reconnectHost', ref, signal, (host) => {
          host.connectionState = 'connected';
        }),
      joinCluster: (ref, clusterRef, signal) =>
        onHost('joinCluster', ref, signal, (host) => {
          host.clusterRef = clusterRef;
        }),
      placement: async (vmRef) => {
        const { hostRef, datastoreRefs, powerState, ip } = find(vmRef);
        return {
          hostRef,
          datastoreRefs: [...datastoreRefs],
          poweredOn: powerState === 'poweredOn',
          ip,
        };
      },
      relocate: (vmRef, { hostRef, datastoreRef }, signal, watch) =>
        work('relocate', vmRef, 20, signal, watch, (vm) => {
          if (hostRef) vm.hostRef = hostRef;
          if (datastoreRef) vm.datastoreRefs = [datastoreRef];
        }),
      async clone(
        vmRef,
        name,
        { hostRef, datastoreRef, folderRef, annotation, extraConfig },
        signal,
        watch,
      ) {
        const ref = `vm-clone-${(made += 1)}`;
        calls.set('clone', (calls.get('clone') ?? 0) + 1);
        await fault('clone', vmRef, signal);
        const store = datastoreRef ?? '';
        cloning.push(store);
        most.clones = Math.max(most.clones, cloning.length);
        most.perDatastore = Math.max(
          most.perDatastore,
          cloning.filter((one) => one === store).length,
        );
        const copy = async (): Promise<string> => {
          try {
            for (let percent = 25; percent <= 100; percent += 25) {
              await clock.sleep(10_000, stubborn ? undefined : signal);
              watch?.onProgress?.(percent);
            }
          } finally {
            cloning.splice(cloning.indexOf(store), 1);
          }
          const source = find(vmRef);
          if (inventory.vms.some((vm) => vm.name === name))
            throw fail('conflict', `The name ${name} is taken already.`, undefined, {
              fault: 'DuplicateName',
            });
          inventory.vms.push({
            ...source,
            ref,
            name,
            template: false,
            powerState: 'poweredOff',
            hostRef: hostRef ?? source.hostRef,
            datastoreRefs: datastoreRef ? [datastoreRef] : source.datastoreRefs,
          });
          marks.set(ref, {
            name,
            annotation: annotation ?? '',
            extraConfig: extraConfig ?? {},
            folderRef: folderRef ?? null,
          });
          return ref;
        };
        const task = copy();
        // Whoever follows it later hears of its failure.
        task.catch(() => undefined);
        tasks.set(`task-${ref}`, task);
        watch?.onTask?.(`task-${ref}`);
        if (!signal) return task;
        return Promise.race([
          task,
          new Promise<never>((_, reject) => {
            signal.addEventListener(
              'abort',
              () => reject(fail('aborted', 'The clone was cancelled.')),
              { once: true },
            );
          }),
        ]);
      },
      async followTask(taskRef) {
        const task = tasks.get(taskRef);
        if (!task) throw fail('notFound', `There is no task ${taskRef}.`);
        return task;
      },
      cancelTask: async () => undefined,
      vmMark: async (vmRef) => {
        const { name } = find(vmRef);
        return { annotation: '', extraConfig: {}, folderRef: null, ...marks.get(vmRef), name };
      },
      vmStorage: async (vmRef) => {
        find(vmRef);
        return { usedBytes: 10 * 2 ** 30, growsToBytes: 40 * 2 ** 30 };
      },
      connectNetwork: async (vmRef, networkRef) => {
        find(vmRef);
        networks.set(vmRef, networkRef);
      },
      async makeFolder(name) {
        const there = [...folders].find(([, one]) => one === name);
        if (there) return { ref: there[0], made: false };
        const ref = `group-v${folders.size + 1}`;
        folders.set(ref, name);
        return { ref, made: true };
      },
      async removeEmptyFolder(folderRef) {
        if (inventory.vms.some((vm) => marks.get(vm.ref)?.folderRef === folderRef)) return false;
        return folders.delete(folderRef);
      },
      power: (vmRef, on, signal, watch) =>
        work('power', vmRef, 2, signal, watch, (vm) => {
          vm.powerState = on ? 'poweredOn' : 'poweredOff';
        }),
      snapshot: async (vmRef, name, signal, watch) => {
        await work('snapshot', vmRef, 2, signal, watch, (vm) => {
          vm.snapshotCount += 1;
        });
        return `${vmRef}/${name}`;
      },
      removeSnapshot: (ref, signal, watch) =>
        work('removeSnapshot', ref.split('/')[0]!, 2, signal, watch, (vm) => {
          vm.snapshotCount -= 1;
        }),
      destroy: (vmRef, signal, watch) =>
        work('destroy', vmRef, 2, signal, watch, (vm) => {
          inventory.vms.splice(inventory.vms.indexOf(vm), 1);
        }),
    },
  };
}
