import { setImmediate } from 'node:timers/promises';

import { toAppError } from '../../../src/core/base/errors.ts';
import { packSeries } from '../../../src/core/metric/metric.ts';
import { overviewStateWord } from '../../../src/core/run/runWords.ts';
import type { RunState } from '../../../src/core/run/states.ts';
import { begin } from './begin.ts';
import { realignClock } from './clockWatch.ts';
import type { ClockWatch, RunContext } from './context.ts';
import { contextOf, liveRun, type RunsInHand } from './inHand.ts';
import type { LiveRun } from './liveRun.ts';
import { restartId } from './outages.ts';
import { hasArranged, putBack } from './putBack.ts';
import { drive } from './runner.ts';

/** Picks up what an earlier engine left: reads on where load runs, and cleans up where none does. */
export function recoverRuns(runs: RunsInHand): void {
  for (const record of runs.db.runs.unfinished()) {
    const run = liveRun(runs, record);
    if (isBeforeLoad(record.overview.state)) {
      tellLost(run);
      if (hasArranged(run.record())) begin(runs, run, () => abandon(runs, run));
      else run.moveTo('aborted');
      continue;
    }
    run.event(
      'recovered',
      'The engine was restarted; reading on from the last journalled byte of every job',
    );
    tellRestart(runs, run);
    begin(runs, run, (clockWatch) => resume(runs, run, clockWatch));
  }
}

/** No load has a start time yet: there is nothing to read on, only to clean up. */
const isBeforeLoad = (state: RunState): boolean =>
  state === 'draft' || state === 'checking' || state === 'ready' || state === 'starting';

/** The engine was away from the last sample it stored until now. */
function tellRestart({ db, deps }: RunsInHand, run: LiveRun): void {
  const nowMs = deps.clock.now();
  const heard = db.samples
    .journal(run.id)
    .map(({ lastTMs }) => lastTMs)
    .filter(Number.isFinite);
  const before = run.overview().findings.find((one) => one.id === restartId)?.spans ?? [];
  const fromMs = Math.min(nowMs, Math.max(run.overview().startedAtMs ?? nowMs, ...heard));
  run.finding({
    id: restartId,
    severity: 'info',
    text:
      'The engine was restarted during the run' +
      `${before.length > 0 ? ` ${before.length + 1} times` : ''}. Load went on; its output was ` +
      'read again from the last journalled byte.',
    spans: [...before, { fromMs, untilMs: nowMs }],
  });
}

function tellLost(run: LiveRun): void {
  run.finding({
    id: 'engineLost',
    severity: 'block',
    text: `The engine ended while the run was in state ${overviewStateWord(run.overview())}; no load had started.`,
    fix: 'Launch the plan again.',
  });
  run.change(
    {},
    {
      abortReason: 'engineLost',
      verdict: {
        outcome: 'aborted',
        compliant: false,
        sentence: 'The engine ended before the load started.',
      },
    },
  );
}

/** A run whose engine ended before its load began: what it changed in vCenter goes back first. */
async function abandon(runs: RunsInHand, run: LiveRun): Promise<void> {
  const context = contextOf(runs, run);
  try {
    await putBack(context);
  } finally {
    await context.pipeline.close();
    context.release();
  }
  // An engine that goes away meanwhile leaves it to the next.
  if (!runs.closing.signal.aborted) run.moveTo('aborted');
}

async function resume(runs: RunsInHand, run: LiveRun, clockWatch: ClockWatch): Promise<void> {
  const context = contextOf(runs, run, clockWatch);
  await realignClock(context);
  await giveStored(context);
  await drive(context);
}

const judged: ReadonlySet<RunState> = new Set(['rampUp', 'steady']);

/**
 * Gives the verdict what an earlier engine stored, once and before anything new comes, a series at
 * a time: other runs go on meanwhile. What cannot be read ends no run.
 */
async function giveStored({ run, db, verdict }: RunContext): Promise<void> {
  const [first] = run.overview().periods;
  if (!first || !judged.has(run.state())) return;
  try {
    for (const seriesId of verdict.wanted) {
      const [data] = db.samples.read(run.id, [seriesId], { fromMs: first.startMs, maxPoints: 0 });
      if (data) verdict.accept(packSeries(data));
      await setImmediate();
    }
  } catch (thrown) {
    run.finding({
      id: 'verdict.stored',
      severity: 'warn',
      text:
        'What was measured before the restart could not be read whole: ' +
        `${toAppError(thrown).message} Until the end, limits are judged without it.`,
    });
  }
}
