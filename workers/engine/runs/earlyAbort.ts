import {
  missedIn,
  type MissedRow,
  missedRow,
  periodLimits,
  rowWords,
  ruleWords,
} from '../../../src/core/limits/earlyAbort.ts';
import { type Limit, limitKey, type Projection } from '../../../src/core/limits/index.ts';
import type { EarlyAbortRule, EarlyAbortState } from '../../../src/core/plan/earlyAbortRule.ts';
import { steadyPlanned } from '../../../src/core/run/windows.ts';
import type { RunContext } from './context.ts';
import type { LiveRun } from './liveRun.ts';

/**
 * Shares of a period after which its limits are looked at; the last look is when it is over and its
 * last samples are in.
 */
const marks = [1 / 3, 2 / 3, 0.9];
const settleMs = 5_000;

/**
 * Ends a run that its plan's rule calls wasted: warns first, looks again when the warning is over,
 * and then ends it in order. How the periods before went is read from what is stored, so that
 * another engine counts on from there. Without a rule it does nothing.
 */
export function createEarlyAbort(context: RunContext): (nowMs: number) => void {
  const { run, emit } = context;
  const { profile, plan } = run.record();
  const rule = plan.earlyAbort;
  if (!rule) return () => undefined;
  const limits = periodLimits(profile, plan.tiles);
  const missAt = createMissFinder(context, rule);
  const looked = new Set<string>();
  const warnMs = rule.warnS * 1_000;
  const change = (earlyAbort: EarlyAbortState): void => run.change({}, { earlyAbort });

  const rowAt = (nowMs: number): MissedRow | null => {
    const { periods } = run.overview();
    const current = periods.findLastIndex((p) => p.startMs <= nowMs);
    return current < 0
      ? null
      : missedRow(rule, limits, current, missAt(nowMs), nowMs < periods[current]!.endMs);
  };
  /** Once for each mark of each period. */
  const due = (nowMs: number): boolean => {
    const { periods } = run.overview();
    const fresh = periods
      .flatMap((p) =>
        [...marks.map((share) => p.startMs + share * (p.endMs - p.startMs)), p.endMs + settleMs]
          .filter((at) => nowMs >= at)
          .map((at) => `${p.index}/${at}`),
      )
      .filter((key) => !looked.has(key));
    for (const key of fresh) looked.add(key);
    return fresh.length > 0;
  };
  const warn = (row: MissedRow, nowMs: number): void => {
    const steady = steadyPlanned(run.overview());
    // So near its end it costs more than it saves.
    if (steady && nowMs + warnMs >= steady.endMs) return;
    const text = rowWords(row);
    change({ state: 'warned', text, atMs: nowMs, dueMs: nowMs + warnMs });
    run.event(
      'fault',
      `This run ends in ${rule.warnS} s by its rule, unless it is let run. ${text}`,
      { entityId: row.entityId },
    );
    if (warnMs > 0)
      emit('notice', {
        level: 'warn',
        text: `${run.overview().name} ends in ${rule.warnS} s by its rule, unless it is let run. ${text}`,
      });
  };

  let first = true;
  return (nowMs) => {
    const asked = run.overview().earlyAbort;
    const begun = first;
    first = false;
    if (asked?.state === 'vetoed' || asked?.state === 'ended') return;
    if (asked?.state === 'warned') {
      // An engine that was away while the warning ran out told nobody: it runs again.
      if (begun && asked.dueMs <= nowMs) {
        change({ ...asked, dueMs: nowMs + warnMs });
        return;
      }
      if (nowMs < asked.dueMs) return;
      const row = rowAt(nowMs);
      if (row)
        end(run, `Ended early by its rule, ${ruleWords(rule)}. ${rowWords(row)}`, {
          ...asked,
          state: 'ended',
          text: rowWords(row),
        });
      else {
        change({ ...asked, state: 'withdrawn' });
        run.event(
          'recovered',
          `The early end is called off: by now the rule no longer holds. It was: ${asked.text}`,
        );
      }
      return;
    }
    if (!due(nowMs)) return;
    const row = rowAt(nowMs);
    if (!row) return;
    warn(row, nowMs);
  };
}

/** Finds by how much a limit of a period is missed, from what is stored; null = it is not. */
function createMissFinder(
  { run, db, seriesId }: RunContext,
  rule: EarlyAbortRule,
): (nowMs: number) => (limit: Limit, index: number) => Projection | null {
  /** Periods that are over do not change any more. */
  const over = new Map<string, Projection | null>();
  return (nowMs) => (limit, index) => {
    const period = run.overview().periods[index];
    if (!period) return null;
    const key = `${limitKey(limit)}/${index}`;
    const known = over.get(key);
    if (known !== undefined) return known;
    const id = seriesId(limit.entityId, limit.metric);
    const samples =
      id === undefined
        ? undefined
        : db.samples.read(run.id, [id], {
            fromMs: period.startMs,
            toMs: Math.min(nowMs, period.endMs),
            maxPoints: 0,
          })[0];
    const found = samples ? missedIn(rule.when, limit, samples, period, nowMs) : null;
    if (nowMs >= period.endMs + settleMs) over.set(key, found);
    return found;
  };
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
