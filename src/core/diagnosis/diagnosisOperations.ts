import { mean } from '../stats/summary.ts';
import { align, type Case, coverage, evidence } from './diagnosisEvidence.ts';
import { type RunFeatures, steadyBuckets } from './diagnosisFeatures.ts';
import { type Candidate, type Rule, shareWeight } from './diagnosisRule.ts';
import { level, thresholds } from './diagnosisThresholds.ts';

/** Share of the steady state with an operation under way, step by step. */
function activity(run: RunFeatures): { buckets: number[]; share: number; perHour: number } {
  const { first, end } = steadyBuckets(run);
  const count = Math.max(end, Math.ceil((run.steady.toMs - run.startMs) / run.bucketMs));
  const buckets = Array.from({ length: count }, (_, i) => {
    const fromMs = run.startMs + i * run.bucketMs,
      toMs = fromMs + run.bucketMs;
    return Math.min(
      1,
      run.operations.reduce(
        (sum, one) => sum + Math.max(0, Math.min(toMs, one.toMs) - Math.max(fromMs, one.fromMs)),
        0,
      ) / run.bucketMs,
    );
  });
  const steady = buckets.slice(Math.max(0, first), end);
  const inside = run.operations.filter(
    (one) => one.toMs > run.steady.fromMs && one.fromMs < run.steady.toMs,
  ).length;
  return {
    buckets,
    share: steady.length === 0 ? 0 : mean(steady),
    perHour: (inside / Math.max(1, run.steady.toMs - run.steady.fromMs)) * 3_600_000,
  };
}

/**
 * Operations are in the way where workloads are slower while they run, or where only the failing
 * run had them for no more load.
 */
function findOperations(of: Case): Candidate[] {
  if (of.after.operations.length === 0) return [];
  const now = activity(of.after),
    was = of.before === null ? null : activity(of.before),
    { first, end } = steadyBuckets(of.after);
  const ratios = of.failing.flatMap((one) => {
    const during: number[] = [],
      without: number[] = [];
    for (let i = Math.max(0, first); i < end; i += 1) {
      const value = one.overLimit[i],
        active = now.buckets[i] ?? 0;
      if (value == null) continue;
      if (active > 0.6) during.push(value);
      else if (active < 0.15) without.push(value);
    }
    return during.length >= 2 && without.length >= 2 && mean(without) > 0
      ? [mean(during) / mean(without)]
      : [];
  });
  const ratio = ratios.length === 0 ? null : mean(ratios);
  const sameLoad =
    of.before !== null &&
    of.before.runId !== of.after.runId &&
    of.before.workloads.length >= of.after.workloads.length;
  const more = was === null ? 0 : Math.min(1, Math.max(0, now.share - was.share) / 0.25);
  const seen = ratio === null ? 0 : level(ratio, thresholds.operations);
  const strength = Math.max(seen, more * (sameLoad ? 0.95 : ratio === null ? 0.55 : 0.35));
  if (strength < 0.05) return [];
  const on = coverage(of, () => true),
    alignment = align(
      of,
      now.buckets.map((value) => value / 0.5),
      of.failing[0],
    );
  const kinds = [...new Set(of.after.operations.map((one) => one.name))].slice(0, 4);
  const id = 'operations',
    name = 'All operations';
  const inFirst = was === null ? '' : `, ${(was.share * 100).toFixed(0)} % in the first run`;
  const slowed =
    ratio === null
      ? ''
      : `; failing workloads were ${ratio.toFixed(2)} × as slow meanwhile as otherwise`;
  return [
    {
      cause: 'operations',
      subjects: kinds,
      refs: [],
      alignment,
      on,
      score: strength * shareWeight(on.share),
      evidence: [
        evidence(of, {
          metric: null,
          label: 'Limit used up while operations run, over while none does',
          id,
          name,
          unit: '×',
          before: null,
          after: ratio,
          threshold: thresholds.operations,
        }),
        evidence(of, {
          metric: null,
          label: 'Part of the steady state with an operation under way',
          id,
          name,
          unit: '%',
          before: was === null ? null : was.share * 100,
          after: now.share * 100,
        }),
        evidence(of, {
          metric: 'throughput',
          label: 'Operations',
          id,
          name,
          unit: 'operations/h',
          before: was?.perHour,
          after: now.perHour,
        }),
      ],
      explanation:
        `${kinds.join(', ')} ${kinds.length === 1 ? 'was' : 'were'} under way ` +
        `${(now.share * 100).toFixed(0)} % of the steady state${inFirst}${slowed}.`,
      remedy: 'Run fewer loops of operations, or move them to hosts and a LUN of their own.',
    },
  ];
}

export const operations: Rule = {
  find: findOperations,
  needs: ['operations'],
  cleared: (run) =>
    run.operations.length === 0
      ? 'None ran in the steady state.'
      : 'Workloads are no slower while they run.',
};
