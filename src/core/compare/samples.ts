import type { SeriesData, SeriesDef } from '../metric/metric.ts';
import { weightOf } from '../profile/profile.ts';
import { mostSlots } from '../stats/bootstrap.ts';
import { histogramCounts, histogramEdges } from '../stats/histogram.ts';
import { boxOf, ecdf, sorted } from '../stats/quantile.ts';
import { type RowParts, type RowSpec, rowSpecs } from './rows.ts';
import type { ComparedRun, Distributions } from './types.ts';

/**
 * Means of one series over equal stretches of the steady state; NaN where a stretch has no sample.
 */
export interface Slots {
  slotMs: number;
  means: Float64Array;
}
/**
 * Less than this share of whole stretches, and a row's own noise is not told: this app's choice.
 */
const leastWhole = 0.8;

/**
 * Means of a series over stretches of [startMs, endMs): at least two sampling periods long, so that
 * a late sample leaves no hole, and at most 720 of them. Times ascend.
 */
export function slotMeans(
  { tMs, value }: Pick<SeriesData, 'tMs' | 'value'>,
  startMs: number,
  endMs: number,
  periodMs: number,
): Slots {
  const slotMs = Math.max(2 * periodMs, (endMs - startMs) / mostSlots);
  const count = Math.floor((endMs - startMs) / slotMs);
  const sums = new Float64Array(count),
    seen = new Uint32Array(count);
  // Times ascend: a slot ends where the next begins, without a division for each sample.
  let slot = 0,
    nextMs = startMs + slotMs;
  for (let i = 0; i < tMs.length; i += 1) {
    const at = tMs[i]!;
    if (at < startMs) continue;
    while (at >= nextMs && slot < count) {
      slot += 1;
      nextMs = startMs + (slot + 1) * slotMs;
    }
    if (slot === count) break;
    sums[slot]! += value[i]!;
    seen[slot]! += 1;
  }
  for (let i = 0; i < count; i += 1) sums[i] = seen[i] === 0 ? NaN : sums[i]! / seen[i]!;
  return { slotMs, means: sums };
}

/**
 * The series behind each row of a run, as it varied over the steady state: per stretch the mean,
 * the sum or the score's linearisation over the row's series; stretches in which one of them has no
 * sample are left out. Rows whose series have other periods, or more than a fifth of the stretches
 * missing, are absent.
 */
export function rowSlots(
  run: ComparedRun,
  slotsOf: (def: SeriesDef) => Slots | undefined,
): Map<string, Float64Array> {
  const rows = new Map<string, Float64Array>();
  for (const { key, parts } of rowSpecs([run])) {
    const of = parts(run);
    if (of === null || of.defs.length === 0) continue;
    const weighed =
      of.fold === 'score'
        ? scoreWeights(run, of)
        : of.defs.map((def) => ({ def, factor: of.fold === 'sum' ? 1 : 1 / of.defs.length }));
    if (weighed === null) continue;
    const together = fold(weighed.map(({ def, factor }) => ({ slots: slotsOf(def), factor })));
    if (together !== null) rows.set(key, together);
  }
  return rows;
}

interface Part {
  slots: Slots | undefined;
  factor: number;
}
function fold(parts: readonly Part[]): Float64Array | null {
  const first = parts[0]?.slots;
  if (
    first === undefined ||
    parts.some(
      (p) => p.slots?.slotMs !== first.slotMs || p.slots.means.length !== first.means.length,
    )
  )
    return null;
  const sums = new Float64Array(first.means.length);
  for (const { slots, factor } of parts)
    for (let i = 0; i < sums.length; i += 1) sums[i]! += factor * slots!.means[i]!;
  const whole = sums.filter(Number.isFinite);
  return whole.length >= leastWhole * sums.length ? whole : null;
}

/**
 * The score as a sum over series: with tile score T = exp(Σ w ln(m/reference) / Σ w) of the means
 * m, each workload adds T · (w/Σw) · x(t)/m, and the mean over time is Σ T. First-order expansion
 * of the geometric mean around the means (delta method: G. Casella and R. L. Berger, Statistical
 * Inference, 2nd ed. 2002, 5.5.4). The rule about periods is left aside. null where a tile lacks a
 * mean or a reference.
 */
function scoreWeights(
  { record, aggregates }: ComparedRun,
  { defs }: RowParts,
): { def: SeriesDef; factor: number }[] | null {
  const references = new Map(
    (record.overview.score?.periods[0]?.tiles ?? []).flatMap((t) =>
      t.workloads.map((w) => [w.workloadId, w.reference] as const),
    ),
  );
  const scored = record.profile.workloads.filter((w) => w.scored);
  const means = new Map(aggregates.series.map((s) => [s.def.id, s.steady?.mean ?? NaN]));
  const out: { def: SeriesDef; factor: number }[] = [];
  for (let tile = 0; tile < record.plan.tiles; tile += 1) {
    const parts = scored.map((w) => {
      const def = defs.find((d) => d.entity.id === `t${tile}.${w.id}`);
      return {
        def,
        weight: weightOf(w),
        mean: def === undefined ? NaN : (means.get(def.id) ?? NaN),
        reference: references.get(w.id) ?? NaN,
      };
    });
    const weights = parts.reduce((sum, p) => sum + p.weight, 0);
    const score = Math.exp(
      parts.reduce((sum, p) => sum + p.weight * Math.log(p.mean / p.reference), 0) / weights,
    );
    if (!(score > 0) || !Number.isFinite(score)) return null;
    for (const p of parts) out.push({ def: p.def!, factor: (score * p.weight) / weights / p.mean });
  }
  return out;
}

/** Samples of the steady state behind one row, of one run. */
export interface RowSamples {
  run: ComparedRun;
  data: readonly SeriesData[];
}

/**
 * How the samples of one row are distributed: those of all its series together, so of every tile,
 * not their mean. Bins are common to all runs; boxes are of the steady state and of each
 * measurement period.
 */
export function distributionsOf(
  spec: RowSpec,
  specs: readonly RowSpec[],
  runs: readonly RowSamples[],
): Distributions {
  const together = runs.map(({ data }) => sorted(concatenated(data)));
  const edges = histogramEdges(together);
  return {
    key: spec.key,
    label: spec.label.replace(/, mean of the \w+$/, ''),
    unit: spec.unit,
    keys: specs.map(({ key, label }) => ({ key, label: label.replace(/, mean of the \w+$/, '') })),
    edges,
    runs: runs.map(({ run, data }, i) => ({
      runId: run.summary.id,
      samples: together[i]!.length,
      counts: histogramCounts(together[i]!, edges),
      ecdf: ecdf(together[i]!),
      box: boxOf(together[i]!),
      periods: run.record.overview.periods.map((p) =>
        boxOf(sorted(concatenated(data, p.startMs, p.endMs))),
      ),
    })),
  };
}

/** Values of all series within [fromMs, toMs), end to end. */
function concatenated(
  data: readonly SeriesData[],
  fromMs = -Infinity,
  toMs = Infinity,
): Float64Array {
  const out = new Float64Array(data.reduce((sum, d) => sum + d.value.length, 0));
  let count = 0;
  for (const { tMs, value } of data)
    for (let i = 0; i < value.length; i += 1)
      if (tMs[i]! >= fromMs && tMs[i]! < toMs) {
        out[count] = value[i]!;
        count += 1;
      }
  return out.subarray(0, count);
}
