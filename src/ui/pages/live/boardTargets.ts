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
  vm: 'Virtual machines',
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
    id: 'packets',
    title: 'packets',
    metrics: ['packetsRxPerS', 'packetsTxPerS'],
    labels: ['Received', 'Sent'],
  },
  {
    id: 'drops',
    title: 'dropped packets',
    metrics: ['droppedRxPerS', 'droppedTxPerS'],
    labels: ['On receipt', 'On sending'],
  },
  {
    id: 'latency',
    title: 'latency',
    metrics: ['latencyMeanMs', 'latencyP95Ms', 'latencyP99Ms'],
    labels: ['Mean', '95th percentile', '99th percentile'],
  },
  {
    id: 'mail',
    title: 'time until mail is accepted and delivered, 95th percentile',
    metrics: ['acceptedP95Ms', 'deliveredP95Ms'],
    labels: ['Accepted', 'Delivered'],
  },
  {
    id: 'data',
    title: 'data read and written',
    metrics: ['readMBps', 'writeMBps'],
    labels: ['Read', 'Written'],
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

type Workload = Pick<RunOverview['workloads'][number], 'entityId' | 'tile' | 'workloadId'>;
interface Part {
  chart: BoardChart;
  def: SeriesDef;
}
/** A thing that was measured, with each of its measures. */
interface Thing {
  entity: Entity;
  label: string;
  parts: Part[];
}
/** What a catalog is made of; `partsOf` gives the charts of one thing, the same ones each time. */
interface Measured {
  charts: readonly BoardChart[];
  workloads: readonly Workload[];
  things: ReadonlyMap<string, Thing>;
  nameOf: (entity: Entity) => string;
  partsOf: (key: string) => readonly ShownChart[];
}

/** What of a run can be looked at by itself, and the charts that show it. */
export function createCatalog(
  charts: readonly BoardChart[],
  workloads: readonly Workload[],
  profile: Profile | null,
): BoardCatalog {
  const workloadOf = new Map(workloads.map((w) => [w.entityId, w]));
  const nameOf = (entity: Entity): string => {
    const known = workloadOf.get(entity.id);
    return isWorkload(entity) && known !== undefined
      ? `Tile ${known.tile + 1} ${workloadName(profile, known.workloadId)}`
      : entity.name;
  };
  const things = measuredThings(charts, nameOf);
  const partsOf = once((key: string): ShownChart[] => {
    const thing = things.get(key);
    return thing === undefined ? [] : partCharts(thing.label, key, thing.parts);
  });
  const singles = once((key: string): ShownChart[] =>
    (things.get(key)?.parts ?? []).map(({ chart, def }) => onePart(nameOf(def.entity), chart, def)),
  );
  const measured: Measured = { charts, workloads, things, nameOf, partsOf };
  const targets = boardTargets(measured, profile);
  const known = new Map(targets.map((t) => [t.key, t]));
  return {
    targets,
    target: (key) => known.get(key),
    // The same charts each time: a new one would be drawn anew.
    sections: once((key) => {
      const target = known.get(key);
      return target === undefined ? [] : targetSections(measured, target);
    }),
    chart: (wanted) => {
      const at = wanted.indexOf('@');
      if (at < 0) return charts.find((c) => c.id === wanted);
      const key = wanted.slice(at + 1);
      return partsOf(key).find((c) => c.id === wanted) ?? singles(key).find((c) => c.id === wanted);
    },
  };
}

/** Makes each key's value at the first call and keeps it. */
function once<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

function measuredThings(
  charts: readonly BoardChart[],
  nameOf: (entity: Entity) => string,
): Map<string, Thing> {
  const things = new Map<string, Thing>();
  for (const chart of charts)
    for (const def of chart.defs) {
      const key = keyOf(def.entity);
      const thing = things.get(key) ?? {
        entity: def.entity,
        label: nameOf(def.entity),
        parts: [],
      };
      thing.parts.push({ chart, def });
      things.set(key, thing);
    }
  return things;
}

function boardTargets(
  { charts, workloads, things }: Measured,
  profile: Profile | null,
): BoardTarget[] {
  const ids = [...new Set(workloads.map((w) => w.workloadId))];
  const tiles = [...new Set(workloads.map((w) => w.tile))].sort((a, b) => a - b);
  const byKind = (kind: Entity['kind'] & TargetKind, as: TargetKind = kind): BoardTarget[] =>
    [...things]
      .filter(([, { entity }]) => entity.kind === kind)
      .map(([key, { label }]) => ({ key, kind: as, label }))
      .sort((a, b) => byNaturalOrder(a.label, b.label));
  return [
    ...tiles.map((tile) => targetOf('tile', `tile:${tile}`, `Tile ${tile + 1}`)),
    ...ids.map((id) => targetOf('workload', `workloads:${id}`, workloadName(profile, id))),
    ...byKind('host'),
    ...byKind('datastore'),
    ...byKind('uplink'),
    ...byKind('vm'),
    ...byKind('power'),
    ...byKind('client'),
    ...byKind('workload', 'tileWorkload'),
    ...byKind('operation'),
    ...charts
      .filter((c) => c.defs.length > 1)
      .map((c) => targetOf('chart', `chart:${c.id}`, `${c.title}, each on its own`)),
  ];
}

const targetOf = (kind: TargetKind, key: string, label: string): BoardTarget => ({
  key,
  kind,
  label,
});

function targetSections(measured: Measured, { key, kind, label }: BoardTarget): TargetSection[] {
  const { charts, workloads, nameOf, partsOf } = measured;
  const id = key.slice(key.indexOf(':') + 1);
  const ofWorkloads = (list: readonly Workload[]): ShownChart[] =>
    list.flatMap((w) => partsOf(`workload:${w.entityId}`));
  if (kind === 'tile')
    return [
      ...byGroup(ofWorkloads(workloads.filter((w) => w.tile === Number(id))), false),
      ...section('Virtual machines', chartsOfVms(measured, Number(id)), false),
    ];
  if (kind === 'workload')
    return byGroup(ofWorkloads(workloads.filter((w) => w.workloadId === id)), true);
  if (kind === 'chart') {
    const chart = charts.find((c) => c.id === id);
    const lines = chart?.defs.map((def) => onePart(nameOf(def.entity), chart, def)) ?? [];
    return section('', lines, true);
  }
  return kind === 'host' ? hostSections(measured, key, label) : section('', partsOf(key), false);
}

const chartsOfVms = ({ things, partsOf }: Measured, tile: number): ShownChart[] =>
  [...things]
    .filter(([, { entity }]) => entity.kind === 'vm' && entity.tile === tile)
    .flatMap(([key]) => partsOf(key));

/** A host, the uplinks of it and the meters that measure it. */
function hostSections({ things, partsOf }: Measured, key: string, name: string): TargetSection[] {
  const id = key.slice(key.indexOf(':') + 1);
  const chartsOf = (has: (entity: Entity) => boolean): ShownChart[] =>
    [...things].filter(([, { entity }]) => has(entity)).flatMap(([of]) => partsOf(of));
  return [
    ...section('Host', partsOf(key), false),
    ...section(
      'Uplinks',
      chartsOf((entity) => entity.kind === 'uplink' && entity.id.startsWith(`${id}/`)),
      true,
    ),
    ...section(
      'Power',
      chartsOf((entity) => entity.kind === 'power' && (entity.id === id || entity.name === name)),
      false,
    ),
  ];
}

const section = (title: string, charts: readonly ShownChart[], alike: boolean): TargetSection[] =>
  charts.length === 0 ? [] : [{ title, charts, alike: alike && charts.length > 1 }];

/** Throughput, latency and errors of workloads. */
function byGroup(charts: readonly ShownChart[], alike: boolean): TargetSection[] {
  const isError = (c: ShownChart): boolean => c.defs[0]!.metric === 'errorRate';
  return [
    ...section(
      'Throughput',
      charts.filter((c) => c.group === 'throughput' && !isError(c)),
      alike,
    ),
    ...section(
      'Latency',
      charts.filter((c) => c.group === 'latency'),
      alike,
    ),
    ...section('Errors', charts.filter(isError), alike),
  ];
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

function partCharts(name: string, key: string, parts: readonly Part[]): ShownChart[] {
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
