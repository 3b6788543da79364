import { type MissedRow, rowWords, ruleWords } from '../../../src/core/limits/earlyAbort.ts';
import type { EarlyAbortState } from '../../../src/core/plan/earlyAbortRule.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { LiveRun } from './liveRun.ts';

/**
 * What the rule of a plan does to its run when it stands otherwise: announces its end, calls it
 * off, stops it in order.
 */
export function applyStanding(
  run: LiveRun,
  emit: Emit,
  standing: EarlyAbortState,
  row: MissedRow | null,
): void {
  const rule = run.record().plan.earlyAbort;
  if (!rule) return;
  if (standing.state === 'ended' && row) {
    end(run, `Ended early by its rule, ${ruleWords(rule)}. ${rowWords(row)}`, standing);
    return;
  }
  run.change({}, { earlyAbort: standing });
  if (standing.state === 'withdrawn')
    run.event(
      'recovered',
      `The early end is called off: by now the rule no longer holds. It was: ${standing.text}`,
    );
  if (standing.state !== 'warned' || !row) return;
  const text = `ends in ${rule.warnS} s by its rule, unless it is let run. ${standing.text}`;
  run.event('fault', `This run ${text}`, { entityId: row.entityId });
  if (rule.warnS > 0) emit('notice', { level: 'warn', text: `${run.overview().name} ${text}` });
}

function end(run: LiveRun, text: string, state: EarlyAbortState): void {
  run.finding({
    id: 'earlyAbort',
    severity: 'block',
    text: `${text}. What was measured until then is kept; there is no total.`,
    fix: 'See Why for what limits it; run the plan without the rule for a whole result.',
  });
  run.change({}, { earlyAbort: state });
  run.abort('qos', text, false);
}

/** Lets a run go on that is about to be ended by its rule. false = no end is announced. */
export function letRun(run: LiveRun, nowMs: number): boolean {
  const asked = run.overview().earlyAbort;
  if (asked?.state !== 'warned') return false;
  run.change({}, { earlyAbort: { ...asked, state: 'vetoed', atMs: nowMs } });
  run.event('note', 'Let run: the rule does not end this run any more');
  run.finding({
    id: 'earlyAbort',
    severity: 'info',
    text: `The rule of the plan would have ended this run early; it was let run. ${asked.text}.`,
  });
  return true;
}
