import { isEsxtopEntity, type MetricName, type SeriesDef } from '../metric/metric.ts';
import { aboveIdle, type SteadyPower } from '../run/steadyPower.ts';
import { mean } from '../stats/summary.ts';
import { meanPower, scorePerKilowatt } from './power.ts';
import type { ComparedRun, Comparison, SeriesAggregate } from './types.ts';
import { referencesDiffer } from './verdict.ts';

type Better = Comparison['rows'][number]['better'];
/**
 * How the series of one run make a row: the mean over them, their sum, or the score's share of
 * each.
 */
export interface RowParts {
  fold: 'mean' | 'sum' | 'score';
  defs: readonly SeriesDef[];
}
export interface RowSpec {
  key: string;
  label: string;
  unit: string;
  better: Better;
  value: (run: ComparedRun) => number | null;
  /** The series behind the row in one run; null = the row has no samples of its own. */
  parts: (run: ComparedRun) => RowParts | null;
}

/**
 * Change against the baseline in percent of the baseline; null when either is missing or the
 * baseline is 0.
 */
export function deltaPct(value: number | null, baseline: number | null): number | null {
  if (value === null || baseline === null || baseline === 0) return null;
  const delta = ((value - baseline) / Math.abs(baseline)) * 100;
  return Number.isFinite(delta) ? delta : null;
}

const scoreOf = (run: ComparedRun): number | null => run.record.overview.score?.total ?? null;

const workloadMetrics: readonly {
  metric: MetricName;
  label: string;
  better: NonNullable<Better>;
}[] = [
  { metric: 'throughput', label: 'throughput', better: 'higher' },
  { metric: 'latencyMeanMs', label: 'mean latency', better: 'lower' },
  { metric: 'latencyP95Ms', label: '95th percentile latency', better: 'lower' },
  { metric: 'acceptedP95Ms', label: '95th percentile until mail is accepted', better: 'lower' },
  { metric: 'deliveredP95Ms', label: '95th percentile until mail is delivered', better: 'lower' },
  { metric: 'undelivered', label: 'mail accepted, not delivered yet', better: 'lower' },
  { metric: 'readMBps', label: 'data read', better: 'higher' },
  { metric: 'writeMBps', label: 'data written', better: 'higher' },
  { metric: 'errorRate', label: 'errors', better: 'lower' },
];
const machineMetrics: readonly {
  key: string;
  label: string;
  unit: string;
  better: Better;
  kind: SeriesDef['entity']['kind'];
  metric: MetricName;
}[] = [
  {
    key: 'cpuPct.host',
    label: 'Host CPU, mean of the hosts',
    unit: '%',
    better: null,
    kind: 'host',
    metric: 'cpuPct',
  },
  {
    key: 'deviceLatencyMs.datastore',
    label: 'Device latency, mean of the datastores',
    unit: 'ms',
    better: 'lower',
    kind: 'datastore',
    metric: 'deviceLatencyMs',
  },
  {
    key: 'clientCpuPct.client',
    label: 'Client CPU, mean of the clients',
    unit: '%',
    better: null,
    kind: 'client',
    metric: 'clientCpuPct',
  },
];

/** Whether a series has a part in any row or in the matrix: the others need not be read. */
export const isCompared = ({ metric, entity }: SeriesDef): boolean =>
  metric === 'powerW' ||
  (entity.kind === 'workload'
    ? workloadMetrics.some((m) => m.metric === metric)
    : // What esxtop says of a LUN is no datastore's.
      !isEsxtopEntity(entity) &&
      machineMetrics.some((m) => m.metric === metric && m.kind === entity.kind));

/**
 * A row whose value is the mean, or the sum, over its series; null unless every one of them has
 * samples.
 */
function foldRow(
  fold: 'mean' | 'sum',
  spec: Omit<RowSpec, 'value' | 'parts'>,
  matches: (def: SeriesDef) => boolean,
  expected: (run: ComparedRun) => number | null,
): RowSpec {
  const found = (run: ComparedRun): SeriesAggregate[] | null => {
    const list = run.aggregates.series.filter((s) => matches(s.def));
    const wanted = expected(run);
    return list.length === 0 || (wanted !== null && list.length !== wanted) ? null : list;
  };
  return {
    ...spec,
    value: (run) => {
      const means = found(run)?.map((s) => s.steady?.mean ?? NaN);
      if (means === undefined || !means.every(Number.isFinite)) return null;
      return fold === 'mean' ? mean(means) : means.reduce((a, b) => a + b, 0);
    },
    parts: (run) => {
      const list = found(run);
      return list && { fold, defs: list.map((s) => s.def) };
    },
  };
}

/** Workloads of all runs, the first run's first; the same id with another unit is another row. */
function workloadRows(runs: readonly ComparedRun[]): RowSpec[] {
  const specs = new Map<string, RowSpec>();
  for (const { record, aggregates } of runs) {
    for (const workload of record.profile.workloads) {
      for (const { metric, label, better } of workloadMetrics) {
        const matches = (def: SeriesDef): boolean =>
          def.metric === metric &&
          def.entity.kind === 'workload' &&
          def.entity.id.endsWith(`.${workload.id}`);
        const unit = aggregates.series.find((s) => matches(s.def))?.def.unit;
        if (unit === undefined) continue;
        const key = `${metric}.${workload.id}.${unit}`;
        if (specs.has(key)) continue;
        const spec = {
          key,
          label: `${workload.name}, ${label}, mean of the tiles`,
          unit,
          better: workload.scored || metric !== 'throughput' ? better : null,
        };
        const own = (def: SeriesDef): boolean => matches(def) && def.unit === unit;
        const tiles = (run: ComparedRun): number => run.record.plan.tiles;
        specs.set(key, foldRow('mean', spec, own, tiles));
        // With one tile everywhere it would be the same row twice.
        if (metric === 'throughput' && runs.some((run) => tiles(run) > 1))
          specs.set(
            `${key}.sum`,
            foldRow(
              'sum',
              { ...spec, key: `${key}.sum`, label: `${workload.name}, ${label}, sum of the tiles` },
              own,
              tiles,
            ),
          );
      }
    }
  }
  return [...specs.values()];
}

/** Every row there can be for these runs: score and its parts, workloads, machines. */
export function rowSpecs(runs: readonly ComparedRun[]): RowSpec[] {
  const both = runs[0]?.record.profile.scoring.infrastructure !== undefined;
  const nothing = (): null => null;
  const tiles = (run: ComparedRun): RowParts => ({
    fold: 'score',
    defs: run.aggregates.series
      .filter((s) => s.def.metric === 'throughput' && s.def.entity.kind === 'workload')
      .map((s) => s.def),
  });
  const part = (key: 'application' | 'infrastructure', label: string): RowSpec => ({
    key: `score.${key}`,
    label,
    unit: '× reference',
    better: 'higher',
    value: (run) => run.record.overview.score?.[key] ?? null,
    parts: key === 'application' ? tiles : nothing,
  });
  return [
    // Operations an hour are counts of a whole period: a total with them has no series.
    {
      key: 'score',
      label: both ? 'Score, both parts' : 'Score, sum over the tiles',
      unit: '× reference',
      better: 'higher',
      value: scoreOf,
      parts: (run) => (run.record.profile.scoring.infrastructure === undefined ? tiles(run) : null),
    },
    part('application', 'Application part'),
    part('infrastructure', 'Infrastructure part'),
    ...workloadRows(runs),
    {
      key: 'power',
      label: 'Mean power',
      unit: 'W',
      better: 'lower',
      value: (run) => meanPower(run.aggregates)?.watts ?? null,
      parts: (run) => {
        const source = meanPower(run.aggregates)?.source;
        return source === undefined
          ? null
          : {
              fold: 'sum',
              defs: run.aggregates.series
                .filter((s) => s.def.metric === 'powerW' && s.def.source === source)
                .map((s) => s.def),
            };
      },
    },
    ...steadyPowerRows,
    {
      key: 'scorePerKw',
      label: 'Score per kilowatt',
      unit: '1/kW',
      better: 'higher',
      value: scorePerKilowatt,
      parts: nothing,
    },
    ...machineMetrics.map(({ kind, metric, ...spec }) =>
      foldRow(
        'mean',
        spec,
        (def) => def.metric === metric && def.entity.kind === kind && !isEsxtopEntity(def.entity),
        () => null,
      ),
    ),
  ];
}

/** Of the whole steady state, as it was told at the end of the run. */
const ofPower =
  (value: (power: SteadyPower) => number | null): RowSpec['value'] =>
  (run) => {
    const steady = run.record.overview.score?.power?.steady;
    return steady === undefined ? null : value(steady);
  };
const steadyPowerRows: readonly RowSpec[] = [
  {
    key: 'energy',
    label: 'Energy of the steady state',
    unit: 'Wh',
    better: 'lower',
    value: ofPower(({ energyWh }) => energyWh),
    parts: () => null,
  },
  {
    key: 'powerPerTile',
    label: 'Power per tile, parted equally',
    unit: 'W',
    better: 'lower',
    value: ofPower(({ meanW, tiles }) => meanW / tiles),
    parts: () => null,
  },
  {
    key: 'powerAboveIdle',
    label: 'Power above idle',
    unit: 'W',
    better: 'lower',
    value: ofPower((power) => aboveIdle(power)?.watts ?? null),
    parts: () => null,
  },
];

const scoreKey = (key: string): boolean => key.startsWith('score');

/** Rows that some run has a value for; the score always, and first. */
export const presentRows = (runs: readonly ComparedRun[]): RowSpec[] =>
  rowSpecs(runs).filter(
    ({ key, value }) => key === 'score' || runs.some((run) => value(run) !== null),
  );

/** Rows of the comparison over the steady state, the baseline first in each. */
export function compareRows(
  specs: readonly RowSpec[],
  runs: readonly ComparedRun[],
  tests: readonly Comparison['rows'][number]['tests'][],
): Comparison['rows'] {
  return specs.map(({ key, label, unit, better, value }, row) => {
    const values = runs.map(value);
    const deltas = runs.map((run, i) =>
      i === 0 || (scoreKey(key) && referencesDiffer(runs[0]!.record, run.record))
        ? null
        : deltaPct(values[i]!, values[0]!),
    );
    return { key, label, unit, better, values, deltaPct: deltas, tests: tests[row] ?? [] };
  });
}
