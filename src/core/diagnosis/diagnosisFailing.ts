import { mean } from '../stats/summary.ts';
import type { Failing } from './diagnosis.ts';
import { factor, type RunFeatures, type WorkloadFeature } from './diagnosisFeatures.ts';
import { thresholds } from './diagnosisThresholds.ts';

/**
 * A failing workload with how badly it fails (1 = twice its limit, or half its pace) and when, step
 * by step: shares of its limit, over 1 = broken.
 */
export interface FailingWorkload extends Failing {
  workload: WorkloadFeature;
  severity: number;
  overLimit: readonly (number | null)[];
}

/** How much more the second run asks of one workload than the first. */
export interface AskedMore {
  workloadId: string;
  factor: number;
}

/** Part of the growth that was asked for which still counts as growth. */
const leastGrowth = 0.5;
/** Latency counts where throughput holds: beyond this factor a workload is held back. */
const slower = 1.5;

/** What the same workload did in the first run, mean over its tiles. */
function earlier(
  before: RunFeatures | null,
  workload: WorkloadFeature,
  pick: (w: WorkloadFeature) => number | null,
): number | null {
  const values = (before?.workloads ?? [])
    .filter((one) => one.workloadId === workload.workloadId)
    .flatMap((one) => pick(one) ?? []);
  return values.length === 0 ? null : mean(values);
}

const over = (
  buckets: readonly (number | null)[],
  limit: number,
  kind: 'max' | 'min',
): (number | null)[] =>
  buckets.map((value) =>
    value === null ? null : kind === 'max' ? value / limit : value <= 0 ? 10 : limit / value,
  );

/**
 * What fell short in the second run: workloads that broke a quality limit; where none did, those
 * that do less than 90 % of what they did in the first run or take half as long again; where none
 * does, those that an act of the plan disturbed for a while. Worst first.
 * Without limits and without a first run nothing can be said to fall short.
 * `more`: what the second run asks of a workload beyond the first, by which its pace is judged.
 * `about`: the workload the question is about; where one of it falls short and no limit is broken,
 * the others are left out.
 */
export function failingWorkloads(
  before: RunFeatures | null,
  after: RunFeatures,
  about: string | null = null,
  more: AskedMore | null = null,
): FailingWorkload[] {
  const broken = after.workloads.flatMap((workload): FailingWorkload[] => {
    const worst = workload.limits
      .flatMap((limit) => {
        if (limit.worst === null || limit.trace === null || limit.limit <= 0) return [];
        const share =
          limit.kind === 'max'
            ? limit.worst / limit.limit
            : limit.worst <= 0
              ? 10
              : limit.limit / limit.worst;
        return share > 1 ? [{ limit, share }] : [];
      })
      .sort((a, b) => b.share - a.share)[0];
    if (worst === undefined) return [];
    const { limit, share } = worst,
      trace = limit.trace!;
    return [
      {
        entityId: workload.entityId,
        name: workload.name,
        tile: workload.tile,
        metric: limit.metric,
        unit: limit.unit,
        why: 'qos',
        seriesId: trace.seriesIds[0] ?? 0,
        before: earlier(
          before,
          workload,
          (w) => w.limits.find((l) => l.metric === limit.metric)?.trace?.mean ?? null,
        ),
        after: limit.worst!,
        limit: limit.limit,
        workload,
        severity: Math.min(1, share - 1),
        overLimit: over(trace.buckets, limit.limit, limit.kind),
      },
    ];
  });
  const worse =
    broken.length > 0 || before === null
      ? broken
      : after.workloads.flatMap((workload) => heldBack(before, workload, more));
  const found =
    worse.length > 0 ? worse : after.workloads.flatMap((workload) => disturbed(after, workload));
  const asked = broken.length > 0 ? [] : found.filter((one) => one.workload.workloadId === about);
  return (asked.length > 0 ? asked : found).sort((a, b) => b.severity - a.severity);
}

/** A workload that left the band of its own mean after an act, as the result of the act has it. */
function disturbed(after: RunFeatures, workload: WorkloadFeature): FailingWorkload[] {
  const { throughput } = workload;
  const hit = after.acts
    .flatMap((act) => {
      const on = act.workloads.find((one) => one.entityId === workload.entityId);
      if (on === undefined || (on.outcome !== 'recovered' && on.outcome !== 'lost')) return [];
      const tookMs = on.recoveryS === null ? act.untilMs - act.fromMs : on.recoveryS * 1_000;
      return [{ act, on, tookMs }];
    })
    .sort((a, b) => b.tookMs - a.tookMs)[0];
  const was = hit?.on.throughputBefore ?? null;
  if (hit === undefined || throughput === null || was === null || was <= 0) return [];
  const during = throughput.buckets.filter((value, i): value is number => {
    const atMs = after.startMs + i * after.bucketMs;
    return value !== null && atMs >= hit.act.fromMs && atMs < hit.act.fromMs + hit.tookMs;
  });
  const limit = was * thresholds.worse.from;
  return [
    {
      entityId: workload.entityId,
      name: workload.name,
      tile: workload.tile,
      metric: 'throughput',
      unit: '',
      why: 'disturbed',
      seriesId: throughput.seriesIds[0] ?? 0,
      before: was,
      after: during.length === 0 ? throughput.mean : mean(during),
      limit,
      workload,
      severity: Math.min(1, hit.tookMs / Math.max(1, after.steady.toMs - after.steady.fromMs)),
      overLimit: over(throughput.buckets, limit, 'min'),
    },
  ];
}

function heldBack(
  before: RunFeatures,
  workload: WorkloadFeature,
  more: AskedMore | null,
): FailingWorkload[] {
  if (!workload.scored) return [];
  const { throughput, latency } = workload;
  const was = earlier(before, workload, (w) => w.throughput?.mean ?? null),
    pace = factor(was, throughput?.mean);
  const base = {
    entityId: workload.entityId,
    name: workload.name,
    tile: workload.tile,
    why: 'worse' as const,
    workload,
  };
  if (throughput !== null && was !== null && pace !== null && pace < thresholds.worse.from) {
    const limit = was * thresholds.worse.from;
    return [
      {
        ...base,
        metric: 'throughput',
        unit: '',
        seriesId: throughput.seriesIds[0] ?? 0,
        before: was,
        after: throughput.mean,
        limit,
        severity: Math.min(1, (1 - pace) * 2),
        overLimit: over(throughput.buckets, limit, 'min'),
      },
    ];
  }
  // Asked for more, it should do as much more: less than half of that is no growth.
  if (more?.workloadId === workload.workloadId && throughput !== null && was !== null) {
    const limit = was * (1 + (more.factor - 1) * leastGrowth);
    if (throughput.mean < limit)
      return [
        {
          ...base,
          metric: 'throughput',
          unit: '',
          seriesId: throughput.seriesIds[0] ?? 0,
          before: was,
          after: throughput.mean,
          limit,
          severity: Math.min(1, 1 - throughput.mean / (was * more.factor)),
          overLimit: over(throughput.buckets, limit, 'min'),
        },
      ];
  }
  const took = earlier(before, workload, (w) => w.latency?.mean ?? null),
    rise = factor(took, latency?.mean);
  if (latency !== null && took !== null && rise !== null && rise > slower) {
    const limit = took * slower;
    return [
      {
        ...base,
        metric: latency.metric,
        unit: latency.unit,
        seriesId: latency.seriesIds[0] ?? 0,
        before: took,
        after: latency.mean,
        limit,
        severity: Math.min(1, (rise - 1) / 2),
        overLimit: over(latency.buckets, limit, 'max'),
      },
    ];
  }
  return [];
}
