import { fail } from '../../../src/core/base/errors.ts';
import type { TaskWatch } from '../deps/vcenter.ts';
import type { Core } from './core.ts';
import { readObject } from './properties.ts';
import { localizedFault, type MoRef, refOf } from './soap.ts';
import { taskFacts } from './taskFacts.ts';
import { child, numberOf, textOf, type XmlNode } from './xml.ts';

const firstPollMs = 100;
const slowestPollMs = 1_000;
/** No task of a benchmark is worth waiting for longer. */
const taskLimitMs = 4 * 3_600_000;

/**
 * Starts a `…_Task` method and waits for its end; gives the `result` element, if there is one.
 * Throws the task's fault. When the signal fires, the task is cancelled in vCenter and `aborted` is
 * thrown.
 */
export async function runTask(
  core: Core,
  method: string,
  target: MoRef,
  args: string,
  signal?: AbortSignal,
  watch?: TaskWatch,
): Promise<XmlNode | null> {
  const response = await core.withLogin(
    () => core.call(method, target, args, { signal, repeatable: false }),
    signal,
  );
  const task = refOf(child(response, 'returnval'));
  if (!task) throw fail('internal', `${method} on vCenter ${core.connection.name} gave no task.`);
  const what = `${method.replace(/_Task$/, '')} of ${target.id} on vCenter ${core.connection.name}`;
  watch?.onTask?.(task.id);
  try {
    return await waitFor(core, task, what, signal, watch);
  } catch (error) {
    if (!signal?.aborted) throw error;
    await cancel(core, task, what);
    throw fail('aborted', `${what} was cancelled.`);
  }
}

/**
 * Waits for a task that somebody else started, an earlier engine too. The signal ends the wait, not
 * the task. Throws notFound where vCenter has forgotten it.
 */
export function followTask(
  core: Core,
  taskRef: string,
  signal?: AbortSignal,
  watch?: TaskWatch,
): Promise<XmlNode | null> {
  return waitFor(
    core,
    { type: 'Task', id: taskRef },
    `Task ${taskRef} on vCenter ${core.connection.name}`,
    signal,
    watch,
  );
}

/**
 * Asks vCenter to end a task. Best effort: a task that cannot be cancelled any more runs to its
 * end.
 */
export const cancelTask = (core: Core, taskRef: string): Promise<void> =>
  cancel(core, { type: 'Task', id: taskRef }, `task ${taskRef}`);

async function waitFor(
  core: Core,
  task: MoRef,
  what: string,
  signal?: AbortSignal,
  watch?: TaskWatch,
): Promise<XmlNode | null> {
  const deadlineMs = core.clock.now() + taskLimitMs;
  let progress: number | null = null;
  let told = '';
  const tellFacts = (info: XmlNode | undefined): void => {
    const facts = watch?.onFacts ? taskFacts(info) : null;
    const now = `${facts?.state} ${facts?.progressPct}`;
    if (!facts || now === told) return;
    told = now;
    watch?.onFacts?.(facts);
  };
  for (let pauseMs = firstPollMs; ; pauseMs = Math.min(pauseMs * 2, slowestPollMs)) {
    const { props } = await core.withLogin(() => readObject(core, task, ['info'], signal), signal);
    const info = props.get('info');
    const state = textOf(child(info, 'state'));
    tellFacts(info);
    if (state === 'success') return child(info, 'result');
    if (state === 'error') {
      const error = child(info, 'error');
      throw error
        ? localizedFault(what, error)
        : fail('internal', `${what} failed; vCenter gives no reason.`);
    }
    const done = numberOf(child(info, 'progress'));
    if (done !== null && done !== progress) {
      progress = done;
      watch?.onProgress?.(done);
      core.log.debug('vCenter task', { what, task: task.id, progress });
    }
    if (core.clock.now() > deadlineMs)
      throw fail(
        'timedOut',
        `${what} has not ended within ${taskLimitMs / 3_600_000} hours.`,
        'Look at the task in vCenter.',
      );
    await core.clock.sleep(pauseMs, signal);
  }
}

/** Best effort: a task that cannot be cancelled any more runs to its end. */
async function cancel(core: Core, task: MoRef, what: string): Promise<void> {
  try {
    await core.withLogin(() => core.call('CancelTask', task, '', { limitMs: 5_000 }));
  } catch (error) {
    core.log.warn('A vCenter task was not cancelled', {
      what,
      task: task.id,
      error: String(error),
    });
  }
}
