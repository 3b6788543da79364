import type { MetricName } from '../metric/metric.ts';
import type { Alignment, Evidence } from './diagnosis.ts';
import type { AskedMore, FailingWorkload } from './diagnosisFailing.ts';
import { type RunFeatures, steadyBuckets, type Trace } from './diagnosisFeatures.ts';
import type { Threshold } from './diagnosisThresholds.ts';

/** What every rule gets. */
export interface Case {
  before: RunFeatures | null;
  after: RunFeatures;
  failing: readonly FailingWorkload[];
  /** What the second run asks of a workload beyond the first; null = nothing, or not known. */
  more: AskedMore | null;
}

/**
 * One row of evidence; `threshold` null = for comparison only. `reversed`: broken where it is
 * below.
 */
export function evidence(
  of: Case,
  row: {
    metric: MetricName | null;
    label: string;
    id: string;
    name: string;
    unit: string;
    before: number | null | undefined;
    after: number | null | undefined;
    threshold?: Threshold | null;
    reversed?: boolean;
    seriesIds?: readonly number[] | undefined;
  },
): Evidence {
  const { threshold = null, before = null, after = null } = row;
  return {
    metric: row.metric,
    label: row.label,
    entityId: row.id,
    entityName: row.name,
    unit: row.unit,
    before,
    after,
    threshold: threshold?.from ?? null,
    thresholdSource: threshold?.source ?? '',
    broken:
      threshold === null || after === null
        ? null
        : row.reversed === true
          ? after < threshold.from
          : after > threshold.from,
    seriesIds: [...(row.seriesIds ?? [])],
    window: { ...of.after.steady },
  };
}

/**
 * Workloads that fail and sit on something, as a count, as a share weighed by how badly they fail,
 * and their tiles.
 */
export function coverage(
  of: Case,
  sits: (failing: FailingWorkload) => boolean,
): { on: number; of: number; share: number; tiles: number[] } {
  const on = of.failing.filter(sits);
  const weigh = (list: readonly FailingWorkload[]): number =>
    list.reduce((sum, one) => sum + 0.05 + one.severity, 0);
  return {
    on: on.length,
    of: of.failing.length,
    share: of.failing.length === 0 ? 0 : weigh(on) / weigh(of.failing),
    tiles: [...new Set(on.map((one) => one.tile))].sort((a, b) => a - b),
  };
}

/** Mean over traces step by step; a step that any lacks is a gap. */
export function meanTrace(traces: readonly (Trace | null)[]): Trace | null {
  const known = traces.filter((trace) => trace !== null);
  if (known.length === 0) return null;
  const length = Math.max(...known.map((trace) => trace.buckets.length));
  return {
    seriesIds: known.flatMap((trace) => trace.seriesIds),
    mean: known.reduce((sum, trace) => sum + trace.mean, 0) / known.length,
    buckets: Array.from({ length }, (_, i) => {
      const values = known.map((trace) => trace.buckets[i] ?? null);
      return values.every((value) => value !== null)
        ? values.reduce((sum, value) => sum + value, 0) / values.length
        : null;
    }),
  };
}

/** A trace as shares of a threshold, step by step: over 1 = crossed. */
export const shares = (trace: Trace | null, threshold: number): (number | null)[] | null =>
  trace?.buckets.map((value) => (value === null ? null : value / threshold)) ?? null;

/** Begins to hold at a step and holds for most of what follows; null = never. */
function lastingFrom(over: readonly (boolean | null)[]): number | null {
  for (let i = 0; i < over.length; i += 1) {
    if (over[i] !== true) continue;
    const rest = over.slice(i).filter((value) => value !== null);
    if (rest.filter(Boolean).length >= rest.length * 0.6) return i;
  }
  return null;
}

/**
 * Steps by which a counter may trail: vCenter's samples are late, and a limit may break before a
 * threshold is reached.
 */
const late = 5;
const minutes = (ms: number): string =>
  Math.abs(ms) < 90_000
    ? `${Math.round(Math.abs(ms) / 1_000)} s`
    : `${Math.round(Math.abs(ms) / 60_000)} min`;

/**
 * A counter (as shares of its threshold, over 1 = crossed) beside the worst failing workload on it.
 * null without either.
 */
export function align(
  of: Case,
  counter: readonly (number | null)[] | null,
  failing: FailingWorkload | undefined,
): Alignment | null {
  if (counter === null || failing === undefined) return null;
  const { after } = of,
    { first, end } = steadyBuckets(after);
  const crossed = counter.map((value) => (value === null ? null : value > 1)),
    broken = failing.overLimit.map((value) => (value === null ? null : value > 1));
  const crossedAt = lastingFrom(crossed),
    failedAt = lastingFrom(broken);
  const share = (when: boolean): number | null => {
    let all = 0,
      hit = 0;
    for (let i = Math.max(0, first); i < end; i += 1)
      if (broken[i] === when && crossed[i] != null) {
        all += 1;
        hit += crossed[i] ? 1 : 0;
      }
    return all < 2 ? null : hit / all;
  };
  const whileFailing = share(true),
    otherwise = share(false);
  const at = (step: number | null): number | null =>
    step === null ? null : after.startMs + step * after.bucketMs;
  return {
    crossedMs: at(crossedAt),
    failedMs: at(failedAt),
    whileFailing,
    otherwise,
    words: alignWords(of, at(crossedAt), at(failedAt), whileFailing, otherwise, failing.name),
    bucketMs: after.bucketMs,
    startMs: after.startMs,
    counter: counter.map(round),
    workload: failing.overLimit.map(round),
  };
}
const round = (value: number | null | undefined): number | null =>
  value == null ? null : Math.round(value * 1_000) / 1_000;

function alignWords(
  { after }: Case,
  crossedMs: number | null,
  failedMs: number | null,
  whileFailing: number | null,
  otherwise: number | null,
  name: string,
): string {
  const pct = (share: number): string => `${Math.round(share * 100)} %`;
  if (whileFailing !== null && otherwise !== null && whileFailing - otherwise > 0.3)
    return (
      `Over its threshold ${pct(whileFailing)} of the time in which ${name} fails, ` +
      `${pct(otherwise)} of the time in which it does not.`
    );
  if (crossedMs === null) return `It does not stay over its threshold, whatever ${name} does.`;
  if (failedMs === null)
    return (
      `Over its threshold from ${minutes(crossedMs - after.startMs)} into the run; ${name} ` +
      'fails by its mean, not at all times.'
    );
  const lead = failedMs - crossedMs;
  if (Math.abs(lead) <= after.bucketMs)
    return `It crosses its threshold when ${name} begins to fail, ${minutes(failedMs - after.startMs)} into the run.`;
  return lead > 0
    ? `It crosses its threshold ${minutes(lead)} before ${name} begins to fail.`
    : `It crosses its threshold ${minutes(lead)} after ${name} begins to ` +
        `fail${-lead > late * after.bucketMs ? ': late for a cause' : ''}.`;
}

/**
 * How well the times agree, 0.5 to 1: a counter that is high whether or not the load fails explains
 * it less.
 */
export function alignmentWeight(alignment: Alignment | null): number {
  if (alignment === null) return 0.85;
  const { whileFailing, otherwise, crossedMs, failedMs, bucketMs } = alignment;
  if (whileFailing !== null && otherwise !== null)
    return Math.min(1, 0.55 + 0.5 * Math.max(0, whileFailing - otherwise));
  if (crossedMs === null) return 0.6;
  if (failedMs !== null && crossedMs > failedMs + late * bucketMs) return 0.7;
  return 0.95;
}
