import { z } from 'zod';
import { geometricMean, mean, median } from './stats.ts';
import type { Profile } from './profile.ts';
import type { MetricName } from './metric.ts';

const finite = z.number();
export const qosResult = z.object({
  metric: z.string(), unit: z.string(), limit: finite, kind: z.enum(['max', 'min']), measured: finite.nullable(), passed: z.boolean().nullable(), source: z.string(),
});
export const workloadScore = z.object({
  workloadId: z.string(), name: z.string(), unit: z.string(), scored: z.boolean(),
  /** Mean throughput in the period; null = no sample arrived. */
  throughput: finite.nullable(), samples: z.number().int(), reference: finite.nullable(), ratio: finite.nullable(), qos: z.array(qosResult),
});
export const tileScore = z.object({ tile: z.number().int(), score: finite.nullable(), workloads: z.array(workloadScore) });
export const periodScore = z.object({ index: z.number().int(), total: finite.nullable(), qosPassed: z.boolean(), tiles: z.array(tileScore) });
export const scoreSchema = z.object({
  resultName: z.string(),
  /** null = cannot be told; `missing` says why. */
  total: finite.nullable(),
  tiles: z.number().int(), periodRule: z.string(), chosenPeriod: z.number().int().nullable(),
  periods: z.array(periodScore), referenceLabel: z.string(), qosPassed: z.boolean(), missing: z.array(z.string()),
});
export type Score = z.infer<typeof scoreSchema>;
export type PeriodScore = z.infer<typeof periodScore>;
export type TileScore = z.infer<typeof tileScore>;
export type WorkloadScore = z.infer<typeof workloadScore>;

/** What one workload did in one period. `values` are means over the period by metric. */
export interface WorkloadMeasurement { tile: number; workloadId: string; samples: number; values: Partial<Record<MetricName, number>> }
export interface PeriodMeasurement { index: number; workloads: readonly WorkloadMeasurement[] }

/** Throughput that scores 1.0 for a workload, by workload id; missing = not set. */
export type References = Readonly<Record<string, number>>;

/**
 * The score of a run, with each step kept.
 * ratio = mean throughput of the period / reference; tile = geometric mean of its scored ratios;
 * period = sum over tiles; run = median (mean, worst) of the periods, as the profile says.
 * Source of the rule: AnandTech 2743 and VMware TR-2006-002 (VMmark 1.x).
 * A missing measurement makes the tile, the period and the total null, never a partial sum.
 */
export function scoreRun(profile: Profile, tiles: number, measured: readonly PeriodMeasurement[], references: References, referenceLabel: string): Score {
  const missing = new Set<string>();
  if (measured.length === 0) missing.add('no measurement period was reached');
  const periods = measured.map((period) => scorePeriod(profile, tiles, period, references, missing));
  const totals = periods.map((p) => p.total);
  const known = totals.filter((t): t is number => t !== null);
  const complete = known.length === totals.length && known.length > 0;
  const rule = profile.scoring.periods;
  const total = complete ? (rule === 'median' ? median(known) : rule === 'mean' ? mean(known) : Math.min(...known)) : null;
  const chosen = total === null || rule === 'mean' ? -1 : totals.indexOf(total);
  return {
    resultName: profile.resultName, total, tiles, periodRule: rule ?? "none", chosenPeriod: chosen < 0 ? null : chosen,
    periods, referenceLabel, qosPassed: periods.length > 0 && periods.every((p) => p.qosPassed), missing: [...missing],
  };
}

function scorePeriod(profile: Profile, tiles: number, period: PeriodMeasurement, references: References, missing: Set<string>): PeriodScore {
  const scored = Array.from({ length: tiles }, (_, tile) => scoreTile(profile, tile, period, references, missing));
  const parts = scored.map((t) => t.score);
  const total = parts.every((p): p is number => p !== null) ? parts.reduce((sum, p) => sum + p, 0) : null;
  const qosPassed = scored.every((t) => t.workloads.every((w) => w.qos.every((q) => q.passed === true)));
  return { index: period.index, total, qosPassed, tiles: scored };
}

function scoreTile(profile: Profile, tile: number, period: PeriodMeasurement, references: References, missing: Set<string>): TileScore {
  const workloads = profile.workloads.map((workload): WorkloadScore => {
    const found = period.workloads.find((w) => w.tile === tile && w.workloadId === workload.id);
    const throughput = measurement(found?.values.throughput);
    const reference = workload.reference ?? positive(references[workload.id]);
    const label = `tile ${tile + 1} ${workload.name}`;
    if (workload.scored && throughput === null) missing.add(`${label}: no throughput sample in period ${period.index + 1}`);
    if (workload.scored && reference === null) missing.add(`${workload.name}: no reference value; choose a reference run`);
    const ratio = workload.scored && throughput !== null && reference !== null ? throughput / reference : null;
    const qos = workload.qos.flatMap((limit) => (['max', 'min'] as const).filter((kind) => limit[kind] !== undefined).map((kind) => {
      const value = measurement(found?.values[limit.metric]);
      const bound = limit[kind]!;
      if (value === null) missing.add(`${label}: no ${limit.metric} sample in period ${period.index + 1}`);
      return { metric: limit.metric, unit: limit.unit, limit: bound, kind, measured: value, passed: value === null ? null : kind === 'max' ? value <= bound : value >= bound, source: limit.source };
    }));
    return { workloadId: workload.id, name: workload.name, unit: workload.unit, scored: workload.scored, throughput, samples: found?.samples ?? 0, reference, ratio, qos };
  });
  const ratios = workloads.filter((w) => w.scored).map((w) => w.ratio);
  const score = ratios.length > 0 && ratios.every((r): r is number => r !== null) ? geometricMean(ratios) : null;
  return { tile, score, workloads };
}

/** A mean over no samples arrives as NaN: that is a missing measurement, and so is a negative rate or time. */
function measurement(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : null;
}

/** A reference run that did nothing in a workload gives no reference. */
function positive(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}
