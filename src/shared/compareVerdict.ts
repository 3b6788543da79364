import type { ComparedRun } from './compare.ts';
import { weightOf, type Profile } from './profile.ts';
import { infraKey } from './scoreTypes.ts';
import { isEnd, type RunRecord } from './run.ts';
import { mean, welch95 } from './stats.ts';

/** Values by key, keys in the order of their first value. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** Three significant digits in plain notation, never fewer than the integer part. */
export function threeFigures(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3))))));
  return value.toFixed(Math.min(decimals, 20));
}

/** What scored 1.0, by workload id and operation, as it was used in the run. */
function usedReferences(record: RunRecord): Map<string, number> {
  const used = new Map<string, number>();
  for (const period of record.overview.score?.periods ?? []) {
    for (const { workloads } of period.tiles) for (const w of workloads) if (w.scored && w.reference !== null) used.set(w.workloadId, w.reference);
    for (const o of period.infrastructure?.operations ?? []) if (o.reference !== null) used.set(infraKey(o.operationId), o.reference);
  }
  return used;
}

/** True when the two scores are ratios to different references, so that they have no common unit. */
export function referencesDiffer(a: RunRecord, b: RunRecord): boolean {
  const [x, y] = [usedReferences(a), usedReferences(b)];
  return [...x].some(([id, value]) => { const other = y.get(id); return other !== undefined && Math.abs(value - other) > 1e-9 * Math.abs(value); });
}

const mixOf = (record: RunRecord): string => {
  const tiles = record.testbed.tiles.slice(0, record.plan.tiles).map((t) => t.workloads.map((w) => w.workloadId).sort().join(' + '));
  return [...new Set(tiles)].sort().join(' / ') || 'none';
};
const rulesOf = ({ scoring, workloads }: Profile): string => {
  const weighed = workloads.filter((w) => w.scored && weightOf(w) !== 1).map((w) => `${w.name} × ${weightOf(w)}`);
  const { infrastructure, overall } = scoring;
  const parts = infrastructure ? `, ${overall?.application ?? 'no weight'} × application + ${overall?.infrastructure ?? 'no weight'} × infrastructure (${infrastructure.operations.map((o) => o.name).join(', ')})` : '';
  return `${scoring.tile} of a tile${weighed.length > 0 ? ` (${weighed.join(', ')})` : ''}, ${scoring.total} over tiles${parts}, ${scoring.periods ?? 'no rule'} of the periods`;
};
const phasesOf = ({ plan: { phases: p } }: RunRecord): string => `${p.rampUpS} s up, ${p.steadyS} s steady in ${p.periods} ${p.periods === 1 ? 'period' : 'periods'}, ${p.rampDownS} s down`;
const limitsOf = ({ profile }: RunRecord): string => JSON.stringify(profile.workloads.map((w) => [w.id, w.driver, w.unit, w.scored, w.qos.map((q) => [q.metric, q.min ?? null, q.max ?? null, q.operation ?? null, q.measure ?? null, q.over ?? null])]));

/** Reasons why these runs must not be compared; empty = none known. Each names the facts or the runs. */
export function compareGuards(runs: readonly ComparedRun[]): string[] {
  const guards: string[] = [];
  const records = runs.map((r) => r.record);
  const differ = (what: string, of: (record: RunRecord) => string): void => {
    const values = [...new Set(records.map(of))];
    if (values.length > 1) guards.push(`${what}: ${values.join(' against ')}.`);
  };
  differ('Different profile or version', (r) => `${r.profile.name} ${r.profile.version}`);
  differ('Different scoring rule', (r) => rulesOf(r.profile));
  if (new Set(records.map((r) => r.profile.id + r.profile.version)).size < new Set(records.map((r) => r.profile.id + r.profile.version + limitsOf(r))).size) {
    guards.push('The same profile version was edited between the runs: drivers, units or QoS limits differ.');
  }
  differ('Different phase lengths', phasesOf);
  differ('Different tile mix', mixOf);
  differ('Different origin', (r) => r.overview.origin);
  const [baseline, ...others] = records;
  const strangers = others.filter((r) => baseline !== undefined && referencesDiffer(baseline, r)).map((r) => r.overview.name);
  if (strangers.length > 0) guards.push(`Different score references: ${strangers.join(', ')} against ${baseline!.overview.name}. Choose one reference run for both; throughput and latency stay comparable.`);
  for (const { overview } of records) {
    if (!isEnd(overview.state)) guards.push(`${overview.name} is not finished (${overview.state}).`);
    else if (overview.state !== 'passed') guards.push(`${overview.name} ended ${overview.state}.`);
    else if (overview.verdict?.compliant === false) guards.push(`${overview.name} is not compliant: ${overview.verdict.sentence}`);
  }
  return guards;
}

const scoreOf = (run: ComparedRun): number | null => run.record.overview.score?.total ?? null;
const word = (difference: number): string => (difference > 0 ? 'higher' : 'lower');
const noiseUnknown = 'one run each: whether it is noise cannot be told';

/** "B is higher by 3.2 % than A"; with repeats of both plans the means and their 95 % interval. */
function pairSentence(name: string, baseline: readonly number[], candidate: readonly number[], baselineName: string): string {
  const [a, b] = [mean(baseline), mean(candidate)];
  const change = a === 0 ? null : ((b - a) / a) * 100;
  const figures = `${threeFigures(b)} against ${threeFigures(a)}`;
  const what = b === a ? `${name} scores the same as ${baselineName} (${figures})`
    : change === null ? `${name} scores ${figures} of ${baselineName}` : `${name} scores ${word(b - a)} by ${threeFigures(Math.abs(change))} % than ${baselineName} (${figures})`;
  const interval = welch95(baseline, candidate);
  if (interval === null) {
    const runs = baseline.length === 1 && candidate.length === 1 ? noiseUnknown : `${candidate.length} against ${baseline.length} runs: whether it is noise cannot be told, both need repeats`;
    return `${what}, ${runs}.`;
  }
  const beyond = interval.low > 0 || interval.high < 0;
  const range = `95 % interval of the difference ${threeFigures(interval.low)} to ${threeFigures(interval.high)}, ${candidate.length} against ${baseline.length} runs (Welch)`;
  return `${what}: ${beyond ? `${interval.low > 0 ? 'better' : 'worse'}, beyond noise` : 'within noise'}, ${range}.`;
}

/**
 * The verdict in words. Runs of the same plan hash are repeats of one plan; only with repeats of both sides is anything
 * said about noise. Guards make it "not comparable", whatever the numbers say.
 */
export function compareSentence(baseline: ComparedRun, others: readonly ComparedRun[], guards: readonly string[]): string {
  if (others.length === 0) return 'One run: nothing to compare with.';
  if (guards.length > 0) return `Not comparable, for ${guards.length} ${guards.length === 1 ? 'reason' : 'reasons'}.`;
  const groups = groupBy([baseline, ...others], (run) => run.record.planHash);
  const totals = (runs: readonly ComparedRun[]): number[] => runs.map(scoreOf).filter((s): s is number => s !== null);
  const unscored = [baseline, ...others].filter((run) => scoreOf(run) === null).map((run) => run.summary.name);
  if (unscored.length > 0) return `No score to compare: ${unscored.join(', ')} ${unscored.length === 1 ? 'has' : 'have'} none.`;
  const base = groups.get(baseline.record.planHash)!;
  const nameOf = (runs: readonly ComparedRun[]): string => (runs.length === 1 ? runs[0]!.summary.name : `${runs[0]!.summary.name} (${runs.length} repeats)`);
  const rest = [...groups].filter(([hash]) => hash !== baseline.record.planHash).map(([, runs]) => runs);
  if (rest.length === 0 && base.length === 2) return pairSentence(others[0]!.summary.name, [scoreOf(baseline)!], [scoreOf(others[0]!)!], baseline.summary.name);
  if (rest.length === 0) {
    const scores = totals(base);
    return `${base.length} repeats of one plan: scores from ${threeFigures(Math.min(...scores))} to ${threeFigures(Math.max(...scores))}, mean ${threeFigures(mean(scores))}.`;
  }
  return rest.map((runs) => pairSentence(nameOf(runs), totals(base), totals(runs), nameOf(base))).join(' ');
}
