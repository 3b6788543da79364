import {
  aggregateRun,
  powerSources,
  type SeriesAggregate,
} from '../../../src/core/compare/index.ts';
import { isEsxtopEntity, type MetricName } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { steadyWindow } from '../../../src/core/run/windows.ts';
import { mean, weightedMean } from '../../../src/core/stats/summary.ts';
import type { Measures } from '../../../src/core/study/study.ts';
import type { SampleStore } from '../db/types.ts';

type Folds = Readonly<Record<string, (values: readonly number[]) => number>>;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const least = (values: readonly number[]): number => Math.min(...values);
const most = (values: readonly number[]): number => Math.max(...values);

/** Links are named in Gb/s. */
const gbpsPerKBps = 8e-6;
/** Up to this many hosts each has measures of its own. */
const fewHosts = 8;

/** How a workload's metric is put together over the tiles. */
const overTiles: Partial<Record<MetricName, Folds>> = {
  throughput: { sum, mean, min: least },
  errorRate: { sum },
  iops: { sum, mean },
  readIops: { sum, mean },
  writeIops: { sum, mean },
  latencyMeanMs: { mean, max: most },
  latencyP95Ms: { mean, max: most },
  latencyP99Ms: { mean, max: most },
  latencyMaxMs: { max: most },
  retransmitRate: { sum },
  lossPct: { mean, max: most },
  jitterMs: { mean, max: most },
  acceptedMeanMs: { mean, max: most },
  acceptedP95Ms: { mean, max: most },
  deliveredMeanMs: { mean, max: most },
  deliveredP95Ms: { mean, max: most },
  undelivered: { sum },
  readMBps: { sum, mean },
  writeMBps: { sum, mean },
};

/**
 * What a study shows of one run: means over the steady state from the stored samples, put together
 * over tiles, hosts and datastores; names as in src/core/study/study.ts. A measure is null where
 * any of its series has no sample in the steady state; one that no series is about is left out.
 * Mean latencies are weighted: of datastores by their IOPS, of tiles by their throughput.
 */
export function measuresOf(
  record: RunRecord,
  samples: Pick<SampleStore, 'aggregate' | 'read'>,
): Measures {
  const { overview } = record;
  const aggregates = aggregateRun(overview, (id, fromMs, toMs) =>
    samples.aggregate(overview.id, id, fromMs, toMs),
  );
  const out: Measures = {};
  if (overview.score) {
    out['score'] = overview.score.total;
    if (overview.score.application !== undefined)
      out['score.application'] = overview.score.application;
    if (overview.score.infrastructure !== undefined)
      out['score.infrastructure'] = overview.score.infrastructure;
  }
  const groups = new Map<string, SeriesAggregate[]>();
  for (const series of aggregates.series) {
    const name = groupName(series);
    if (name !== null) groups.set(name, [...(groups.get(name) ?? []), series]);
  }
  for (const [name, group] of groups) {
    const folds = foldsOf(group[0]!);
    const means = group.map((one) => one.steady?.mean ?? NaN);
    for (const [fold, apply] of Object.entries(folds))
      out[`${name}.${fold}`] = finite(apply(means));
    if (name.startsWith('netKbps.uplink.'))
      out[name.replace('netKbps', 'netGbps') + '.mean'] = finite(means[0]! * gbpsPerKBps);
    // Machines that a study sets side by side differ: their mean says nothing of either.
    if (group[0]!.def.entity.kind === 'host' && group.length > 1 && group.length <= fewHosts)
      for (const [i, { def }] of group.entries())
        out[`${name}.${def.entity.id}.mean`] = finite(means[i]!);
  }
  for (const metric of ['deviceLatencyMs', 'kernelLatencyMs'] as const) {
    const group = groups.get(`${metric}.datastore`);
    if (group)
      out[`${metric}.datastore.mean`] = weighted(group, groups.get('iops.datastore') ?? []);
  }
  // A tile that does ten times the operations is ten times as much of their mean latency.
  for (const [name, group] of groups)
    if (name.startsWith('latencyMeanMs.') && group[0]!.def.entity.kind === 'workload')
      out[`${name}.mean`] = weighted(
        group,
        groups.get(name.replace('latencyMeanMs', 'throughput')) ?? [],
      );
  Object.assign(out, power(record, aggregates, samples));
  return out;
}

/**
 * `throughput.java`, `cpuPct.host`, `netKbps.uplink.<host/uplink>`; null for what a study does not show.
 */
function groupName({ def }: SeriesAggregate): string | null {
  const { kind, id } = def.entity;
  // It is of a host's inside, where a plan asked for it: a study speaks of what all its points have.
  if (isEsxtopEntity(def.entity)) return null;
  switch (kind) {
    case 'workload':
      return def.metric in overTiles ? `${def.metric}.${id.slice(id.indexOf('.') + 1)}` : null;
    case 'power':
    case 'tile':
    // A study speaks of hosts and workloads; which VM took it is read on its runs.
    case 'vm':
      return null;
    case 'host':
    case 'datastore':
    case 'client':
      return `${def.metric}.${kind}`;
    case 'uplink':
      return `${def.metric}.uplink.${id}`;
    case 'operation':
      return `${def.metric}.${id}`;
  }
}

function foldsOf({ def }: SeriesAggregate): Folds {
  switch (def.entity.kind) {
    case 'workload':
      return overTiles[def.metric] ?? {};
    case 'datastore':
      return def.metric.endsWith('LatencyMs') ? { max: most } : { sum };
    case 'host':
    case 'client':
    case 'power':
    case 'tile':
    case 'vm':
      return { mean, min: least, max: most, ...(def.metric === 'netKbps' ? { sum } : {}) };
    case 'uplink':
    case 'operation':
      return { mean, max: most };
  }
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/**
 * Mean of the series' means, each by the rate of its entity; where no rate is known they count the
 * same. null where one of them is not known.
 */
function weighted(
  group: readonly SeriesAggregate[],
  rates: readonly SeriesAggregate[],
): number | null {
  const weights = group.map(
    (one) => rates.find((rate) => rate.def.entity.id === one.def.entity.id)?.steady?.mean ?? NaN,
  );
  const values = group.map((one) => one.steady?.mean ?? NaN);
  return finite(sum(weights) > 0 ? weightedMean(values, weights) : mean(values));
}

/**
 * Sum over the series of the source that speaks: its mean, and the highest of the sums of one
 * sampling period.
 */
function power(
  record: RunRecord,
  aggregates: ReturnType<typeof aggregateRun>,
  samples: Pick<SampleStore, 'read'>,
): Measures {
  const { overview, plan, testbed } = record;
  const source = powerSources(aggregates)[0];
  const steady = steadyWindow(overview);
  if (!source || !steady) return {};
  const total = finite(sum(source.series.map((s) => s.steady?.mean ?? NaN)));
  const vms = new Set(
    testbed.tiles
      .slice(0, plan.tiles)
      .flatMap((tile) => tile.workloads.flatMap((w) => (w.vm ? [w.vm.ref] : []))),
  );
  const data = samples.read(
    overview.id,
    source.series.map((s) => s.def.id),
    { fromMs: steady.startMs, toMs: steady.endMs, maxPoints: 0 },
  );
  const sums = new Map<number, { watts: number; count: number }>();
  for (const { tMs, value } of data) {
    tMs.forEach((at, i) => {
      const bucket = Math.floor(at / source.periodMs);
      const known = sums.get(bucket) ?? { watts: 0, count: 0 };
      sums.set(bucket, { watts: known.watts + value[i]!, count: known.count + 1 });
    });
  }
  // A period in which one machine said nothing, or one twice, has no sum.
  const whole = [...sums.values()]
    .filter(({ count }) => count === data.length)
    .map(({ watts }) => watts);
  return {
    'powerW.sum.mean': total,
    'powerW.sum.max': whole.length > 0 ? most(whole) : null,
    wattsPerVm: total !== null && vms.size > 0 ? total / vms.size : null,
  };
}
