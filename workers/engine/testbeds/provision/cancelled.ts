import { AppError } from '../../../../src/core/base/errors.ts';
import type { Clock } from '../../deps.ts';
import { deleteMade } from './cleanUp.ts';
import { errorOf, type LiveJob } from './liveJob.ts';
import { findOwn, type MakeScope } from './makeVm.ts';

/**
 * How long a cancelled clone is waited for. vCenter takes the files of a cancelled clone away
 * itself.
 */
const settleLimitMs = 60_000;

/**
 * What became of an item that was cancelled: its clone's task is asked for its end, and a clone
 * that was quicker than the cancel is removed again. The item's note says which it was.
 */
export async function settleCancelled(
  scope: Omit<MakeScope, 'signal'> & { clock: Clock },
  key: string,
): Promise<void> {
  const { session, job } = scope;
  const { step, taskRef } = job.item(key);
  const end = (note: string | null): void => {
    job.changeItem(key, { step: 'cancelled', note, error: null, endedAtMs: scope.clock.now() });
  };
  if (step !== 'cloning' || taskRef === null) {
    end(
      job.item(key).vmRef === null
        ? null
        : 'Made, and cancelled before it was powered on and checked.',
    );
    return;
  }
  try {
    const outcome = await endOf(scope, taskRef);
    if (outcome === 'running') {
      end('vCenter still works on this clone: clean up when it has ended.');
      return;
    }
    const own = await findOwn({ session, job }, key);
    if (own === null) {
      end('vCenter cancelled the clone.');
      return;
    }
    const { name } = job.item(key);
    scope.record.made({ ref: own, name });
    await deleteMade(scope, own);
    end('The clone was finished before it could be cancelled, and is removed.');
  } catch (error) {
    end(`What became of the clone is not known: ${errorOf(error).message}`);
  }
}

async function endOf(
  { session, clock }: { session: MakeScope['session']; clock: Clock; job: LiveJob },
  taskRef: string,
): Promise<'ended' | 'running'> {
  const limit = new AbortController();
  const ended = session.followTask(taskRef, limit.signal).then(
    () => 'ended' as const,
    (error: unknown) => {
      // Its failure is the cancel itself; a task that vCenter has forgotten has ended too.
      if (
        error instanceof AppError &&
        (error.kind === 'unreachable' || error.kind === 'authFailed')
      )
        throw error;
      return 'ended' as const;
    },
  );
  const late = clock.sleep(settleLimitMs, limit.signal).then(
    () => 'running' as const,
    () => 'ended' as const,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    limit.abort();
  }
}
