import { fail } from '../../../src/core/base/errors.ts';
import { buildComparison } from '../../../src/core/compare/compare.ts';
import { distributionsOf } from '../../../src/core/compare/compareDistributions.ts';
import { rowSpecs } from '../../../src/core/compare/compareRows.ts';
import { planKey, rowNoise, sidesOf } from '../../../src/core/compare/compareTests.ts';
import { type ComparedRun } from '../../../src/core/compare/compareTypes.ts';
import { compareGuards } from '../../../src/core/compare/compareVerdict.ts';
import type { Comparison, Distributions } from '../../../src/core/compare/comparison.ts';
import { isEnd, type RunRecord, type RunSummary } from '../../../src/core/run/run.ts';
import { steadyWindow } from '../../../src/core/run/windows.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import { unreadableError } from '../db/unreadable.ts';
import { digestRun } from './digest.ts';

/** Digests of ended runs that are kept: they never change again. */
const kept = 32;
/** Repeats of one plan from which noise is learnt, the newest: more add little and cost reading. */
const repeatsAtMost = 8;
/** Records that are opened in search of repeats. */
const searchedAtMost = 40;
/** How long the engine works without looking up. */
const sliceMs = 12;

export interface CompareService {
  compare(baselineId: string, ids: readonly string[], signal: AbortSignal): Promise<Comparison>;
  distributions(
    baselineId: string,
    ids: readonly string[],
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<Distributions>;
  /** What comparisons are made of, in this order. Throws notFound. */ digests(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ComparedRun[]>;
}

/** Compares stored runs, from exact aggregates of their samples. */
export function createCompareService(db: Database): CompareService {
  const digests = new Map<string, ComparedRun>();
  const breather = createBreather();

  async function digest(
    summary: RunSummary,
    record: RunRecord,
    signal: AbortSignal,
  ): Promise<ComparedRun> {
    const key = `${summary.id} ${record.overview.rev}`;
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
      await breather(signal);
    }
  }

  const issueOf = (id: string): string =>
    db.unreadable.list().find((one) => one.kind === 'run' && one.id === id)?.issue ?? '';

  async function compared(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<{ runs: ComparedRun[]; summaries: RunSummary[]; unreadable: string[] }> {
    const summaries = db.runs.list();
    const byId = new Map(summaries.map((summary) => [summary.id, summary]));
    const runs: ComparedRun[] = [];
    const unreadable: string[] = [];
    for (const [i, id] of ids.entries()) {
      // A run in Deleted is on no list, and can be compared until it is purged.
      const summary = byId.get(id) ?? db.runs.summary(id);
      // Without the first there is nothing to compare with; without another one the rest still is.
      const record = i === 0 ? db.runs.get(id) : db.runs.find(id);
      if (record !== null && summary) runs.push(await digest(summary, record, signal));
      else if (db.runs.raw(id) !== null) unreadable.push(id);
      else throw fail('notFound', `Run ${id} does not exist.`, 'Choose another run.');
    }
    if (unreadable.length > 0 && runs.length < 2)
      throw unreadableError({ kind: 'run', id: unreadable[0]! }, issueOf(unreadable[0]!));
    return { runs, summaries, unreadable };
  }

  /**
   * Other passed, compliant runs of the same plans: what their scatter is, is the noise of the
   * plan.
   */
  async function repeatsOf(
    runs: readonly ComparedRun[],
    summaries: readonly RunSummary[],
    signal: AbortSignal,
  ): Promise<ComparedRun[]> {
    const taken = new Set(runs.map((r) => r.summary.id));
    const found: ComparedRun[] = [];
    for (const [key, like] of new Map(runs.map((r) => [planKey(r), r]))) {
      const { study } = like.record.plan;
      const alike = summaries.filter(
        (s) =>
          !taken.has(s.id) &&
          s.state === 'passed' &&
          s.compliant === true &&
          s.origin === like.summary.origin &&
          s.profileId === like.summary.profileId &&
          s.tiles === like.summary.tiles &&
          (study === null
            ? s.study === null && s.testbedName === like.summary.testbedName
            : s.study !== null &&
              planKey({
                record: { ...like.record, plan: { ...like.record.plan, study: s.study } },
              }) === key),
      );
      let count = 0;
      for (const summary of alike.slice(0, searchedAtMost)) {
        if (count === repeatsAtMost) break;
        const record = db.runs.find(summary.id);
        if (record === null || (study === null && record.planHash !== like.record.planHash))
          continue;
        found.push(await digest(summary, record, signal));
        count += 1;
      }
    }
    return found;
  }

  const chosen = (baselineId: string, ids: readonly string[]): string[] => [
    baselineId,
    ...new Set(ids.filter((id) => id !== baselineId)),
  ];
  return {
    digests: async (ids, signal) => (await compared(ids, signal)).runs,
    async compare(baselineId, ids, signal) {
      const { runs, summaries, unreadable } = await compared(chosen(baselineId, ids), signal);
      const repeats = await repeatsOf(runs, summaries, signal);
      // The costly part, one row at a time; what follows finds it done.
      for (const run of resampledRuns(runs))
        for (const key of run.slots?.keys() ?? []) {
          rowNoise(run, key);
          await breather(signal);
        }
      const comparison = buildComparison(baselineId, runs, repeats);
      return unreadable.length === 0
        ? comparison
        : { ...comparison, unreadable: unreadable.map((id) => ({ id, issue: issueOf(id) })) };
    },
    async distributions(baselineId, ids, key, signal) {
      const { runs } = await compared(chosen(baselineId, ids), signal);
      const specs = rowSpecs(runs).filter((spec) =>
        runs.some((run) => {
          const parts = spec.parts(run);
          return parts !== null && parts.fold !== 'score' && spec.value(run) !== null;
        }),
      );
      const spec = key === undefined ? specs[0] : specs.find((s) => s.key === key);
      if (!spec)
        throw fail(
          'notFound',
          key === undefined
            ? 'None of these runs has samples of its steady state.'
            : `None of these runs has samples of ${key} in its steady state.`,
          'Choose other runs.',
        );
      const read = [];
      for (const run of runs) {
        const { overview } = run.record;
        const steady = steadyWindow(overview);
        const defs = spec.parts(run)?.defs ?? [];
        read.push({
          run,
          data:
            steady === null
              ? []
              : db.samples.read(
                  overview.id,
                  defs.map((d) => d.id),
                  { fromMs: steady.startMs, toMs: steady.endMs - 1, maxPoints: 0 },
                ),
        });
        await breather(signal);
      }
      return distributionsOf(spec, specs, read);
    },
  };
}

/**
 * Runs whose own noise a comparison may ask for: where runs must not be compared, or a side has
 * repeats, it is never looked at.
 */
function resampledRuns(runs: readonly ComparedRun[]): readonly ComparedRun[] {
  if (compareGuards(runs).length > 0) return [];
  const single = sidesOf(runs)
    .filter((side) => side.runs.length === 1)
    .flatMap((side) => side.runs);
  return single.length > 1 && single[0] === runs[0] ? single : [];
}

/** Gives way to other work once a slice is used up; throws `aborted` when nobody waits any more. */
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

export const compareMethods = (
  service: CompareService,
): Pick<Handlers, 'run.compare' | 'run.distributions'> => ({
  'run.compare': ({ baselineId, ids }, signal) => service.compare(baselineId, ids, signal),
  'run.distributions': ({ baselineId, ids, key }, signal) =>
    service.distributions(baselineId, ids, key, signal),
});
