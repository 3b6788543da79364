import { fail } from '../../../../src/core/base/errors.ts';
import type { Clock } from '../../deps.ts';
import type { TaskFacts, TaskWatch, VCenterSession, VmEvent } from '../../deps/vcenter.ts';
import type { HostedLab } from '../lab.ts';
import type { LabEvent } from '../model/types.ts';
import { clusterRef } from '../names.ts';

/** What a simulated vCenter tells of its tasks, events, places and DRS. */
export interface SimVms {
  session: Pick<VCenterSession, 'placements' | 'tasks' | 'task' | 'events' | 'drs' | 'setDrs'>;
  /** Does the work as a task that can be read while it runs. */
  tracked<T>(
    operation: string,
    vmRef: string,
    watch: TaskWatch | undefined,
    work: (progress: (share: number) => void) => Promise<T>,
  ): Promise<T>;
}

const mostTasks = 500;
/** What the model notes and a vCenter has an event for. */
function eventOf({ key, tMs, vmId, hostId, byDrs, type, text }: LabEvent): VmEvent | null {
  const name =
    type === 'vmotion'
      ? byDrs
        ? 'DrsVmMigratedEvent'
        : 'VmMigratedEvent'
      : type === 'svmotion'
        ? 'VmRelocatedEvent'
        : type === 'haRestart'
          ? 'com.vmware.vc.ha.VmRestartedByHAEvent'
          : type === 'power'
            ? text.endsWith(' on')
              ? 'VmPoweredOnEvent'
              : 'VmPoweredOffEvent'
            : null;
  return name === null
    ? null
    : {
        key,
        chainId: null,
        tMs,
        vmRef: vmId,
        vmName: vmId,
        hostRef: hostId ?? null,
        type: name,
        text,
        user: byDrs ? null : 'simulated',
      };
}

export function createSimVms(lab: () => HostedLab, clock: Clock): SimVms {
  let tasks: TaskFacts[] = [];
  let serial = 0;
  const demandCluster = (ref: string): HostedLab => {
    const on = lab();
    if (ref !== clusterRef) throw fail('notFound', `vCenter ${on.id}.sim has no cluster ${ref}.`);
    return on;
  };
  return {
    async tracked(operation, vmRef, watch, work) {
      const task: TaskFacts = {
        ref: `sim-task-${(serial += 1)}`,
        chainId: null,
        entityRef: vmRef,
        operation: `VirtualMachine.${operation}`,
        state: 'running',
        progressPct: null,
        queuedMs: clock.now(),
        startedMs: clock.now(),
        completedMs: null,
      };
      tasks = [...tasks.slice(-mostTasks), task];
      watch?.onFacts?.({ ...task });
      try {
        const result = await work((share) => {
          task.progressPct = Math.round(share * 100);
          watch?.onFacts?.({ ...task });
        });
        Object.assign(task, { state: 'success', completedMs: clock.now() });
        watch?.onFacts?.({ ...task });
        return result;
      } catch (error) {
        Object.assign(task, { state: 'error', completedMs: clock.now() });
        throw error;
      }
    },
    session: {
      async placements(vmRefs) {
        const places = lab().sync().placement();
        return new Map(
          vmRefs.flatMap((ref) => {
            const place = places.get(ref);
            return place
              ? [[ref, { hostRef: place.hostId, poweredOn: place.poweredOn }] as const]
              : [];
          }),
        );
      },
      tasks: async (vmRefs) => {
        lab();
        return tasks
          .filter((task) => task.entityRef !== null && vmRefs.includes(task.entityRef))
          .map((task) => ({ ...task }));
      },
      task: async (ref) => {
        lab();
        const found = tasks.find((task) => task.ref === ref);
        return found ? { ...found } : null;
      },
      events: async (sinceMs) => ({
        events: lab()
          .sync()
          .events(sinceMs - 1)
          .flatMap((event) => eventOf(event) ?? []),
        truncated: false,
      }),
      async drs(ref) {
        const { enabled, behavior, stars } = demandCluster(ref).sync().drs();
        return { enabled, behavior, vmotionRate: stars };
      },
      async setDrs(ref, { enabled, behavior, vmotionRate }) {
        demandCluster(ref)
          .sync()
          .setDrs({
            ...(enabled === null ? {} : { enabled }),
            ...(behavior === null ? {} : { behavior }),
            ...(vmotionRate === null ? {} : { stars: vmotionRate }),
          });
      },
    },
  };
}
