import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { CheckFinding } from '../../../src/core/plan/plan.ts';
import { launchHash, type LaunchInputs } from '../plans/hash.ts';
import { demandStill } from '../testbeds/still.ts';
import { begin } from './begin.ts';
import { check } from './check.ts';
import type { ClockWatch } from './context.ts';
import { contextOf, demandFree, liveRun, type RunsInHand, sharesClients } from './inHand.ts';
import type { LiveRun } from './liveRun.ts';
import { newRecord, nextName } from './newRecord.ts';
import { drive } from './runner.ts';

/** What stands between a plan and its launch. */
export interface LaunchTerms {
  inputs: (planId: string) => LaunchInputs;
  /**
   * Refuses what was not checked or is no longer as it was checked; gives the findings that were
   * waived.
   */
  gate: (
    planId: string,
    inputs: LaunchInputs,
    checkedHash: string,
    signal: AbortSignal,
  ) => Promise<CheckFinding[]>;
}

/**
 * Begins a run of a plan as it was checked; gives its id. Throws conflict where the plan was edited
 * since, its testbed or clients are in use, or its machines are being made or prepared.
 */
export async function startRun(
  runs: RunsInHand,
  { inputs, gate }: LaunchTerms,
  { planId, checkedHash, name }: { planId: string; checkedHash: string; name?: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const { deps, db, tidying } = runs;
  const asChecked = (): LaunchInputs => {
    const input = inputs(planId);
    if (launchHash(input) !== checkedHash)
      throw fail(
        'conflict',
        'The plan, its testbed or a connection was edited after the check.',
        'Check the plan again.',
      );
    return input;
  };
  const waived = await gate(planId, asChecked(), checkedHash, signal);
  // Reading the inventory took its time: an edit or another launch may have come in between.
  const input = asChecked();
  demandFree(runs, input, 'Wait for its end, or abort it.');
  demandStill(db, input.testbed);
  const record = newRecord(
    { deps, db },
    input,
    checkedHash,
    name ?? nextName(db, input.plan),
    waived,
  );
  const tidied = [...tidying.values()].find((one) => sharesClients(one.record, input));
  if (tidied)
    throw fail(
      'conflict',
      `What ${tidied.record.overview.name} left behind is being put back on the same testbed or clients.`,
      'Wait for its end.',
    );
  const run = liveRun(runs, record);
  db.runs.save(record);
  begin(runs, run, (clockWatch) => launch(runs, run, clockWatch));
  return run.id;
}

async function launch(runs: RunsInHand, run: LiveRun, clockWatch: ClockWatch): Promise<void> {
  try {
    await check(runs, run);
  } catch (error) {
    if (runs.closing.signal.aborted) return;
    endBeforeLoad(run, error);
    return;
  }
  await drive(contextOf(runs, run, clockWatch));
}

function endBeforeLoad(run: LiveRun, error: unknown): void {
  const failure = toAppError(error);
  run.finding({
    id: 'launch',
    severity: 'block',
    text: failure.message,
    ...(failure.hint ? { fix: failure.hint } : {}),
  });
  const aborted = run.stop.aborted;
  run.change(
    {},
    {
      verdict: {
        outcome: aborted ? 'aborted' : 'failed',
        compliant: false,
        sentence: aborted
          ? 'Aborted before the load started.'
          : `Failed before the load started: ${failure.message}`,
      },
    },
  );
  run.moveTo(aborted ? 'aborted' : 'failed');
}
