import type { ActState } from '../../../../src/core/acts/act.ts';
import { effectOf, recoveryRule, type Sampled } from '../../../../src/core/acts/effect.ts';
import { secondsOfRate } from '../../../../src/core/base/units.ts';
import { isOfOneSeries, limitsOf } from '../../../../src/core/limits/index.ts';
import type { MetricName, SeriesDef } from '../../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../../src/core/run/run.ts';
import { steadyPlanned } from '../../../../src/core/run/windows.ts';
import type { Database } from '../../db/types.ts';

/**
 * The acts of an ended run with what each did to every workload, from its stored samples. An act is
 * looked at until the next one begins, or the steady state ends; before it counts what was after
 * the act before it began, so that two acts close together are told apart as far as that goes.
 */
export function withEffects(db: Database, record: RunRecord): ActState[] {
  const { overview, plan, profile } = record;
  const acts = overview.acts ?? [];
  const steady = steadyPlanned(overview);
  const begun = acts
    .filter((act) => act.startedMs !== null)
    .sort((a, b) => a.startedMs! - b.startedMs!);
  if (!steady || begun.length === 0) return acts;
  const limits = limitsOf(profile, plan.tiles).filter(isOfOneSeries);
  const read = (def: SeriesDef | undefined): Sampled | null => {
    if (!def) return null;
    const [data] = db.samples.read(overview.id, [def.id], {
      fromMs: steady.startMs,
      toMs: steady.endMs,
      maxPoints: 0,
    });
    return data ?? null;
  };
  const made = new Map<string, NonNullable<ActState['effects']>>(begun.map(({ id }) => [id, []]));
  for (const { entityId, workloadId } of overview.workloads) {
    const unit = profile.workloads.find((one) => one.id === workloadId)?.unit ?? '';
    const defOf = (metric: MetricName): SeriesDef | undefined =>
      overview.series.find((one) => one.entity.id === entityId && one.metric === metric);
    const throughput = defOf('throughput');
    if (!throughput) continue;
    const done = read(throughput);
    const latencyMs = read(defOf('latencyMeanMs') ?? defOf('latencyP95Ms'));
    const limited = limits
      .filter((one) => one.entityId === entityId)
      .flatMap(({ metric, kind, limit }) => {
        const samples = read(defOf(metric));
        return samples ? [{ samples, kind, limit }] : [];
      });
    begun.forEach((act, i) => {
      made.get(act.id)!.push({
        entityId,
        ...effectOf({
          throughput: done,
          latencyMs,
          limits: limited,
          atMs: act.startedMs!,
          fromMs: Math.max(steady.startMs, begun[i - 1]?.startedMs ?? 0),
          untilMs: Math.min(steady.endMs, begun[i + 1]?.startedMs ?? Infinity),
          periodMs: throughput.periodMs,
          rateS: secondsOfRate(unit) ?? 1,
        }),
      });
    });
  }
  return acts.map((act) => {
    const effects = made.get(act.id);
    return effects === undefined ? act : { ...act, effects, rule: { ...recoveryRule } };
  });
}
