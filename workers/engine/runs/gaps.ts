import { gapLimitMs } from '../../../src/core/metric/gap.ts';
import {
  isEsxtopEntity,
  linuxHostId,
  type MetricName,
  type SeriesDef,
} from '../../../src/core/metric/metric.ts';
import { metricWords } from '../../../src/core/metric/metricWords.ts';
import type { Gap } from '../../../src/core/run/outages.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { steadyPlanned } from '../../../src/core/run/windows.ts';
import { esxiLoginsOf, linuxHostsOf } from '../../../src/core/testbed/usedConnections.ts';
import type { Database } from '../db/types.ts';
import { optionalMetrics } from './optionalMetrics.ts';

/** Connection that a series is read from; null = none, as of an operation. */
function peerOfSeries({ overview, testbed }: RunRecord, { entity }: SeriesDef): string | null {
  if (isEsxtopEntity(entity))
    return (
      esxiLoginsOf(testbed).find(({ host }) => entity.id.startsWith(`${host.ref}/`))
        ?.connectionId ?? null
    );
  switch (entity.kind) {
    case 'workload':
      return overview.workloads.find((w) => w.entityId === entity.id)?.clientId ?? null;
    case 'client':
      return entity.id;
    case 'power':
      return testbed.powerIds.includes(entity.id) ? entity.id : testbed.vcenterId;
    case 'host':
      return linuxHostsOf(testbed).find((id) => linuxHostId(id) === entity.id) ?? testbed.vcenterId;
    case 'uplink':
    case 'datastore':
    case 'vm':
      return testbed.vcenterId;
    case 'operation':
    case 'tile':
      return null;
  }
}

/** esxtop may take so long to start on a busy host. Chosen. */
const esxtopStartMs = 30_000;

/**
 * Gaps of the steady state, the longest of each series. What a sleep of this
 * computer explains is none: `clock.away` tells of it.
 */
export function gapsOf(db: Database, record: RunRecord): Gap[] {
  const steady = steadyPlanned(record.overview);
  if (!steady) return [];
  const { endMs } = steady;
  const away = record.overview.events.flatMap(({ kind, tMs, untilMs }) =>
    kind === 'clock' && untilMs !== undefined ? [{ fromMs: tMs, toMs: untilMs }] : [],
  );
  const gaps: Gap[] = [];
  for (const def of record.overview.series) {
    // An operation's duration is told when it ends, at no period.
    if (def.entity.kind === 'operation' && def.metric !== 'throughput') continue;
    const [data] = db.samples.read(record.overview.id, [def.id], {
      fromMs: steady.startMs,
      toMs: endMs,
      maxPoints: 0,
    });
    // Of one operation only: an interval may have had none. What the load tells besides has the gap.
    if (ofOneOperation.has(def.metric)) continue;
    // A client too busy to answer in its second is told of by the loads on it.
    if (def.entity.kind === 'client') continue;
    const isEsxtop = isEsxtopEntity(def.entity);
    // A VM is told of by the host that it is on: which it was, is not known of a gap.
    if (isEsxtop && def.entity.kind === 'vm') continue;
    // Not every array tells them apart: a counter that is never there is no gap.
    const isOptional = optionalMetrics.has(def.metric) || def.entity.kind === 'vm' || isEsxtop;
    if (isOptional && (data?.tMs.length ?? 0) === 0) continue;
    const worst = longestGap(
      withIdle(db, record, def, data?.tMs ?? new Float64Array(), steady),
      steady.startMs,
      endMs - def.lagMs,
      away,
    );
    // It is started anew wherever a VM comes or goes.
    const limitMs = Math.max(gapLimitMs(def.periodMs), isEsxtop ? esxtopStartMs : 0);
    if (worst.unexplainedMs <= limitMs + def.lagMs) continue;
    gaps.push({
      peerId: peerOfSeries(record, def),
      series: `${def.entity.name} ${metricWords[def.metric]}`,
      vital: def.entity.kind !== 'vm' && !isEsxtop,
      fromMs: worst.fromMs,
      toMs: worst.fromMs + worst.ms,
    });
  }
  return gaps;
}

/** Times of one operation among others, as sending mail. */
const ofOneOperation: ReadonlySet<MetricName> = new Set([
  'acceptedMeanMs',
  'acceptedP95Ms',
  'deliveredMeanMs',
  'deliveredP95Ms',
]);
const latencies: ReadonlySet<MetricName> = new Set([
  'latencyMeanMs',
  'latencyP95Ms',
  'latencyP99Ms',
]);

/** Of a workload's latency: an interval in which it did nothing has none, and is no gap. */
function withIdle(
  db: Database,
  { overview }: RunRecord,
  { entity, metric }: SeriesDef,
  times: Float64Array,
  { startMs, endMs }: { startMs: number; endMs: number },
): Float64Array {
  const pace = latencies.has(metric)
    ? overview.series.find((one) => one.entity.id === entity.id && one.metric === 'throughput')
    : undefined;
  if (!pace || entity.kind !== 'workload') return times;
  const [done] = db.samples.read(overview.id, [pace.id], {
    fromMs: startMs,
    toMs: endMs,
    maxPoints: 0,
  });
  const idle = (done?.tMs ?? new Float64Array()).filter((_, i) => done?.value[i] === 0);
  return Float64Array.from([...times, ...idle]).sort((a, b) => a - b);
}

interface TimeGap {
  fromMs: number;
  ms: number;
  /** Without the time in which nobody here could read. */
  unexplainedMs: number;
}

/** The gap with the most time that `away` does not explain. */
function longestGap(
  times: Float64Array,
  startMs: number,
  endMs: number,
  away: readonly { fromMs: number; toMs: number }[],
): TimeGap {
  let worst: TimeGap = { fromMs: startMs, ms: 0, unexplainedMs: 0 };
  let before = startMs;
  for (const tMs of [...times, endMs]) {
    const explainedMs = away.reduce(
      (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(tMs, toMs) - Math.max(before, fromMs)),
      0,
    );
    const unexplainedMs = tMs - before - explainedMs;
    if (unexplainedMs > worst.unexplainedMs)
      worst = { fromMs: before, ms: tMs - before, unexplainedMs };
    before = tMs;
  }
  return worst;
}
