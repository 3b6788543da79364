import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import { workloadName } from '../../../core/chart/boardCharts.ts';
import type { Entity, MetricName, SeriesDef } from '../../../core/metric/metric.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';

/** A chart of the board; `labels` names its lines where they are measures of one thing. */
export interface ShownChart extends BoardChart {
  labels?: readonly string[];
}

export const targetTitles = {
  tile: 'Tiles',
  workload: 'Workloads',
  tileWorkload: 'Workloads of tiles',
  host: 'Hosts',
  datastore: 'LUNs and datastores',
  uplink: 'Uplinks',
  power: 'Power meters',
  client: 'Clients',
  operation: 'Operations',
  chart: 'Every line of a chart',
} as const;
export type TargetKind = keyof typeof targetTitles;
/**
 * Something the board can be narrowed to. `key` is also the highlight key of its lines, where it
 * has some.
 */
export interface BoardTarget {
  key: string;
  kind: TargetKind;
  label: string;
}
/** Charts of one kind; `alike`: of like things, to be compared by height. */
export interface TargetSection {
  title: string;
  charts: readonly ShownChart[];
  alike: boolean;
}

export interface BoardCatalog {
  readonly targets: readonly BoardTarget[];
  readonly target: (key: string) => BoardTarget | undefined;
  readonly sections: (key: string) => TargetSection[];
  /** A chart by its id: a whole one, or `<chart>@<entity key>`, the part of one thing. */
  readonly chart: (id: string) => ShownChart | undefined;
}

interface Family {
  id: string;
  title: string;
  metrics: readonly MetricName[];
  labels: readonly string[];
}
/** Measures that are read together: one chart for all of them where they are of one thing. */
const families: readonly Family[] = [
  {
    id: 'latency',
    title: 'latency',
    metrics: ['latencyMeanMs', 'latencyP95Ms', 'latencyP99Ms'],
    labels: ['Mean', '95th percentile', '99th percentile'],
  },
  {
    id: 'commands',
    title: 'I/O',
    metrics: ['iops', 'readIops', 'writeIops'],
    labels: ['All', 'Reads', 'Writes'],
  },
  {
    id: 'ioLatency',
    title: 'I/O latency',
    metrics: ['deviceLatencyMs', 'kernelLatencyMs', 'queueLatencyMs'],
    labels: ['Device', 'Kernel', 'Queue'],
  },
];

const keyOf = (entity: Entity): string => `${entity.kind}:${entity.id}`;
const isWorkload = (entity: Entity): boolean =>
  entity.kind === 'workload' || entity.kind === 'tile';

/** What of a run can be looked at by itself, and the charts that show it. */
export function createCatalog(
  charts: readonly BoardChart[],
  workloads: readonly Pick<RunOverview['workloads'][number], 'entityId' | 'tile' | 'workloadId'>[],
  profile: Profile | null,
): BoardCatalog {
  const entities = new Map<
    string,
    { entity: Entity; parts: { chart: BoardChart; def: SeriesDef }[] }
  >();
  for (const chart of charts)
    for (const def of chart.defs) {
      const held = entities.get(keyOf(def.entity)) ?? { entity: def.entity, parts: [] };
      held.parts.push({ chart, def });
      entities.set(keyOf(def.entity), held);
    }
  const workloadOf = new Map(workloads.map((w) => [w.entityId, w]));
  const nameOf = (entity: Entity): string => {
    const known = workloadOf.get(entity.id);
    return isWorkload(entity) && known !== undefined
      ? `Tile ${known.tile + 1} ${workloadName(profile, known.workloadId)}`
      : entity.name;
  };
  const cache = new Map<string, ShownChart[]>();
  /** Charts of one thing: its measures, those of a family on one chart. */
  const partsOf = (key: string): ShownChart[] => {
    const held = cache.get(key);
    if (held !== undefined) return held;
    const found = entities.get(key);
    const made = found === undefined ? [] : partCharts(nameOf(found.entity), key, found.parts);
    cache.set(key, made);
    return made;
  };
  const single = new Map<string, ShownChart[]>();
  /** Each measure of one thing on a chart of its own. */
  const singles = (key: string): ShownChart[] => {
    const held =
      single.get(key) ??
      (entities.get(key)?.parts ?? []).map(({ chart, def }) =>
        onePart(nameOf(def.entity), chart, def),
      );
    single.set(key, held);
    return held;
  };
  const ids = [...new Set(workloads.map((w) => w.workloadId))];
  const tiles = [...new Set(workloads.map((w) => w.tile))].sort((a, b) => a - b);
  const byKind = (kind: Entity['kind']): BoardTarget[] =>
    [...entities.values()]
      .filter(({ entity }) => entity.kind === kind)
      .map(({ entity }) => ({ key: keyOf(entity), kind, label: nameOf(entity) }))
      .sort((a, b) => byNaturalOrder(a.label, b.label));
  const targets: BoardTarget[] = [
    ...tiles.map((tile) => ({
      key: `tile:${tile}`,
      kind: 'tile' as const,
      label: `Tile ${tile + 1}`,
    })),
    ...ids.map((id) => ({
      key: `workloads:${id}`,
      kind: 'workload' as const,
      label: workloadName(profile, id),
    })),
    ...byKind('host'),
    ...byKind('datastore'),
    ...byKind('uplink'),
    ...byKind('power'),
    ...byKind('client'),
    ...byKind('workload').map((t): BoardTarget => ({ ...t, kind: 'tileWorkload' })),
    ...byKind('operation'),
    ...charts
      .filter((c) => c.defs.length > 1)
      .map((c) => ({
        key: `chart:${c.id}`,
        kind: 'chart' as const,
        label: `${c.title}, each on its own`,
      })),
  ];
  const known = new Map(targets.map((t) => [t.key, t]));
  const section = (title: string, list: readonly ShownChart[], alike: boolean): TargetSection[] =>
    list.length === 0 ? [] : [{ title, charts: list, alike: alike && list.length > 1 }];
  const byGroup = (list: readonly ShownChart[], alike: boolean): TargetSection[] => {
    const errors = list.filter((c) => c.defs[0]!.metric === 'errorRate');
    return [
      ...section(
        'Throughput',
        list.filter((c) => c.group === 'throughput' && !errors.includes(c)),
        alike,
      ),
      ...section(
        'Latency',
        list.filter((c) => c.group === 'latency'),
        alike,
      ),
      ...section('Errors', errors, alike),
    ];
  };
  const ofWorkloads = (list: typeof workloads): ShownChart[] =>
    list.flatMap((w) => partsOf(`workload:${w.entityId}`));
  const opened = new Map<string, TargetSection[]>();
  const makeSections = (key: string): TargetSection[] => {
    const target = known.get(key);
    const id = key.slice(key.indexOf(':') + 1);
    if (target === undefined) return [];
    if (target.kind === 'tile')
      return byGroup(ofWorkloads(workloads.filter((w) => w.tile === Number(id))), false);
    if (target.kind === 'workload')
      return byGroup(ofWorkloads(workloads.filter((w) => w.workloadId === id)), true);
    if (target.kind === 'chart')
      return section(
        '',
        (charts.find((c) => c.id === id)?.defs ?? []).map((def) =>
          onePart(
            nameOf(def.entity),
            charts.find((c) => c.id === id)!,
            def,
          ),
        ),
        true,
      );
    if (target.kind !== 'host') return section('', partsOf(key), false);
    const uplinks = [...entities.values()].filter(
      ({ entity }) => entity.kind === 'uplink' && entity.id.startsWith(`${id}/`),
    );
    const meters = [...entities.values()].filter(
      ({ entity }) => entity.kind === 'power' && (entity.id === id || entity.name === target.label),
    );
    return [
      ...section('Host', partsOf(key), false),
      ...section(
        'Uplinks',
        uplinks.flatMap(({ entity }) => partsOf(keyOf(entity))),
        true,
      ),
      ...section(
        'Power',
        meters.flatMap(({ entity }) => partsOf(keyOf(entity))),
        false,
      ),
    ];
  };
  return {
    targets,
    target: (key) => known.get(key),
    // The same charts each time: a new one would be drawn anew.
    sections: (key) => {
      const held = opened.get(key) ?? makeSections(key);
      opened.set(key, held);
      return held;
    },
    chart: (wanted) => {
      const at = wanted.indexOf('@');
      if (at < 0) return charts.find((c) => c.id === wanted);
      const key = wanted.slice(at + 1);
      return partsOf(key).find((c) => c.id === wanted) ?? singles(key).find((c) => c.id === wanted);
    },
  };
}

/** One line of a chart as a chart. */
const onePart = (name: string, chart: BoardChart, def: SeriesDef): ShownChart => ({
  ...chart,
  id: `${chart.id}@${keyOf(def.entity)}`,
  title: partTitle(name, chart, def),
  defs: [def],
});

function partTitle(name: string, chart: BoardChart, def: SeriesDef): string {
  if (!isWorkload(def.entity)) return `${name}: ${chart.title}`;
  // `Database throughput` of `Tile 2 Database` is `Tile 2 Database throughput`.
  return `Tile ${(def.entity.tile ?? 0) + 1} ${chart.title}`;
}

function partCharts(
  name: string,
  key: string,
  parts: readonly { chart: BoardChart; def: SeriesDef }[],
): ShownChart[] {
  const made: ShownChart[] = [];
  const done = new Set<SeriesDef>();
  for (const { chart, def } of parts) {
    if (done.has(def)) continue;
    const family = families.find((f) => f.metrics.includes(def.metric));
    const together =
      family === undefined
        ? []
        : family.metrics.flatMap((metric) =>
            parts.filter((p) => p.def.metric === metric && p.def.unit === def.unit),
          );
    if (family === undefined || together.length < 2) {
      made.push(onePart(name, chart, def));
      continue;
    }
    for (const p of together) done.add(p.def);
    made.push({
      id: `${family.id}/${def.unit}@${key}`,
      group: chart.group,
      title: isWorkload(def.entity) ? `${name} ${family.title}` : `${name}: ${family.title}`,
      unit: chart.unit,
      defs: together.map((p) => p.def),
      // A limit is on one of the measures: it says on which.
      labels: together.map((p) => family.labels[family.metrics.indexOf(p.def.metric)]!),
      limits: together.flatMap((p) =>
        p.chart.limits.map((l) => ({
          ...l,
          label: `${l.label}, ${family.labels[family.metrics.indexOf(p.def.metric)]!.toLowerCase()}`,
        })),
      ),
    });
  }
  return made;
}
