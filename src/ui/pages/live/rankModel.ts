import {
  formatAge,
  formatExact,
  formatQuantity,
  formatSi,
  noValue,
} from '../../../core/base/format.ts';
import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import { thresholds } from '../../../core/diagnosis/diagnosisThresholds.ts';
import type { MetricName } from '../../../core/metric/metric.ts';
import { median } from '../../../core/stats/summary.ts';
import { highlightKeyOf, staleAgeMs } from '../../charts/view.ts';
import type { ChartSeries } from '../../engine/series.ts';

/** A measure of which the overview ranks every machine, LUN or meter, highest first. */
export interface RankSpec {
  id: string;
  metric: MetricName;
  kind: 'host' | 'datastore' | 'uplink' | 'vm' | 'power';
  title: string;
  /** Where values begin to matter, and from where they count in full; with who says so. */ limit: {
    from: number;
    full: number;
    source: string;
  } | null;
  /** Top of the scale where it is fixed. */ top: number | null;
}

export const rankSpecs: readonly RankSpec[] = [
  {
    id: 'cpu',
    metric: 'cpuPct',
    kind: 'host',
    title: 'Host CPU',
    limit: thresholds.cpuFull,
    top: 100,
  },
  {
    id: 'lun',
    metric: 'deviceLatencyMs',
    kind: 'datastore',
    title: 'LUN latency',
    limit: thresholds.device,
    top: null,
  },
  {
    id: 'vmReady',
    metric: 'readyPct',
    kind: 'vm',
    title: 'VM ready time',
    limit: thresholds.ready,
    top: null,
  },
  { id: 'power', metric: 'powerW', kind: 'power', title: 'Power', limit: null, top: null },
  { id: 'uplink', metric: 'netKbps', kind: 'uplink', title: 'Uplinks', limit: null, top: null },
];

/** The chart whose lines a strip ranks. */
export const rankChart = (spec: RankSpec, charts: readonly BoardChart[]): BoardChart | undefined =>
  charts.find((c) => c.defs[0]?.metric === spec.metric && c.defs[0].entity.kind === spec.kind);

export type RankState = 'ok' | 'near' | 'over' | 'stale' | 'none';
export const rankWords: Readonly<Record<RankState, string>> = {
  ok: '',
  near: 'high',
  over: 'very high',
  stale: 'stale',
  none: 'no sample',
};
export interface Ranked {
  key: string;
  name: string;
  value: number;
  /** Share of the scale, 0 to 1. */ share: number;
  state: RankState;
  text: string;
}

/** How a series is read: its last value while the run lasts, a mean once it is over. */
export type ReadSeries = (series: ChartSeries) => number;

/** Every series with its value, highest first; those without a value last. */
export function rank(
  spec: RankSpec,
  lines: readonly ChartSeries[],
  read: ReadSeries,
  nowMs: number | null,
): Ranked[] {
  const rows = lines.map((series) => ({
    series,
    value: read(series),
    age: staleAgeMs(series, nowMs),
  }));
  const top =
    spec.top ?? Math.max(1e-9, ...rows.map((r) => (Number.isFinite(r.value) ? r.value : 0)));
  const known = (value: number): number => (Number.isFinite(value) ? value : -Infinity);
  return rows
    .sort(
      (a, b) => known(b.value) - known(a.value) || byNaturalOrder(a.series.label, b.series.label),
    )
    .map(({ series, value, age }) => {
      const state: RankState = !Number.isFinite(value)
        ? 'none'
        : age > 0
          ? 'stale'
          : spec.limit === null || value < spec.limit.from
            ? 'ok'
            : value < spec.limit.full
              ? 'near'
              : 'over';
      const figure = Number.isFinite(value)
        ? `${formatExact(value, Math.min(series.decimals, value >= 100 ? 0 : 2))} ${series.unit}`
        : noValue;
      const word = state === 'stale' ? `stale for ${formatAge(age)}` : rankWords[state];
      return {
        key: highlightKeyOf(series),
        name: series.label,
        value,
        share: Number.isFinite(value) ? Math.max(0, Math.min(1, value / top)) : 0,
        state,
        text: `${series.label}: ${figure}${word === '' ? '' : `, ${word}`}`,
      };
    });
}

const withUnit = (value: number, of: string): string => {
  const { figure, unit } = formatQuantity(value, of);
  return `${figure} ${unit}`;
};

/**
 * The strip in words: how many, median, how many are high, stale, silent. `over`: what the values
 * are a mean of once the run has ended, null while it lasts. `reading`: the past is on its way.
 */
export function rankSummary(
  spec: RankSpec,
  ranked: readonly Ranked[],
  unit: string,
  over: string | null,
  reading = false,
): string {
  const values = ranked.filter((r) => Number.isFinite(r.value)).map((r) => r.value);
  if (values.length === 0 && reading) return 'Reading what was measured so far';
  if (values.length === 0) return over === null ? 'No sample yet' : `No sample for the ${over}`;
  const count = (...states: RankState[]): number =>
    ranked.filter((r) => states.includes(r.state)).length;
  const high = count('near', 'over');
  const parts = [
    spec.limit === null || high === 0
      ? `${ranked.length} in all`
      : `${high} of ${ranked.length} ≥ ${formatSi(spec.limit.from)} ${unit}`,
    `median ${withUnit(median(values), unit)}`,
    ...(spec.id === 'power'
      ? [
          `sum ${withUnit(
            values.reduce((a, b) => a + b, 0),
            unit,
          )}`,
        ]
      : []),
    ...(count('stale') > 0 ? [`${count('stale')} stale`] : []),
    ...(count('none') > 0 ? [`${count('none')} without sample`] : []),
  ];
  return parts.join(', ');
}
