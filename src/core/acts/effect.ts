import type { ActEffect } from './act.ts';

/**
 * When a workload counts as disturbed and as recovered. All figures are chosen, by nobody but this
 * app: every screen that shows a recovery says them.
 */
export const recoveryRule = {
  /** Means are taken over intervals of this length; of one sample where samples are farther apart. */
  intervalS: 10,
  /** The mean before the act is taken over this much time, at most. */
  beforeS: 600,
  /** Intervals with a sample that the mean before must have. */
  leastBefore: 3,
  /** Throughput this much below its mean before is out of the band. */
  bandPct: 10,
  /** Latency this much above its mean before is out of the band. */
  latencyBandPct: 20,
  /** With more of the intervals before the act out of the band, the workload is not judged. */
  unevenPct: 20,
  /** What a workload comes to in the end is the mean over this much time. */
  afterS: 120,
  /** So many intervals in a row make a workload disturbed, or recovered. */
  held: 3,
} as const;
export type RecoveryRule = { readonly [K in keyof typeof recoveryRule]: number };

/** The rule in a sentence. */
export const recoveryRuleText = (rule: RecoveryRule = recoveryRule): string =>
  `Recovered: ${rule.held} intervals of ${rule.intervalS} s in a row with throughput no more than ` +
  `${rule.bandPct} % below, and latency no more than ${rule.latencyBandPct} % above, its mean over ` +
  `up to ${rule.beforeS} s before the act. A workload that left that band by itself in more than ` +
  `${rule.unevenPct} % of that time is not judged. ` +
  'Chosen by this app, not by a benchmark.';

/** Samples of one series, times in ms, in order. */
export interface Sampled {
  tMs: ArrayLike<number>;
  value: ArrayLike<number>;
}
export interface EffectInput {
  throughput: Sampled | null;
  latencyMs: Sampled | null;
  /** Limits on metrics of this workload. */
  limits: readonly { samples: Sampled; kind: 'max' | 'min'; limit: number }[];
  /** When the act began. */ atMs: number;
  /** What is before this tells nothing of the undisturbed run: ramp-up, an earlier act. */
  fromMs: number;
  /** End of what is looked at: the next act, or the end of the steady state. */ untilMs: number;
  /** Milliseconds between samples, of the slower of the series. */ periodMs: number;
  /** Seconds of the unit of throughput: 60 for operations a minute. */ rateS: number;
}

/** Mean of a series in each interval (atMs + i·ms, atMs + (i+1)·ms] from `first`; null = no sample. */
function intervalMeans(
  samples: Sampled | null,
  atMs: number,
  ms: number,
  first: number,
  count: number,
): (number | null)[] {
  const sum = new Float64Array(count);
  const many = new Float64Array(count);
  for (let i = 0; i < (samples?.tMs.length ?? 0); i += 1) {
    const value = samples!.value[i]!;
    const at = Math.ceil((samples!.tMs[i]! - atMs) / ms) - 1 - first;
    if (at < 0 || at >= count || !Number.isFinite(value)) continue;
    sum[at]! += value;
    many[at]! += 1;
  }
  return Array.from(sum, (total, i) => (many[i]! > 0 ? total / many[i]! : null));
}

const meanOf = (values: readonly (number | null)[], least = 1): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length < least ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
};

/**
 * What an act did to a workload. A workload is disturbed from `held` intervals in a row out of the
 * band on, and recovered with the first of `held` in a row inside; what counts is the last time it
 * came back before `untilMs`. An interval without a sample is neither in nor out and breaks a row:
 * missing is missing. Work lost is the sum of (mean before − measured) from the act to the recovery
 * (to `untilMs` where there is none), over intervals with samples.
 */
export function effectOf(
  input: EffectInput,
  rule: RecoveryRule = recoveryRule,
): Omit<ActEffect, 'entityId'> {
  const { atMs, fromMs, untilMs } = input;
  const ms = Math.max(rule.intervalS * 1_000, input.periodMs);
  const beforeCount = Math.max(
    0,
    Math.floor((atMs - Math.max(fromMs, atMs - rule.beforeS * 1_000)) / ms),
  );
  const count = Math.max(0, Math.floor((untilMs - atMs) / ms));
  const over = (samples: Sampled | null, first: number, of: number): (number | null)[] =>
    intervalMeans(samples, atMs, ms, first, of);
  const before = (samples: Sampled | null): number | null =>
    meanOf(over(samples, -beforeCount, beforeCount), rule.leastBefore);
  const throughputBefore = before(input.throughput);
  const latencyBeforeMs = before(input.latencyMs);
  const throughput = over(input.throughput, 0, count);
  const latency = over(input.latencyMs, 0, count);
  const tail = Math.min(count, Math.max(1, Math.floor((rule.afterS * 1_000) / ms)));
  const after = (means: readonly (number | null)[]): number | null =>
    count === 0 ? null : meanOf(means.slice(-tail), rule.leastBefore);
  const violated = violatedIn(input, ms, count);
  const told = {
    throughputBefore,
    latencyBeforeMs,
    throughputAfter: after(throughput),
    latencyAfterMs: after(latency),
    violatedS: violated === null ? null : (violated * ms) / 1_000,
    missingS: (throughput.filter((one) => one === null).length * ms) / 1_000,
  };
  if (throughputBefore === null || throughput.every((one) => one === null))
    return { ...told, outcome: 'unknown', recoveryS: null, workLost: null };

  const least = throughputBefore * (1 - rule.bandPct / 100);
  const most =
    latencyBeforeMs === null ? Infinity : latencyBeforeMs * (1 + rule.latencyBandPct / 100);
  // An interval in which nothing was done has no latency: its throughput says enough.
  const within = (done: number | null, ms: number | null | undefined): boolean | null =>
    done === null ? null : done >= least && (ms ?? 0) <= most;
  const latencies = over(input.latencyMs, -beforeCount, beforeCount);
  const own = over(input.throughput, -beforeCount, beforeCount)
    .map((done, i) => within(done, latencies[i]))
    .filter((one) => one !== null);
  if (own.filter((one) => !one).length > (own.length * rule.unevenPct) / 100)
    return { ...told, outcome: 'uneven', recoveryS: null, workLost: null };
  const inside = throughput.map((done, i) => within(done, latency[i]));
  const back = lastReturn(inside, rule.held);
  const untilAt = back === 'even' ? 0 : back === 'lost' ? count : back;
  const lost = throughput
    .slice(0, untilAt)
    .reduce<number>((sum, done) => sum + (done === null ? 0 : throughputBefore - done), 0);
  return {
    ...told,
    outcome: back === 'even' ? 'even' : back === 'lost' ? 'lost' : 'recovered',
    recoveryS: back === 'even' || back === 'lost' ? null : (back * ms) / 1_000,
    workLost: (lost * ms) / 1_000 / input.rateS,
  };
}

/**
 * Where a row of intervals came back for the last time, by its place; `even` where it never left,
 * `lost` where it was out at the end.
 */
function lastReturn(inside: readonly (boolean | null)[], held: number): number | 'even' | 'lost' {
  let isOut = false;
  let back: number | 'even' = 'even';
  let row = 0;
  inside.forEach((one, i) => {
    row = one !== null && one === isOut ? row + 1 : 0;
    if (row < held) return;
    isOut = !isOut;
    row = 0;
    if (!isOut) back = i - held + 1;
  });
  return isOut ? 'lost' : back;
}

/** Intervals in which a limit was broken; null = there is no limit. */
function violatedIn({ limits, atMs }: EffectInput, ms: number, count: number): number | null {
  if (limits.length === 0) return null;
  const broken = new Set<number>();
  for (const { samples, kind, limit } of limits)
    intervalMeans(samples, atMs, ms, 0, count).forEach((mean, i) => {
      if (mean !== null && (kind === 'max' ? mean > limit : mean < limit)) broken.add(i);
    });
  return broken.size;
}
