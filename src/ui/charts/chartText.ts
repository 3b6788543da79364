import { formatClock, formatElapsed, formatExact, formatPlain } from '../../core/base/format.ts';
import { formatAge } from '../../core/base/format.ts';
import { gapLimitMs } from '../../core/metric/gap.ts';
import { phaseWords } from '../../core/run/runWords.ts';
import { type ChartSeries, createSeriesWindow } from '../engine/series.ts';
import { type ChartInput, staleAgeMs } from './view.ts';

/** A table of the visible samples: one row a period, one column a series. */
export interface ChartTableData {
  timesMs: Float64Array;
  /** Row-major, rows × series; NaN = no sample. */ values: Float64Array;
  columns: readonly ChartSeries[];
}

/** The unit as it stands beside a title. A bare `×` there reads as a button that closes. */
export const titleUnit = (unit: string): string => (unit === '×' ? '(×)' : unit);

const window = createSeriesWindow();

/** Calls `visit` for each sample of a series within [from, to], run-relative. */
function eachSample(
  series: ChartSeries,
  x: readonly [number, number],
  visit: (atMs: number, value: number) => void,
): void {
  series.source.read(x[0] + series.originMs, x[1] + series.originMs, window);
  for (let p = 0; p < window.count; p++) {
    const { t, v, start, end } = window.parts[p]!;
    for (let i = start; i < end; i++) {
      const at = t[i]! - series.originMs;
      if (at >= x[0] && at <= x[1]) visit(at, v[i]!);
    }
  }
}

/**
 * Lines samples up by the shortest period on the chart, so that series read at different instants
 * share a row.
 */
export function tableData(input: ChartInput, x: readonly [number, number]): ChartTableData {
  const columns = input.series;
  const stepMs = Math.min(...columns.map((s) => s.periodMs), 3_600_000);
  const slots = new Set<number>();
  for (const s of columns) eachSample(s, x, (at) => slots.add(Math.floor(at / stepMs)));
  const rows = Float64Array.from(slots).sort();
  const indexOf = new Map(Array.from(rows, (slot, i) => [slot, i]));
  const values = new Float64Array(rows.length * columns.length).fill(NaN);
  columns.forEach((s, c) =>
    eachSample(s, x, (at, value) => {
      values[indexOf.get(Math.floor(at / stepMs))! * columns.length + c] = value;
    }),
  );
  return { timesMs: rows.map((slot) => slot * stepMs), values, columns };
}

/**
 * Tab-separated, for a spreadsheet: elapsed, clock, one column a series with its unit in the head;
 * plain digits. A mark stands in each head.
 */
export function tableTsv(
  input: ChartInput,
  x: readonly [number, number],
  mark: string | null = null,
): string {
  const { timesMs, values, columns } = tableData(input, x);
  const head = [
    'elapsed',
    'clock',
    ...columns.map((c) => `${c.label} (${c.unit}${mark === null ? '' : `, ${mark}`})`),
  ]
    .map((cell) => cell.replace(/[\t\r\n]+/g, ' '))
    .join('\t');
  const lines = Array.from(timesMs, (at, r) =>
    [
      formatElapsed(at),
      formatClock(at + input.originMs),
      ...columns.map((c, i) => formatPlain(values[r * columns.length + i]!, c.decimals)),
    ].join('\t'),
  );
  return [head, ...lines].join('\n');
}

interface Facts {
  count: number;
  low: number;
  high: number;
  sum: number;
  last: number;
  gaps: number;
  /** Minimum and maximum a bucket: their mean is not the mean of the samples. */ reduced: boolean;
}
function factsOf(series: ChartSeries, x: readonly [number, number]): Facts {
  const facts: Facts = {
    count: 0,
    low: Infinity,
    high: -Infinity,
    sum: 0,
    last: NaN,
    gaps: 0,
    reduced: false,
  };
  let previous = NaN;
  eachSample(series, x, (at, value) => {
    facts.count++;
    facts.low = Math.min(facts.low, value);
    facts.high = Math.max(facts.high, value);
    facts.sum += value;
    facts.last = value;
    if (at - previous > (window.parts[0]?.gapMs ?? Infinity)) facts.gaps++;
    previous = at;
  });
  facts.reduced = window.parts
    .slice(0, window.count)
    .some((p) => p.gapMs > gapLimitMs(series.periodMs) * 1.01);
  return facts;
}

/** A phase ends within milliseconds of its plan: 14.998 s is 0:15. */
const wholeSecond = (ms: number): number => Math.round(ms / 1_000) * 1_000;

/** What the chart shows, in sentences: for screen readers, for the text view. */
export function summaryText(
  title: string,
  unit: string,
  input: ChartInput,
  x: readonly [number, number],
): string[] {
  const now = input.nowMs === null ? null : input.nowMs();
  const head =
    `${title}, ${unit}, ${formatElapsed(x[0])} to ${formatElapsed(x[1])} of the run, ` +
    `${input.series.length} series.`;
  const limits = input.limits.map((l) => `${l.label}.`);
  const phases = input.phases.map(
    (p) =>
      `${phaseWords[p.name]} ${formatElapsed(wholeSecond(p.fromMs))} to ${formatElapsed(wholeSecond(p.toMs))}`,
  );
  const broken = (input.periods ?? [])
    .filter((p) => p.over)
    .map((p) => `${p.label}: over its limit.`);
  const events = input.events
    .filter((e) => e.atMs >= x[0] && e.atMs <= x[1])
    .map((e) => `At ${formatElapsed(e.atMs)}: ${e.text}.`);
  const lines = input.series.map((s) => {
    const f = factsOf(s, x);
    if (f.count === 0) return `${s.label}: no samples.`;
    const exact = (value: number): string => formatExact(value, s.decimals);
    const stale = staleAgeMs(s, now);
    return (
      `${s.label}: last ${exact(f.last)}, mean ` +
      `${f.reduced ? 'about ' : ''}${exact(f.sum / f.count)}, min ${exact(f.low)}, max ` +
      `${exact(f.high)} ${s.unit}` +
      (f.gaps > 0 ? `, ${f.gaps} ${f.gaps === 1 ? 'gap' : 'gaps'}` : '') +
      `${stale > 0 ? `, stale for ${formatAge(stale)}` : ''}.`
    );
  });
  return [
    head,
    ...(phases.length > 0 ? [`${phases.join(', ')}.`] : []),
    ...limits,
    ...broken,
    ...lines,
    ...events,
  ];
}
