import type { Comparison } from './contract.ts';
import type { MetricName, SeriesDef } from './metric.ts';
import type { RunOverview, RunRecord, RunSummary } from './run.ts';
import { compareGuards, compareSentence, groupBy, referencesDiffer } from './compareVerdict.ts';
import { compareSetup } from './compareSetup.ts';
import { mean } from './stats.ts';

/** Count, mean, least and greatest of the samples of one series in a window. */
export interface WindowStat { count: number; mean: number; min: number; max: number }
/** One series of a run. null = no sample in that window. */
export interface SeriesAggregate { def: SeriesDef; steady: WindowStat | null; /** In the order of `overview.periods`. */ periods: readonly (WindowStat | null)[] }
export interface RunAggregates { /** Length of the measured steady state, in seconds; null = none. */ steadyS: number | null; series: readonly SeriesAggregate[] }
/** What a comparison needs of one run. */
export interface ComparedRun { record: RunRecord; summary: RunSummary; aggregates: RunAggregates }

/** The steady state as it was: from its start to its end, or to `nowMs` while it lasts. null = not reached. */
export function steadyWindow(overview: Pick<RunOverview, 'phases' | 'nowMs'>): { startMs: number; endMs: number } | null {
  const span = overview.phases.find((p) => p.name === 'steady');
  if (span === undefined) return null;
  const endMs = span.endMs ?? Math.min(overview.nowMs, span.plannedEndMs);
  return endMs > span.startMs ? { startMs: span.startMs, endMs } : null;
}

/** Aggregates of a run, read through `aggregate` over [fromMs, toMs); a count of 0 becomes null. */
export function aggregateRun(overview: RunOverview, aggregate: (seriesId: number, fromMs: number, toMs: number) => WindowStat): RunAggregates {
  const steady = steadyWindow(overview);
  const read = (id: number, fromMs: number, toMs: number): WindowStat | null => {
    const stat = aggregate(id, fromMs, toMs);
    return stat.count > 0 && Number.isFinite(stat.mean) ? stat : null;
  };
  return {
    steadyS: steady && (steady.endMs - steady.startMs) / 1000,
    series: overview.series.map((def) => ({
      def,
      steady: steady && read(def.id, steady.startMs, steady.endMs),
      periods: overview.periods.map((p) => read(def.id, p.startMs, p.endMs)),
    })),
  };
}

/**
 * Mean power over the steady state, in watts: the sum over the series of one source.
 * Sources can meter the same machines twice, so only one speaks: a meter before the hypervisor's own counter, then the shorter period.
 * null = no source, or a series of it without samples.
 */
export function meanPower(aggregates: RunAggregates): { watts: number; source: string; periodMs: number } | null {
  return powerSources(aggregates).flatMap(({ source, series, periodMs }) => (series.every((s) => s.steady !== null) ? [{ source, watts: series.reduce((sum, s) => sum + s.steady!.mean, 0), periodMs }] : []))[0] ?? null;
}

/** Power series by source, the one that speaks first: a meter before the hypervisor's own counter, then the shorter period. */
export function powerSources(aggregates: RunAggregates): { source: string; series: SeriesAggregate[]; periodMs: number }[] {
  const bySource = groupBy(aggregates.series.filter((s) => s.def.metric === 'powerW'), (s) => s.def.source);
  const sources = [...bySource].map(([source, series]) => ({ source, series: [...series], periodMs: Math.max(...series.map((s) => s.def.periodMs)) }));
  const rank = (source: string): number => (source.startsWith('vCenter') ? 1 : 0);
  return sources.sort((a, b) => rank(a.source) - rank(b.source) || a.periodMs - b.periodMs);
}

/** Change against the baseline in percent of the baseline; null when either is missing or the baseline is 0. */
export function deltaPct(value: number | null, baseline: number | null): number | null {
  if (value === null || baseline === null || baseline === 0) return null;
  const delta = ((value - baseline) / Math.abs(baseline)) * 100;
  return Number.isFinite(delta) ? delta : null;
}

type Better = Comparison['rows'][number]['better'];
interface RowSpec { key: string; label: string; unit: string; better: Better; value: (run: ComparedRun) => number | null }

/** Mean over the entities of the steady-state means; null unless every one of them has samples. */
function entityMean(run: ComparedRun, matches: (def: SeriesDef) => boolean, expected?: number): number | null {
  const found = run.aggregates.series.filter((s) => matches(s.def));
  if (found.length === 0 || (expected !== undefined && found.length !== expected)) return null;
  const means = found.map((s) => s.steady?.mean ?? NaN);
  return means.every(Number.isFinite) ? mean(means) : null;
}

const scoreOf = (run: ComparedRun): number | null => run.record.overview.score?.total ?? null;

/** Score over kilowatts; null when the steady state or a measurement period is shorter than the power source's period. */
export function scorePerKilowatt(run: ComparedRun): number | null {
  // A run that was scored with its power keeps that figure, or its refusal.
  const scored = run.record.overview.score?.power;
  if (scored) return scored.value;
  const power = meanPower(run.aggregates);
  const total = scoreOf(run);
  if (power === null || total === null || !(power.watts > 0)) return null;
  const windows = [(run.aggregates.steadyS ?? 0) * 1000, ...run.record.overview.periods.map((p) => p.endMs - p.startMs)];
  return windows.every((ms) => ms >= power.periodMs) ? total / (power.watts / 1000) : null;
}

/** Workloads of all runs, the first run's first; the same id with another unit is another row. */
function workloadRows(runs: readonly ComparedRun[]): RowSpec[] {
  const metrics: { metric: MetricName; label: string; better: Better }[] = [
    { metric: 'throughput', label: 'throughput', better: 'higher' }, { metric: 'latencyP95Ms', label: '95th percentile latency', better: 'lower' },
  ];
  const specs = new Map<string, RowSpec>();
  for (const { record, aggregates } of runs) {
    for (const workload of record.profile.workloads) {
      for (const { metric, label, better } of metrics) {
        const matches = (def: SeriesDef): boolean => def.metric === metric && def.entity.kind === 'workload' && def.entity.id.endsWith(`.${workload.id}`);
        const unit = aggregates.series.find((s) => matches(s.def))?.def.unit;
        if (unit === undefined) continue;
        const key = `${metric}.${workload.id}.${unit}`;
        if (specs.has(key)) continue;
        const value = (run: ComparedRun): number | null => entityMean(run, (def) => matches(def) && def.unit === unit, run.record.plan.tiles);
        specs.set(key, { key, label: `${workload.name}, ${label}, mean of the tiles`, unit, better: workload.scored || metric !== 'throughput' ? better : null, value });
      }
    }
  }
  return [...specs.values()];
}

function machineRows(): RowSpec[] {
  const of = (kind: SeriesDef['entity']['kind'], metric: MetricName) => (run: ComparedRun): number | null => entityMean(run, (def) => def.metric === metric && def.entity.kind === kind);
  return [
    { key: 'power', label: 'Mean power', unit: 'W', better: 'lower', value: (run) => meanPower(run.aggregates)?.watts ?? null },
    { key: 'scorePerKw', label: 'Score per kilowatt', unit: '1/kW', better: 'higher', value: scorePerKilowatt },
    { key: 'cpuPct.host', label: 'Host CPU, mean of the hosts', unit: '%', better: null, value: of('host', 'cpuPct') },
    { key: 'deviceLatencyMs.datastore', label: 'Device latency, mean of the datastores', unit: 'ms', better: 'lower', value: of('datastore', 'deviceLatencyMs') },
    { key: 'clientCpuPct.client', label: 'Client CPU, mean of the clients', unit: '%', better: null, value: of('client', 'clientCpuPct') },
  ];
}

/** Rows of the comparison over the steady state. `score` always comes first; other rows only where some run has a value. */
export function compareRows(baseline: ComparedRun, others: readonly ComparedRun[]): Comparison['rows'] {
  const runs = [baseline, ...others];
  const score: RowSpec = { key: 'score', label: baseline.record.profile.scoring.infrastructure ? 'Score, both parts' : 'Score, sum over the tiles', unit: '× reference', better: 'higher', value: scoreOf };
  const part = (key: 'application' | 'infrastructure', label: string): RowSpec => ({ key: `score.${key}`, label, unit: '× reference', better: 'higher', value: (run) => run.record.overview.score?.[key] ?? null });
  return [score, part('application', 'Application part'), part('infrastructure', 'Infrastructure part'), ...workloadRows(runs), ...machineRows()].flatMap(({ key, label, unit, better, value }) => {
    const values = runs.map(value);
    if (key !== 'score' && values.every((v) => v === null)) return [];
    const ofScore = key.startsWith('score');
    const deltas = runs.map((run, i) => (i === 0 || (ofScore && referencesDiffer(baseline.record, run.record)) ? null : deltaPct(values[i]!, values[0]!)));
    return [{ key, label, unit, better, values, deltaPct: deltas }];
  });
}

/**
 * Runs against a baseline: rows, what differs in the set-up, why they must not be compared, and one sentence.
 * The baseline comes first in `runs` and in each row. `deltaPct` of the baseline itself is null.
 * Throws RangeError when the baseline is not among the runs.
 */
export function buildComparison(baselineId: string, runs: readonly ComparedRun[]): Comparison {
  const baseline = runs.find((r) => r.summary.id === baselineId);
  if (baseline === undefined) throw new RangeError(`The baseline ${baselineId} is not among the compared runs.`);
  const others = runs.filter((r) => r.summary.id !== baselineId);
  const ordered = [baseline, ...others];
  const guards = compareGuards(ordered);
  return {
    baselineId, runs: ordered.map((r) => r.summary), rows: compareRows(baseline, others),
    setup: compareSetup(ordered), guards, sentence: compareSentence(baseline, others, guards),
  };
}
