import type { MetricName } from '../../../../src/core/metric/metric.ts';
import { scoreRun } from '../../../../src/core/score/score.ts';
import type { AxisValue, StudyPoint } from '../../../../src/core/study/study.ts';
import { workloadUnits } from '../../runs/series.ts';
import { changedSpec } from '../../simlab/changes.ts';
import { createLabModel } from '../../simlab/model/model.ts';
import type { LabModel } from '../../simlab/model/types.ts';
import { recognise } from '../../simlab/programs/recognise.ts';
import type { Place } from '../../simlab/programs/types.ts';
import { variantOf } from '../../studies/variant.ts';
import { getDriver } from '../../workloads/index.ts';
import type { GalleryEntry, StudyView } from '../types.ts';

const bucketMs = 20_000;
type Recorded = Map<string, { elapsedS: Float64Array; value: Float64Array }>;
const keyOf = (values: Readonly<Record<string, AxisValue>>): string =>
  Object.entries(values)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(';');

/**
 * Runs every point of an entry's study straight on the model, without engine, database and virtual
 * clock, and gives what its expectations look at: seconds instead of a minute, for calibrating and
 * for tests of one entry. Only simulated loads, one lab, and the measures the network needs.
 */
export function driveModel(
  entry: GalleryEntry,
  only: (values: Readonly<Record<string, AxisValue>>) => boolean = () => true,
): StudyView {
  const points = pointsOf(entry).filter(only);
  const recorded = new Map(points.map((values) => [keyOf(values), runPoint(entry, values)]));
  const { rampUpS, steadyS } = entry.plan.phases;
  const meanOf = (found: { elapsedS: Float64Array; value: Float64Array }): number => {
    const steady = [...found.value].filter(
      (_, i) => found.elapsedS[i]! > rampUpS && found.elapsedS[i]! <= rampUpS + steadyS,
    );
    return steady.reduce((sum, one) => sum + one, 0) / steady.length;
  };
  return {
    points: points.map((values): StudyPoint => ({
      key: keyOf(values),
      values,
      repeat: 1,
      state: 'passed',
      runId: null,
      earlierRunIds: [],
      detail: '',
      measures: {},
    })),
    value(measure, at) {
      if (measure.startsWith('netGbps.')) {
        const kBps = this.value(measure.replace('netGbps', 'netKbps'), at);
        return kBps === null ? null : kBps * 8e-6;
      }
      const series = recorded.get(keyOf(at));
      if (!series) return null;
      const [metric = '', kind = '', ...rest] = measure.split('.');
      if (metric === 'score') return scoreAt(entry, recorded, at, meanOf);
      if ((metric === 'powerW' && kind === 'sum') || metric === 'wattsPerVm') {
        const watts = series.get('powerW/power/meter')!;
        const steady = [...watts.value].filter(
          (_, i) => watts.elapsedS[i]! > rampUpS && watts.elapsedS[i]! <= rampUpS + steadyS,
        );
        const vms = entry.testbeds[0]!.tiles.slice(
          0,
          variantOf(entry.study, entry.plan, { key: '', values: { ...at } }).plan.tiles,
        ).flatMap((tile) => tile.workloads).length;
        return metric === 'wattsPerVm'
          ? meanOf(watts) / vms
          : rest[0] === 'max'
            ? Math.max(...steady)
            : meanOf(watts);
      }
      if (kind === 'datastore' && metric.endsWith('LatencyMs')) {
        const parts = [...series]
          .filter(([key]) => key.startsWith(`${metric}/datastore/`))
          .map(([key, one]) => ({
            ms: meanOf(one),
            iops: meanOf(series.get(key.replace(metric, 'iops'))!),
          }));
        return (
          parts.reduce((sum, { ms, iops }) => sum + ms * iops, 0) /
          parts.reduce((sum, { iops }) => sum + iops, 0)
        );
      }
      const fold = rest.at(-1) ?? kind;
      const id = rest.slice(0, -1).join('.');
      const means = [...series]
        .filter(([key]) =>
          kind === 'uplink' || kind === 'host' || kind === 'datastore'
            ? key.startsWith(`${metric}/${kind}/`) &&
              (id === '' || key === `${metric}/${kind}/${id}`)
            : key.startsWith(`${metric}/workload/`) && key.endsWith(`.${kind}`),
        )
        .map(([, one]) => meanOf(one));
      if (means.length === 0) return null;
      const sum = means.reduce((a, b) => a + b, 0);
      return fold === 'sum'
        ? sum
        : fold === 'max'
          ? Math.max(...means)
          : fold === 'min'
            ? Math.min(...means)
            : sum / means.length;
    },
    series(at, metric, { kind, id }) {
      const series = recorded.get(keyOf(at));
      if (id !== undefined) return series?.get(`${metric}/${kind}/${id}`) ?? null;
      const all = [...(series ?? [])]
        .filter(([key]) => key.startsWith(`${metric}/${kind}/`))
        .map(([, one]) => one);
      return all.length === 0
        ? null
        : {
            elapsedS: all[0]!.elapsedS,
            value: all[0]!.value.map((_, i) => all.reduce((sum, one) => sum + one.value[i]!, 0)),
          };
    },
  };
}

/** Score of one point over the whole steady state, normalised to the study's reference point. */
function scoreAt(
  entry: GalleryEntry,
  recorded: ReadonlyMap<string, Recorded>,
  at: Readonly<Record<string, AxisValue>>,
  meanOf: (found: { elapsedS: Float64Array; value: Float64Array }) => number,
): number | null {
  const measured = (
    values: Readonly<Record<string, AxisValue>>,
  ): { tile: number; workloadId: string; samples: number; values: { throughput: number } }[] =>
    [...(recorded.get(keyOf(values)) ?? [])].flatMap(([key, one]) => {
      const match = /^throughput\/workload\/t(\d+)\.(.+)$/.exec(key);
      return match
        ? [
            {
              tile: Number(match[1]),
              workloadId: match[2]!,
              samples: 1,
              values: { throughput: meanOf(one) },
            },
          ]
        : [];
    });
  const reference = measured(entry.study.reference ?? pointsOf(entry)[0]!).filter(
    ({ tile }) => tile === 0,
  );
  const own = measured(at),
    tiles = Math.max(...own.map(({ tile }) => tile)) + 1;
  const profile = entry.profiles.find(
    (one) =>
      one.id === variantOf(entry.study, entry.plan, { key: '', values: { ...at } }).plan.profileId,
  )!;
  const scored = {
    ...profile,
    workloads: profile.workloads
      .filter(({ id }) => own.some((one) => one.workloadId === id))
      .map((w) => ({ ...w, qos: [] })),
  };
  const { application, total } = scoreRun(
    scored,
    tiles,
    [{ index: 0, workloads: own }],
    Object.fromEntries(reference.map((one) => [one.workloadId, one.values.throughput])),
    'reference',
  );
  return application ?? total;
}

function pointsOf({ study }: GalleryEntry): Record<string, AxisValue>[] {
  const [first, second] = study.axes;
  return first!.values.flatMap((a) =>
    second
      ? second.values.map((b) => ({ [first!.name]: a, [second.name]: b }))
      : [{ [first!.name]: a }],
  );
}

/** 20 s samples of one run, as vCenter and the drivers would give them. */
function runPoint(entry: GalleryEntry, values: Record<string, AxisValue>): Recorded {
  const { plan, labChanges } = variantOf(entry.study, entry.plan, { key: keyOf(values), values });
  const testbed = entry.testbeds.find((one) => one.id === plan.testbedId)!;
  const profile = entry.profiles.find((one) => one.id === plan.profileId)!;
  const given = entry.labs.find((one) => one.id === testbed.vcenterId)!;
  const { spec } = changedSpec(given, labChanges);
  const model = createLabModel(spec, 0);
  const { rampUpS, steadyS, staggerS } = plan.phases;
  const totalS = rampUpS + steadyS;
  const starts = workloadUnits(profile, testbed, plan)
    .flatMap((unit) => {
      const command = getDriver(unit.workload.driver).command(unit.params, {
        durationS: totalS,
        intervalS: 10,
      });
      const inside = unit.assignment.clientId.startsWith(`${spec.id}-in-`);
      const program = recognise(command, {
        ...place(model, inside ? unit.assignment.vm!.ref : null),
        tripMs: () => () => 1,
      });
      if (program.kind === 'runs' && !program.load) return [];
      if (program.kind !== 'runs' || !program.load)
        throw new Error(`${entry.item.id}: ${command} runs no load`);
      return [
        {
          unit,
          load: program.load,
          clientId: inside ? null : unit.assignment.clientId.slice(spec.id.length + 1),
          atMs: unit.tile * staggerS * 1_000,
        },
      ];
    })
    .sort((a, b) => a.atMs - b.atMs);
  const columns = new Map<string, number[]>();
  const put = (metric: MetricName, entity: string, value: number): void => {
    const key = `${metric}/${entity}`,
      known = columns.get(key);
    if (known) known.push(value);
    else columns.set(key, [value]);
  };
  const elapsed: number[] = [];
  const metered = entry.connections.some(
    (one) => one.kind === 'power' && one.source.type === 'nut',
  );
  let next = 0;
  for (let toMs = bucketMs; toMs <= totalS * 1_000; toMs += bucketMs) {
    for (; next < starts.length && starts[next]!.atMs < toMs; next += 1) {
      const { unit, load, clientId, atMs } = starts[next]!;
      model.advance(atMs);
      model.startLoad({ id: unit.entityId, vmId: load.vmId, clientId, demand: load.demand });
    }
    model.advance(toMs);
    elapsed.push(toMs / 1_000);
    const fromMs = toMs - bucketMs;
    for (const host of spec.hosts) {
      const report = model.host(host.id, fromMs, toMs);
      put('cpuPct', `host/${host.id}`, report?.cpuPct ?? NaN);
      for (const uplink of model.uplinks(host.id, fromMs, toMs))
        put('netKbps', `uplink/${host.id}/${uplink.uplinkId}`, uplink.kbps);
    }
    // A meter shows the last second, vCenter the mean.
    put(
      'powerW',
      'power/meter',
      spec.hosts.reduce(
        (sum, host) =>
          sum + (model.host(host.id, metered ? toMs - 1_000 : fromMs, toMs)?.powerW ?? 0),
        0,
      ),
    );
    for (const { id } of spec.datastores) {
      const report = model.datastore(id, fromMs, toMs);
      put('iops', `datastore/${id}`, (report?.readIops ?? 0) + (report?.writeIops ?? 0));
      put('readIops', `datastore/${id}`, report?.readIops ?? 0);
      put('writeIops', `datastore/${id}`, report?.writeIops ?? 0);
      put('deviceLatencyMs', `datastore/${id}`, report?.deviceLatencyMs ?? 0);
      put('kernelLatencyMs', `datastore/${id}`, report?.kernelLatencyMs ?? 0);
    }
    for (const { unit } of starts) {
      const report = model.load(unit.entityId, fromMs, toMs);
      put('throughput', `workload/${unit.entityId}`, report?.throughput ?? 0);
      put('errorRate', `workload/${unit.entityId}`, report?.errorsPerS ?? 0);
      put('latencyMeanMs', `workload/${unit.entityId}`, report?.latencyMeanMs ?? 0);
      put('latencyP95Ms', `workload/${unit.entityId}`, report?.latencyP95Ms ?? 0);
    }
  }
  const elapsedS = Float64Array.from(elapsed);
  return new Map(
    [...columns].map(([key, value]) => [key, { elapsedS, value: Float64Array.from(value) }]),
  );
}

const place = (model: LabModel, guestVmId: string | null): Place => ({
  spec: model.spec,
  guestVmId,
  resolveVm: (address) =>
    model.spec.vms.find((vm) => address === `${vm.id}.${model.spec.id}.sim`)?.id ?? null,
});
