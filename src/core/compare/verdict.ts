import { formatExact, threeFigures } from '../base/format.ts';
import { byNaturalOrder } from '../base/naturalOrder.ts';
import { type Profile, weightOf } from '../profile/profile.ts';
import { ownReference } from '../run/ownReference.ts';
import type { RunRecord } from '../run/run.ts';
import { overviewStateWord } from '../run/runWords.ts';
import { infraKey } from '../run/scoreTypes.ts';
import { isEnd } from '../run/states.ts';
import { noiseBand } from '../stats/noise.ts';
import { mean } from '../stats/summary.ts';
import { compareWords, formatDelta } from './text.ts';
import type { ComparedRun, CompareTest, Comparison, Side } from './types.ts';

/** What scored 1.0, by workload id and operation, as it was used in the run. */
function usedReferences(record: RunRecord): Map<string, number> {
  const used = new Map<string, number>();
  for (const period of record.overview.score?.periods ?? []) {
    for (const { workloads } of period.tiles)
      for (const w of workloads)
        if (w.scored && w.reference !== null) used.set(w.workloadId, w.reference);
    for (const o of period.infrastructure?.operations ?? [])
      if (o.reference !== null) used.set(infraKey(o.operationId), o.reference);
  }
  return used;
}

/**
 * True when the two scores are ratios to different references, so that they have no common unit.
 */
export function referencesDiffer(a: RunRecord, b: RunRecord): boolean {
  const [x, y] = [usedReferences(a), usedReferences(b)];
  return [...x].some(([id, value]) => {
    const other = y.get(id);
    return other !== undefined && Math.abs(value - other) > 1e-9 * Math.abs(value);
  });
}

const mixOf = (record: RunRecord): string => {
  const tiles = record.testbed.tiles.slice(0, record.plan.tiles).map((t) =>
    t.workloads
      .map((w) => w.workloadId)
      .sort(byNaturalOrder)
      .join(' + '),
  );
  return [...new Set(tiles)].sort(byNaturalOrder).join(' / ') || 'none';
};
const rulesOf = ({ scoring, workloads }: Profile): string => {
  const weighed = workloads
    .filter((w) => w.scored && weightOf(w) !== 1)
    .map((w) => `${w.name} × ${weightOf(w)}`);
  const { infrastructure, overall } = scoring;
  const parts = infrastructure
    ? `, ${overall?.application ?? 'no weight'} × application + ` +
      `${overall?.infrastructure ?? 'no weight'} × infrastructure ` +
      `(${infrastructure.operations.map((o) => o.name).join(', ')})`
    : '';
  return (
    `${scoring.tile} of a tile${weighed.length > 0 ? ` (${weighed.join(', ')})` : ''}, ` +
    `${scoring.total} over tiles${parts}, ${scoring.periods ?? 'no rule'} of the periods`
  );
};
const phasesOf = ({ plan: { phases: p } }: RunRecord): string =>
  `${p.rampUpS} s up, ${p.steadyS} s steady in ${p.periods} ` +
  `${p.periods === 1 ? 'period' : 'periods'}, ${p.rampDownS} s down`;
const limitsOf = ({ profile }: RunRecord): string =>
  JSON.stringify(
    profile.workloads.map((w) => [
      w.id,
      w.driver,
      w.unit,
      w.scored,
      w.qos.map((q) => [
        q.metric,
        q.min ?? null,
        q.max ?? null,
        q.operation ?? null,
        q.measure ?? null,
        q.over ?? null,
      ]),
    ]),
  );

/**
 * Differences of set-up for which results must not be compared; empty = none known. Each names the
 * facts or the runs.
 */
export function setupGuards(records: readonly RunRecord[]): string[] {
  const guards: string[] = [];
  const differ = (what: string, of: (record: RunRecord) => string): void => {
    const values = [...new Set(records.map(of))];
    if (values.length > 1) guards.push(`${what}: ${values.join(' against ')}.`);
  };
  differ('Different profile or version', (r) => `${r.profile.name} ${r.profile.version}`);
  differ('Different scoring rule', (r) => rulesOf(r.profile));
  if (
    new Set(records.map((r) => r.profile.id + r.profile.version)).size <
    new Set(records.map((r) => r.profile.id + r.profile.version + limitsOf(r))).size
  ) {
    guards.push(
      'The same profile version was edited between the runs: drivers, units or QoS limits differ.',
    );
  }
  differ('Different phase lengths', phasesOf);
  differ('Different tile mix', mixOf);
  differ('Different origin', (r) => r.overview.origin);
  const [baseline, ...others] = records;
  const strangers = others
    .filter((r) => baseline !== undefined && referencesDiffer(baseline, r))
    .map((r) => r.overview.name);
  if (strangers.length > 0)
    guards.push(
      `Different score references: ${strangers.join(', ')} against ` +
        `${baseline!.overview.name}. Choose one reference run for both; throughput and latency ` +
        'stay comparable.',
    );
  return guards;
}

/** Reasons why these runs must not be compared: their set-ups, and how each of them ended. */
export function compareGuards(runs: readonly Pick<ComparedRun, 'record'>[]): string[] {
  const records = runs.map((r) => r.record);
  return [
    ...setupGuards(records),
    ...records.flatMap(({ overview }) => {
      if (!isEnd(overview.state))
        return [`${overview.name} is not finished (${overviewStateWord(overview)}).`];
      if (overview.state !== 'passed') return [`${overview.name} ended ${overview.state}.`];
      return overview.verdict?.compliant === false
        ? [`${overview.name} is not compliant: ${overview.verdict.sentence}`]
        : [];
    }),
  ];
}

/** `95 % interval −1.20 % to +3.40 %`, and the smallest difference that would have been found. */
export function intervalText({ lowPct, highPct, detectablePct }: CompareTest): string {
  if (lowPct === null || highPct === null || detectablePct === null) return '';
  return (
    `95 % interval ${formatDelta(lowPct)} to ${formatDelta(highPct)}; a difference of ` +
    `${threeFigures(detectablePct)} % would be found in 4 of 5 cases`
  );
}

/** A score as it stands everywhere: two decimals, more only below one. */
const scoreText = (score: number): string =>
  Math.abs(score) < 1 ? threeFigures(score) : formatExact(score, 2);

/** "B scores 3.20 % higher than A (2.06 against 2.00): better (5 against 5 repeats, Welch)." */
function sideSentence(
  base: Side,
  other: Side,
  test: CompareTest,
  application: CompareTest | null,
): string {
  const scores = (side: Side): number =>
    mean(side.runs.map((r) => r.record.overview.score!.total!));
  const [a, b] = [scores(base), scores(other)];
  const figures = `${scoreText(b)} against ${scoreText(a)}`;
  const what =
    b === a
      ? `${other.name} scores the same as ${base.name} (${figures})`
      : a === 0
        ? `${other.name} scores ${figures} of ${base.name}`
        : b >= 2 * a
          ? `${other.name} scores ${threeFigures(b / a)}× as much as ${base.name} (${figures})`
          : `${other.name} scores ${threeFigures(Math.abs(((b - a) / a) * 100))} % ` +
            `${b > a ? 'higher' : 'lower'} than ${base.name} (${figures})`;
  const told = (of: CompareTest): string =>
    `${compareWords[of.word]} (${of.method === 'bootstrap' ? 'one run each: repeat to be sure' : of.basis})`;
  // A total with counted operations has no series; its application part has.
  const part =
    test.method === 'none' && application !== null && application.method !== 'none'
      ? `; its application part: ${told(application)}`
      : '';
  return `${what}: ${told(test)}${part}.`;
}

/**
 * The verdict in words, by the test of the score. Guards make it "not comparable", whatever the
 * numbers say; repeats of one plan have no other side and give their range.
 */
export function compareSentence(
  sides: readonly Side[],
  rows: Comparison['rows'],
  guards: readonly string[],
): string {
  const runs = sides.flatMap((s) => s.runs);
  if (runs.length < 2) return 'One run: nothing to compare with.';
  if (guards.length > 0)
    return `Not comparable, for ${guards.length} ${guards.length === 1 ? 'reason' : 'reasons'}.`;
  const unscored = runs
    .filter((run) => (run.record.overview.score?.total ?? null) === null)
    .map((run) => run.summary.name);
  if (unscored.length > 0)
    return (
      `No score to compare: ${unscored.join(', ')} ${unscored.length === 1 ? 'has' : 'have'} ` +
      'none. The totals of each workload are compared below.'
    );
  const [base, ...others] = sides;
  if (others.length === 0) {
    const scores = runs.map((r) => r.record.overview.score!.total!);
    const band = noiseBand([scores]);
    return (
      `${runs.length} repeats of one plan on one set-up: scores from ` +
      `${scoreText(Math.min(...scores))} to ${scoreText(Math.max(...scores))}, mean ` +
      `${scoreText(mean(scores))}${band === null ? '' : `, ${threeFigures(band.cv * 100)} % from run to run`}.`
    );
  }
  const score = rows.find((r) => r.key === 'score')!;
  return others
    .map((other, i) =>
      sideSentence(
        base!,
        other,
        score.tests[i + 1]!,
        rows.find((r) => r.key === 'score.application')?.tests[i + 1] ?? null,
      ),
    )
    .join(' ');
}

/** Nothing of the run says what scores 1.0: it was measured, and has no score for that alone. */
const isUnreferenced = ({ overview, profile }: RunRecord): boolean =>
  overview.score?.reference === 'none' && ownReference({ profile }) === null;

/**
 * A run without a reference that another of these is scored against: its own score is 1.0 a tile.
 * Where several are, the first.
 */
export function referenceAmong(records: readonly RunRecord[]): string | null {
  const used = new Set(records.map((r) => r.plan.referenceRunId));
  return records.find((r) => isUnreferenced(r) && used.has(r.overview.id))?.overview.id ?? null;
}

/**
 * The run all could be scored against, where their scores have no common unit, or are missing, for
 * want of one reference: the baseline, which comes first. null = scores are as comparable as they
 * can be.
 */
export function referenceToOffer(
  records: readonly RunRecord[],
): { id: string; name: string } | null {
  const [baseline, ...others] = records;
  if (baseline?.overview.score == null) return null;
  if (records.some(({ profile }) => ownReference({ profile }) !== null)) return null;
  const apart =
    records.some(isUnreferenced) || others.some((record) => referencesDiffer(baseline, record));
  return apart ? { id: baseline.overview.id, name: baseline.overview.name } : null;
}
