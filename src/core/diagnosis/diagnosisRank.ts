import { counted, inSentence } from '../base/counted.ts';
import { byNaturalOrder } from '../base/naturalOrder.ts';
import { type Cause, causes, causeWords, type Diagnosis, type Hypothesis } from './diagnosis.ts';
import type { Case } from './diagnosisEvidence.ts';
import { type AskedMore, failingWorkloads } from './diagnosisFailing.ts';
import type { RunFeatures } from './diagnosisFeatures.ts';
import { type Measured, measured } from './diagnosisMeasured.ts';
import type { Candidate } from './diagnosisRule.ts';
import { rules } from './diagnosisRules.ts';
import { thresholds } from './diagnosisThresholds.ts';
import { diagnoseActs } from './diagnosisWindows.ts';

/** Below this a candidate is no hypothesis. */
const least = 0.3;
const confidenceOf = (score: number): Hypothesis['confidence'] =>
  score >= 0.75 ? 'strong' : score >= 0.5 ? 'likely' : 'possible';

const confidenceWords: Readonly<Record<Hypothesis['confidence'], string>> = {
  strong: 'Most likely',
  likely: 'Likely',
  possible: 'Possibly',
};

/**
 * Why the second run fell short of the first: candidates of all rules, weighed against each other,
 * best first. Pure and deterministic.
 * `before` null: one run alone, judged by its own limits. `about`: the workload the question is
 * about, where it is about one.
 */
export function diagnose(
  before: RunFeatures | null,
  after: RunFeatures,
  about: string | null = null,
  more: AskedMore | null = null,
): Diagnosis {
  const failing = failingWorkloads(before, after, about, more);
  const of: Case = { before, after, failing, more };
  const all = causes.flatMap((cause) => rules[cause].find(of));
  const weighed = weigh(all).sort((a, b) => b.score - a.score || byNaturalOrder(a.cause, b.cause));
  const hypotheses = failing.length === 0 ? [] : weighed.filter((one) => one.score >= least);
  const notMeasured = gapsOf(of);
  const unknown = new Set(notMeasured.flatMap((one) => one.causes));
  const cleared = causes.filter(
    (cause) =>
      !unknown.has(cause) &&
      rules[cause].concerns?.(after) !== false &&
      !hypotheses.some((one) => one.cause === cause) &&
      rules[cause].isFull?.(after) !== true,
  );
  const isShared = more === null && isFullBothTimes(hypotheses[0]);
  const healthy =
    !isShared &&
    hypotheses[0]?.cause === 'cpuSaturated' &&
    hypotheses[0].everywhere === true &&
    !hypotheses.slice(1).some((one) => one.score > 0.8 * hypotheses[0]!.score);
  return {
    before: before === null ? null : refOf(before),
    after: refOf(after),
    healthy,
    sentence: sentenceOf(of, hypotheses, { healthy, isShared }),
    failing: failing.map(
      ({ workload: _workload, severity: _severity, overLimit: _over, ...one }) => one,
    ),
    hypotheses: hypotheses.map((one) => ({
      cause: one.cause,
      title:
        one.cause === 'cpuSaturated' && one.everywhere === true
          ? 'The testbed is full: host CPU'
          : causeWords[one.cause],
      subjects: one.subjects,
      score: Math.round(Math.min(1, one.score) * 1_000) / 1_000,
      confidence: confidenceOf(one.score),
      explanation: one.explanation,
      remedy: one.remedy,
      evidence: one.evidence,
      alignment: one.alignment,
      failing: { on: one.on.on, of: one.on.of, tiles: one.on.tiles },
    })),
    cleared: cleared.map((cause) => ({ cause, words: rules[cause].cleared(after) })),
    notMeasured,
    acts: diagnoseActs(after, fallsShort),
  };
}

/** What falls short in one time of a run against an earlier one, and what stands in the way first. */
function fallsShort(
  before: RunFeatures | null,
  after: RunFeatures,
): { failing: number; words: string } {
  const { failing, hypotheses } = diagnose(before, after);
  const [first] = hypotheses;
  if (failing.length === 0)
    return {
      failing: 0,
      words:
        before === null
          ? 'No quality limit is broken.'
          : 'No quality limit is broken, and no workload does less than before.',
    };
  const what = `${failing.length} of ${counted(after.workloads.length, 'workload')} ${shorts(failing)}.`;
  return {
    failing: failing.length,
    words:
      first === undefined
        ? `${what} Nothing that was measured explains it but the act itself.`
        : `${what} ${confidenceWords[first.confidence]} ` +
          `${inSentence(causeWords[first.cause])}: ${first.subjects.slice(0, 4).join(', ')}.`,
  };
}
const shorts = (
  failing: readonly Pick<Case['failing'][number], 'why' | 'metric' | 'before' | 'after'>[],
): string => [...new Set(failing.map(shortOf))].join(' or ');

/** Every host was as full in the first run, of as many tiles: it explains no difference. */
const isFullBothTimes = (first: Candidate | undefined): boolean =>
  first?.cause === 'cpuSaturated' && first.everywhere === true && first.asBefore === true;

const refOf = ({ runId, name, tiles, label }: RunFeatures): Diagnosis['after'] => ({
  runId,
  name,
  tiles,
  label,
});

/** Explains away: a cause that is the consequence of another one counts for less. */
function weigh(all: readonly Candidate[]): Candidate[] {
  const find = (cause: Cause): Candidate | undefined => all.find((one) => one.cause === cause);
  const scaled = new Map<Candidate, number>();
  const lower = (one: Candidate | undefined, by: number): void => {
    if (one !== undefined) scaled.set(one, (scaled.get(one) ?? 1) * by);
  };
  const cap = find('powerCap');
  // Cores that are busy because their clock is held down would not be at full clock.
  if (cap !== undefined && (cap.lostPct ?? 0) >= 10)
    for (const cause of ['cpuSaturated', 'hostsImbalanced', 'cpuReady'] as const) {
      const one = find(cause);
      if (one !== undefined && one.refs.some((ref) => cap.refs.includes(ref))) lower(one, 0.55);
    }
  const client = find('client');
  // What fails was measured while the load came too late: of the rest little is known.
  if ((client?.behindPct ?? 0) >= thresholds.behind.full)
    for (const cause of causes) if (cause !== 'client') lower(find(cause), 0.6);
  const operations = find('operations');
  // What is full only because of the operations is their doing.
  if (operations !== undefined && operations.score >= 0.75)
    for (const cause of ['spindles', 'lunQueue', 'deviceLatency', 'cpuReady'] as const)
      lower(find(cause), 0.75);
  const act = find('acts');
  // A host that an act took or brought is why hosts are unequal.
  if (act !== undefined && act.refs.length > 0) lower(find('hostsImbalanced'), 0.4);
  // Moves, restarts and queues while an act is under way are mostly its doing.
  if (act !== undefined && act.score >= 0.5)
    for (const cause of ['operations', 'deviceLatency', 'cpuReady'] as const)
      lower(find(cause), 0.75);
  return all.map((one) => ({ ...one, score: Math.min(1, one.score * (scaled.get(one) ?? 1)) }));
}

/** What was not measured, with the causes that can be neither blamed nor cleared without it. */
const gapsOf = (of: Case): Diagnosis['notMeasured'] =>
  (Object.keys(measured) as Measured[]).flatMap((key) => {
    const gap = measured[key](of);
    if (gap === null) return [];
    const blind = gap.whole ? causes.filter((cause) => rules[cause].needs.includes(key)) : [];
    return [{ what: gap.what, why: gap.why, causes: blind }];
  });

/** How a workload falls short: one that is asked for more may do more and yet too little. */
function shortOf({
  why,
  metric,
  before,
  after,
}: Pick<Case['failing'][number], 'why' | 'metric' | 'before' | 'after'>): string {
  if (why === 'qos') return 'break a quality limit';
  if (why === 'disturbed') return 'were disturbed by an act';
  if (metric !== 'throughput') return 'take longer than before';
  return before !== null && after >= before
    ? 'grow by less than half of what is asked of them'
    : 'do less than before';
}

function sentenceOf(
  { before, after, failing }: Case,
  hypotheses: readonly Candidate[],
  { healthy, isShared }: { healthy: boolean; isShared: boolean },
): string {
  const whose =
    before === null || before.runId === after.runId
      ? after.label.replace(/[.:]$/, '')
      : `${after.label} after ${before.label}`;
  if (failing.length === 0) {
    const limited = after.workloads.some(({ limits }) => limits.length > 0);
    const held = limited ? 'no quality limit is broken' : 'it is held to no quality limit';
    return before === null || before.runId === after.runId
      ? `${whose}: ${held}. A second run tells whether it does less.`
      : `${whose}: ${held}, and no workload does less than before.`;
  }
  const kinds = [...new Set(failing.map((one) => one.workload.workloadId))];
  const what =
    `${failing.length} of ${after.workloads.length} workloads ` +
    `${shorts(failing)} ` +
    `(${kinds.slice(0, 4).join(', ')}${kinds.length > 4 ? ' and more' : ''})`;
  const first = hypotheses[0];
  if (first === undefined)
    return `${whose}: ${what}. None of the counters that were measured explains it.`;
  if (isShared)
    return (
      `${whose}: ${what}. The testbed is full in both runs, which does not tell them apart: what ` +
      'differs is how the VMs share its processors. See what differs in the set-up.'
    );
  if (healthy) return `${whose}: ${what}, as the testbed is full. ${first.explanation}`;
  if (first.cause === 'acts')
    return `${whose}: ${what}. ${confidenceWords[confidenceOf(first.score)]} by ${first.explanation}`;
  return (
    `${whose}: ${what}. ` +
    `${confidenceWords[confidenceOf(first.score)]} ` +
    `${causeWords[first.cause].replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())}: ` +
    `${first.subjects.slice(0, 4).join(', ')}.`
  );
}
