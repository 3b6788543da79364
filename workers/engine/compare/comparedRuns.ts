import { fail } from '../../../src/core/base/errors.ts';
import { type ComparedRun, type Comparison, planKey } from '../../../src/core/compare/index.ts';
import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { Database } from '../db/types.ts';
import { unreadableError } from '../db/unreadable.ts';
import { digestRun } from './digest.ts';
import { scoreAlike } from './scoreAlike.ts';

/** Digests of ended runs that are kept: they never change again. */
const kept = 32;
/** Repeats of one plan from which noise is learnt, the newest: more add little and cost reading. */
const repeatsAtMost = 8;
/** Records that are opened in search of repeats. */
const searchedAtMost = 40;
/** How long the engine works without looking up. */
const sliceMs = 12;

/** What comparisons are made of, read run by run. */
export interface ComparedRuns {
  /**
   * In this order; scored against `referenceId`, or against the one of them that scores the others.
   * Throws notFound, internal where fewer than two can be read.
   */
  read(
    ids: readonly string[],
    signal: AbortSignal,
    referenceId?: string,
  ): Promise<{
    runs: ComparedRun[];
    summaries: RunSummary[];
    unreadable: string[];
    scoredAgainst: Comparison['scoredAgainst'];
  }>;
  /**
   * Other passed, compliant runs of the same plans: what their scatter is, is the noise of the
   * plan.
   */
  repeatsOf(
    runs: readonly ComparedRun[],
    summaries: readonly RunSummary[],
    signal: AbortSignal,
    referenceId?: string,
  ): Promise<ComparedRun[]>;
  /** Why a run cannot be read; '' = it can. */
  issueOf(id: string): string;
  /** Gives way to other work once a slice is used up; throws aborted when nobody waits any more. */
  breathe(signal: AbortSignal): Promise<void>;
}

export function createComparedRuns(db: Database): ComparedRuns {
  const digests = new Map<string, ComparedRun>();
  const breathe = createBreather();

  async function digest(
    summary: RunSummary,
    record: RunRecord,
    signal: AbortSignal,
  ): Promise<ComparedRun> {
    const key = `${summary.id} ${record.overview.rev} ${record.plan.referenceRunId}`;
    const known = digests.get(key);
    if (known) {
      digests.delete(key);
      digests.set(key, known);
      return { ...known, record, summary };
    }
    const steps = digestRun(record, summary, db.samples);
    for (;;) {
      const step = steps.next();
      if (step.done) {
        if (isEnd(record.overview.state)) digests.set(key, step.value);
        if (digests.size > kept) digests.delete(digests.keys().next().value!);
        return step.value;
      }
      await breathe(signal);
    }
  }

  const issueOf = (id: string): string =>
    db.unreadable.list().find((one) => one.kind === 'run' && one.id === id)?.issue ?? '';

  return {
    issueOf,
    breathe,
    async read(ids, signal, referenceId) {
      const summaries = db.runs.list();
      const byId = new Map(summaries.map((summary) => [summary.id, summary]));
      const read: { record: RunRecord; summary: RunSummary }[] = [];
      const unreadable: string[] = [];
      for (const [i, id] of ids.entries()) {
        // A run in Deleted is on no list, and can be compared until it is purged.
        const summary = byId.get(id) ?? db.runs.summary(id);
        // Without the first there is nothing to compare with; without another one the rest still
        // is.
        const record = i === 0 ? db.runs.get(id) : db.runs.find(id);
        if (record !== null && summary) read.push({ record, summary });
        else if (db.runs.raw(id) !== null) unreadable.push(id);
        else throw fail('notFound', `Run ${id} does not exist.`, 'Choose another run.');
      }
      if (unreadable.length > 0 && read.length < 2)
        throw unreadableError({ kind: 'run', id: unreadable[0]! }, issueOf(unreadable[0]!));
      const { scored, scoredAgainst } = scoreAlike(db, read, referenceId);
      const runs: ComparedRun[] = [];
      for (const { summary, record } of scored) runs.push(await digest(summary, record, signal));
      return { runs, summaries, unreadable, scoredAgainst };
    },
    async repeatsOf(runs, summaries, signal, referenceId) {
      const taken = new Set(runs.map((r) => r.summary.id));
      const found: ComparedRun[] = [];
      for (const [key, like] of new Map(runs.map((r) => [planKey(r), r]))) {
        const { study } = like.record.plan;
        const alike = summaries.filter((s) => !taken.has(s.id) && isRepeat(s, like, key));
        let count = 0;
        for (const summary of alike.slice(0, searchedAtMost)) {
          if (count === repeatsAtMost) break;
          const record = db.runs.find(summary.id);
          if (record === null || (study === null && record.planHash !== like.record.planHash))
            continue;
          const { scored } = scoreAlike(db, [{ record, summary }], referenceId);
          found.push(await digest(summary, scored[0]!.record, signal));
          count += 1;
        }
      }
      return found;
    },
  };
}

/** A passed, compliant run that may be of the same plan as `like`, by what its summary says. */
function isRepeat(summary: RunSummary, like: ComparedRun, key: string): boolean {
  const { study } = like.record.plan;
  return (
    summary.state === 'passed' &&
    summary.compliant === true &&
    summary.origin === like.summary.origin &&
    summary.profileId === like.summary.profileId &&
    summary.tiles === like.summary.tiles &&
    (study === null
      ? summary.study === null && summary.testbedName === like.summary.testbedName
      : summary.study !== null &&
        planKey({
          record: { ...like.record, plan: { ...like.record.plan, study: summary.study } },
        }) === key)
  );
}

function createBreather(): (signal: AbortSignal) => Promise<void> {
  let sliceEnd = 0;
  return async (signal) => {
    if (performance.now() >= sliceEnd)
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    if (signal.aborted) throw fail('aborted', 'The comparison was given up.');
    if (performance.now() < sliceEnd) return;
    sliceEnd = performance.now() + sliceMs;
  };
}
