import { fail } from '../../../src/core/base/errors.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { Clock } from '../deps.ts';
import type { TaskFacts, TaskWatch, VCenterSession, VmEvent } from '../deps/vcenter.ts';

/** What a fake vCenter tells of its tasks, events and DRS. */
export interface FakeVms {
  session: Pick<VCenterSession, 'placements' | 'tasks' | 'task' | 'events' | 'drs' | 'setDrs'>;
  begin(operation: string, vmRef: string, watch: TaskWatch | undefined): TaskFacts;
  end(task: TaskFacts, ok: boolean, watch: TaskWatch | undefined): void;
  /**
   * An operation whose caller was cut off or gave up goes on in vCenter for so long, and then
   * succeeds. 0 = it ends with its caller.
   */
  setLinger(ms: number): void;
  lingerMs(): number;
  /** Something happens to a VM without us: it is told as an event, and is so. */
  happen(event: Pick<VmEvent, 'type'> & Partial<VmEvent>): void;
  /** Settings that were asked for, in order. */
  readonly drsSet: readonly {
    behavior: string | null;
    enabled: boolean | null;
    vmotionRate: number | null;
    atMs: number;
  }[];
  /** Throws where a change of DRS must fail. */
  setDrsFault(fault: (() => void) | null): void;
}

const mostTasks = 200;

export function createFakeVms(
  clock: Clock,
  inventory: Inventory,
  offsetMs = (): number => 0,
): FakeVms {
  const tasks: TaskFacts[] = [];
  const events: VmEvent[] = [];
  const drsSet: {
    behavior: string | null;
    enabled: boolean | null;
    vmotionRate: number | null;
    atMs: number;
  }[] = [];
  let serial = 0;
  let keys = 0;
  let lingerMs = 0;
  let drsFault: (() => void) | null = null;
  const theirs = (): number => clock.now() + offsetMs();
  const happen: FakeVms['happen'] = (event) => {
    const vm = inventory.vms.find((one) => one.ref === event.vmRef);
    if (vm && event.hostRef && /Migrated|Restarted/.test(event.type)) vm.hostRef = event.hostRef;
    if (vm && event.type === 'VmPoweredOffEvent') vm.powerState = 'poweredOff';
    events.push({
      key: (keys += 1),
      chainId: keys,
      tMs: theirs(),
      vmRef: null,
      vmName: vm?.name ?? null,
      hostRef: null,
      text: event.type,
      user: null,
      ...event,
    });
  };
  const clusterOf = (ref: string): Inventory['clusters'][number] =>
    inventory.clusters.find((one) => one.ref === ref) ??
    (() => {
      throw fail('notFound', `There is no cluster ${ref}.`);
    })();
  return {
    drsSet,
    happen,
    setLinger: (ms) => {
      lingerMs = ms;
    },
    lingerMs: () => lingerMs,
    setDrsFault: (fault) => {
      drsFault = fault;
    },
    begin(operation, vmRef, watch) {
      serial += 1;
      const task: TaskFacts = {
        ref: `fake-task-${serial}`,
        chainId: 1_000_000 + serial,
        entityRef: vmRef,
        operation: `VirtualMachine.${operation}`,
        state: 'running',
        progressPct: 0,
        queuedMs: theirs(),
        startedMs: theirs(),
        completedMs: null,
      };
      tasks.push(task);
      if (tasks.length > mostTasks) tasks.shift();
      watch?.onTask?.(task.ref);
      watch?.onFacts?.({ ...task });
      return task;
    },
    end(task, ok, watch) {
      Object.assign(task, { state: ok ? 'success' : 'error', completedMs: theirs() });
      watch?.onFacts?.({ ...task });
      const vm = inventory.vms.find((one) => one.ref === task.entityRef);
      const type = {
        'VirtualMachine.relocate': 'VmMigratedEvent',
        'VirtualMachine.power':
          vm?.powerState === 'poweredOn' ? 'VmPoweredOnEvent' : 'VmPoweredOffEvent',
      }[task.operation];
      if (ok && vm && type)
        happen({ type, vmRef: vm.ref, hostRef: vm.hostRef, chainId: task.chainId, user: 'u' });
    },
    session: {
      placements: async (vmRefs) =>
        new Map(
          inventory.vms
            .filter((vm) => vmRefs.includes(vm.ref))
            .map((vm) => [
              vm.ref,
              { hostRef: vm.hostRef, poweredOn: vm.powerState === 'poweredOn' },
            ]),
        ),
      tasks: async (vmRefs) =>
        tasks
          .filter((task) => task.entityRef !== null && vmRefs.includes(task.entityRef))
          .map((task) => ({ ...task })),
      task: async (ref) => {
        const found = tasks.find((task) => task.ref === ref);
        return found ? { ...found } : null;
      },
      events: async (sinceMs) => ({
        events: events.filter((event) => event.tMs >= sinceMs).map((event) => ({ ...event })),
        truncated: false,
      }),
      async drs(ref) {
        const { drsEnabled, drsBehavior, drsVmotionRate } = clusterOf(ref);
        return { enabled: drsEnabled, behavior: drsBehavior, vmotionRate: drsVmotionRate };
      },
      async setDrs(ref, { enabled, behavior, vmotionRate }) {
        drsFault?.();
        const cluster = clusterOf(ref);
        drsSet.push({ enabled, behavior, vmotionRate, atMs: clock.now() });
        Object.assign(cluster, {
          drsEnabled: enabled ?? cluster.drsEnabled,
          drsBehavior: behavior ?? cluster.drsBehavior,
          drsVmotionRate: vmotionRate ?? cluster.drsVmotionRate,
        });
      },
    },
  };
}
