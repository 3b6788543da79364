import { toAppError } from '../../../src/core/base/errors.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { pause } from '../clock/jumps.ts';
import { watchClock } from './clockWatch.ts';
import type { ClockWatch } from './context.ts';
import type { RunsInHand } from './inHand.ts';
import type { LiveRun } from './liveRun.ts';
import { owesOutput, readLater, storeAgainMs } from './tidy.ts';

/**
 * Makes a run active until `work` is done with it. A run ends in some state whatever goes wrong, and
 * is kept until it is stored.
 */
export function begin(
  runs: RunsInHand,
  run: LiveRun,
  work: (clockWatch: ClockWatch) => Promise<void>,
): void {
  const { deps, emit, active, unstored } = runs;
  const clockWatch = watchClock(deps.clock, run);
  const done = work(clockWatch)
    .catch((error: unknown) => {
      deps.log.error('A run ended with an unexpected error', {
        run: run.id,
        error: toAppError(error).message,
      });
      if (!isEnd(run.state())) run.moveTo('failed');
    })
    .finally(() => {
      clockWatch.release();
      active.delete(run.id);
      if (!run.store()) {
        unstored.set(run.id, run);
        void storeLater(runs, run);
      }
      if (owesOutput(run.overview())) void readLater(runs, run.id);
      emit('list.changed', { list: 'runs' });
    });
  active.set(run.id, { run, done });
  emit('list.changed', { list: 'runs' });
}

async function storeLater(
  { deps, emit, unstored, closing }: RunsInHand,
  run: LiveRun,
): Promise<void> {
  while (!closing.signal.aborted && !run.store())
    await pause(deps.clock, storeAgainMs, closing.signal);
  unstored.delete(run.id);
  emit('list.changed', { list: 'runs' });
}
