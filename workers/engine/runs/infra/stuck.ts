import { awakeMs } from '../../clock/jumps.ts';
import type { Clock } from '../../deps.ts';
import type { TaskFacts, TaskWatch } from '../../deps/vcenter.ts';

/** Why a wait was given up; null = it was not. */
export type GaveUp = 'stuck' | 'limit' | null;
export interface WatchedWork {
  /** Newest facts of every task that was begun, in order. */
  readonly tasks: readonly TaskFacts[];
  gaveUp(): GaveUp;
}

/**
 * Runs work that starts tasks; fires the signal given to it when no task began, ended or made
 * progress for `stuckMs`, or all took longer than `limitMs`. Whoever passes the signal on has the
 * task cancelled in vCenter.
 */
export async function watchTasks(
  clock: Clock,
  limits: { stuckMs: number; limitMs: number },
  work: (signal: AbortSignal, watch: TaskWatch) => Promise<void>,
  seen: (work: WatchedWork) => void,
): Promise<void> {
  // A task is not stuck because this computer was: its patience runs while the engine does.
  const nowMs = (): number => awakeMs(clock);
  const startMs = nowMs();
  const end = new AbortController();
  const over = new AbortController();
  const tasks = new Map<string, TaskFacts>();
  let changedMs = startMs;
  let gaveUp: GaveUp = null;
  seen({
    get tasks() {
      return [...tasks.values()];
    },
    gaveUp: () => gaveUp,
  });
  const watch: TaskWatch = {
    onFacts(task) {
      tasks.set(task.ref, task);
      changedMs = nowMs();
    },
  };
  const dueMs = (): number => Math.min(changedMs + limits.stuckMs, startMs + limits.limitMs);
  const looking = (async () => {
    while (nowMs() < dueMs()) await clock.sleep(dueMs() - nowMs(), over.signal);
    gaveUp = nowMs() >= startMs + limits.limitMs ? 'limit' : 'stuck';
    end.abort();
  })().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  try {
    await work(end.signal, watch);
  } finally {
    over.abort();
    await looking;
  }
}

/**
 * vCenter's own times of the tasks of one operation, summed: waiting in its queue, and running.
 * null where it gave none. Differences of one clock: no offset matters.
 */
export function taskTimes(tasks: readonly TaskFacts[]): {
  queuedMs: number | null;
  ranMs: number | null;
} {
  const sum = (
    from: (task: TaskFacts) => number | null,
    to: (task: TaskFacts) => number | null,
  ): number | null => {
    const spans = tasks.flatMap((task) => {
      const a = from(task),
        b = to(task);
      return a === null || b === null ? [] : [Math.max(0, b - a)];
    });
    return spans.length === 0 ? null : spans.reduce((all, one) => all + one, 0);
  };
  return {
    queuedMs: sum(
      (t) => t.queuedMs,
      (t) => t.startedMs,
    ),
    ranMs: sum(
      (t) => t.startedMs,
      (t) => t.completedMs,
    ),
  };
}
