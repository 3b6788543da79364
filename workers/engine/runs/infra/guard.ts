import { toAppError } from '../../../../src/core/base/errors.ts';
import { pause } from '../../clock/jumps.ts';
import type { Clock, Log } from '../../deps.ts';
import type { TaskFacts, VCenterSession } from '../../deps/vcenter.ts';

/**
 * VMs that some loop works on, or that vCenter still works on: a VM is never in two operations at
 * once.
 */
export interface VmGuard {
  /** The next VM in turn that nobody works on, taken; null = all are busy. */
  take(refs: readonly string[], turn: number): string | null;
  /** Gives a VM back; it is not taken again for `restMs`. */
  release(vmRef: string, restMs?: number): void;
  /**
   * Leaves a VM alone until no task runs on it. `ended` gets the task as vCenter ended it, null
   * where it has forgotten it.
   */
  hold(vmRef: string, taskRef: string | null, ended: (task: TaskFacts | null) => void): void;
  readonly held: ReadonlyMap<string, string | null>;
  /** Resolves when nothing is asked any more; to be called after the signal fired. */
  closed(): Promise<void>;
}

const pollMs = 10_000;
export const isOpen = (task: TaskFacts): boolean =>
  task.state === 'queued' || task.state === 'running';

export function createVmGuard(options: {
  clock: Clock;
  log: Log;
  session: (signal: AbortSignal) => Promise<VCenterSession>;
  signal: AbortSignal;
}): VmGuard {
  const { clock, log, session, signal } = options;
  const busy = new Set<string>();
  const restsUntilMs = new Map<string, number>();
  const held = new Map<string, string | null>();
  const asking = new Set<Promise<void>>();

  /** undefined = still running, or vCenter does not answer. */
  async function look(
    vmRef: string,
    taskRef: string | null,
  ): Promise<TaskFacts | null | undefined> {
    try {
      const vcenter = await session(signal);
      const task = taskRef === null ? null : await vcenter.task(taskRef, signal);
      if (task && isOpen(task)) return undefined;
      return (await vcenter.tasks([vmRef], signal)).some(isOpen) ? undefined : task;
    } catch (error) {
      log.debug('A VM is held: vCenter does not tell of its tasks', {
        vm: vmRef,
        error: toAppError(error).message,
      });
      return undefined;
    }
  }
  async function ask(
    vmRef: string,
    taskRef: string | null,
    ended: (task: TaskFacts | null) => void,
  ): Promise<void> {
    while (!signal.aborted) {
      const task = await look(vmRef, taskRef);
      if (task !== undefined) {
        held.delete(vmRef);
        busy.delete(vmRef);
        ended(task);
        return;
      }
      await pause(clock, pollMs, signal);
    }
  }
  return {
    held,
    take(refs, turn) {
      const nowMs = clock.now();
      for (let i = 0; i < refs.length; i += 1) {
        const ref = refs[(turn + i) % refs.length]!;
        if (busy.has(ref) || (restsUntilMs.get(ref) ?? 0) > nowMs) continue;
        busy.add(ref);
        return ref;
      }
      return null;
    },
    release(vmRef, restMs = 0) {
      busy.delete(vmRef);
      if (restMs > 0) restsUntilMs.set(vmRef, clock.now() + restMs);
    },
    hold(vmRef, taskRef, ended) {
      if (held.has(vmRef)) return;
      busy.add(vmRef);
      held.set(vmRef, taskRef);
      const asked = ask(vmRef, taskRef, ended).finally(() => {
        asking.delete(asked);
      });
      asking.add(asked);
    },
    async closed() {
      await Promise.all(asking);
    },
  };
}
