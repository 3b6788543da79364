import type { ActEffect, ActState } from '../../../src/core/acts/act.ts';
import type { ActFeature } from '../../../src/core/diagnosis/diagnosisFeatures.ts';
import { actInRun } from '../../../src/core/run/actSummary.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { SampleStore } from '../db/types.ts';
import { placesIn } from './places.ts';

/**
 * Acts of a run that began in a time of it, with what they did to each workload: the figures of its
 * result, and how long a workload whose VM was on the host of the act did nothing at all.
 */
export function actsOf(
  samples: Pick<SampleStore, 'read'>,
  record: RunRecord,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): ActFeature[] {
  const { overview } = record;
  const begun = (overview.acts ?? [])
    .flatMap((act) => (act.startedMs === null ? [] : [{ ...act, startedMs: act.startedMs }]))
    .filter((act) => act.startedMs >= fromMs && act.startedMs < toMs)
    .sort((a, b) => a.startedMs - b.startedMs);
  return begun.map((act, i): ActFeature => {
    const untilMs = Math.min(toMs, begun[i + 1]?.startedMs ?? Infinity);
    const hostRef = hostOf(record, act);
    const places = placesIn(record, act.startedMs - 1);
    const vmOf = new Map(
      record.testbed.tiles.flatMap((tile) =>
        tile.workloads.map((one) => [`t${tile.index}.${one.workloadId}`, one.vm?.ref ?? null]),
      ),
    );
    return {
      id: act.id,
      kind: act.kind,
      label: actInRun(act, overview.startedAtMs),
      beforeMs: Math.max(fromMs, begun[i - 1]?.startedMs ?? 0),
      fromMs: act.startedMs,
      doneMs: act.doneMs,
      endedMs: act.endedMs,
      untilMs,
      hostRef,
      workloads: (act.effects ?? []).map((effect) => {
        const on =
          hostRef !== null && places.of(vmOf.get(effect.entityId) ?? null).hostRef === hostRef;
        return {
          ...figuresOf(effect),
          isOnTarget: on,
          downS: on ? downS(samples, record, effect.entityId, act.startedMs, untilMs) : null,
        };
      }),
    };
  });
}

const figuresOf = (
  effect: ActEffect,
): Omit<ActFeature['workloads'][number], 'isOnTarget' | 'downS'> => ({
  entityId: effect.entityId,
  outcome: effect.outcome,
  recoveryS: effect.recoveryS,
  violatedS: effect.violatedS,
  throughputBefore: effect.throughputBefore,
  throughputAfter: effect.throughputAfter,
});

/** The host that an act is about; of an uplink its host. */
function hostOf({ plan, inventoryBefore }: RunRecord, { id }: ActState): string | null {
  const ref = plan.acts?.find((one) => one.id === id)?.target?.ref ?? null;
  const known = inventoryBefore?.hosts.find(
    (one) => one.ref === ref || ref?.startsWith(`${one.ref}/`),
  );
  return known?.ref ?? null;
}

/**
 * Seconds from an act on in which a workload did nothing: samples of 0 in a row, from its first or
 * second sample after the act on, as the act may fall within a sample. null = nothing was measured.
 */
function downS(
  samples: Pick<SampleStore, 'read'>,
  { overview }: RunRecord,
  entityId: string,
  fromMs: number,
  toMs: number,
): number | null {
  const def = overview.series.find(
    (one) => one.entity.id === entityId && one.metric === 'throughput',
  );
  if (def === undefined) return null;
  const [data] = samples.read(overview.id, [def.id], { fromMs: fromMs + 1, toMs, maxPoints: 0 });
  const all = [...(data?.tMs ?? [])].map((tMs, i) => ({ tMs, done: data!.value[i]! }));
  if (all.length === 0) return null;
  const rest = all[0]!.done === 0 ? all : all.slice(1);
  const end = rest.findIndex((one) => one.done > 0);
  const zeros = end === -1 ? rest : rest.slice(0, end);
  return zeros.length === 0 ? 0 : (zeros.at(-1)!.tMs - fromMs) / 1_000;
}
