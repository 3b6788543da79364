import { formatElapsed } from '../base/format.ts';
import type { BoardChart } from '../chart/boardCharts.ts';
import { lineLook } from '../chart/line.ts';
import { maxColoredSeries, neutralColor } from '../chart/palette.ts';
import { gapLimitMs } from '../metric/gap.ts';
import type { SeriesData, SeriesDef } from '../metric/metric.ts';
import type { RunRecord } from '../run/run.ts';
import { steadyWindow } from '../run/windows.ts';
import { movesOf } from '../study/figureRun.ts';
import type { ReportChart, ReportLine, ReportSection } from './model.ts';
import { figureText } from './svg.ts';

/** Lines of a chart; of more, those with the highest means, and the title says so. */
const maxLines = 24;
/** Moves that are marked on a chart: the first. */
const mostMarks = 40;

/** Samples of a series, decimated to what a picture can show. */
export type ReadSeries = (seriesId: number) => Pick<SeriesData, 'tMs' | 'value'>;
/** Exact figures of a series over [fromMs, toMs). */
export type AggregateSeries = (
  seriesId: number,
  fromMs: number,
  toMs: number,
) => { count: number; mean: number; min: number; max: number };
export interface RunSamples {
  read: ReadSeries;
  /** Absent = no means are told. */
  aggregate?: AggregateSeries | undefined;
}

interface Drawn {
  def: SeriesDef;
  tMs: Float64Array;
  value: Float64Array;
  /** Exact mean of the steady state; null = no sample in it, absent = nobody asked. */
  steady?: number | null;
}

/**
 * Charts of what has a course; what was never measured, or was 0 throughout, is named and takes no
 * page.
 */
export function chartsSection(
  record: RunRecord,
  charts: readonly BoardChart[],
  samples: RunSamples,
): ReportSection {
  const silent: string[] = [],
    flat: string[] = [],
    drawn: ReportChart[] = [];
  for (const chart of charts) {
    const lines = drawnOf(record, chart, samples);
    if (lines.every(({ value }) => value.length === 0)) silent.push(chart.title);
    else if (lines.every(({ value }) => value.every((v) => v === 0))) flat.push(chart.title);
    else drawn.push(chartOf(record, chart, lines, null));
  }
  return {
    title: 'Charts',
    tables: [],
    charts: drawn,
    notes: [
      ...(drawn.length === 0 || samples.aggregate === undefined
        ? []
        : ['A figure beside a name is the mean of the steady state.']),
      ...(silent.length === 0 ? [] : [`No samples, and not drawn: ${silent.join('; ')}.`]),
      ...(flat.length === 0 ? [] : [`0 throughout, and not drawn: ${flat.join('; ')}.`]),
    ],
  };
}

/** The samples of a chart's series, with their means over the steady state. */
function drawnOf(
  { overview }: RunRecord,
  { defs }: BoardChart,
  { read, aggregate }: RunSamples,
): Drawn[] {
  const steady = steadyWindow(overview);
  return defs.map((def): Drawn => {
    if (aggregate === undefined) return { def, ...read(def.id) };
    const stat = steady === null ? null : aggregate(def.id, steady.startMs, steady.endMs);
    return {
      def,
      ...read(def.id),
      steady: stat === null || stat.count === 0 ? null : stat.mean,
    };
  });
}

/** One chart of a run; the line of `tile` stands out where it is given, else the worst of many. */
export const chartOfRun = (
  record: RunRecord,
  chart: BoardChart,
  samples: RunSamples,
  tile: number | null,
): ReportChart => chartOf(record, chart, drawnOf(record, chart, samples), tile);

/** The same with what was moved during the run marked on it. */
export function markedChartOfRun(
  record: RunRecord,
  chart: BoardChart,
  samples: RunSamples,
): ReportChart {
  const { overview } = record;
  const origin = overview.startedAtMs ?? overview.createdAtMs;
  const drawn: ReportChart = { ...chartOfRun(record, chart, samples, null), tall: true };
  const moves = movesOf(overview).slice(0, mostMarks);
  const marks = moves.map(({ tMs, text }, i) => ({
    atMs: tMs - origin,
    label: String(i + 1),
    text: `${i + 1}: ${formatElapsed(tMs - origin)}, ${text}`,
  }));
  return marks.length === 0
    ? drawn
    : {
        ...drawn,
        marks,
        summary: `${drawn.summary} Marked: ${marks.map(({ text }) => text).join('; ')}.`,
      };
}

const mean = ({ value, steady }: Drawn): number =>
  steady ?? (value.length === 0 ? -Infinity : value.reduce((a, b) => a + b, 0) / value.length);

/** All of them in their order, or the highest of too many; `kept` is always among them. */
function shownOf(drawn: readonly Drawn[], kept: Drawn | undefined): readonly Drawn[] {
  if (drawn.length <= maxLines) return drawn;
  const highest = [...drawn].sort((a, b) => mean(b) - mean(a)).slice(0, maxLines);
  if (kept !== undefined && !highest.includes(kept)) highest.splice(-1, 1, kept);
  return drawn.filter((one) => highest.includes(one));
}

/** Of work done, the line that did least; of all else, the highest. undefined = none measured. */
function worstOf(chart: BoardChart, drawn: readonly Drawn[]): Drawn | undefined {
  const measured = drawn.filter(({ value }) => value.length > 0);
  const low = chart.id.startsWith('throughput/') || chart.limits.some(({ kind }) => kind === 'min');
  const [first] = [...measured].sort((a, b) => (low ? mean(a) - mean(b) : mean(b) - mean(a)));
  return first;
}

function chartOf(
  { overview }: RunRecord,
  chart: BoardChart,
  drawn: readonly Drawn[],
  tile: number | null,
): ReportChart {
  const origin = overview.startedAtMs ?? overview.createdAtMs;
  const isMany = drawn.length > maxColoredSeries;
  const own = tile === null ? undefined : drawn.find(({ def }) => def.entity.tile === tile);
  const outstanding = own ?? (isMany ? worstOf(chart, drawn) : undefined);
  const shown = shownOf(drawn, outstanding);
  const lines = shown.map((one, i): ReportLine => {
    const { def, tMs, value, steady } = one;
    const { label, color, dash, factor, decimals } = lineLook(def, i);
    return {
      label,
      ...(isMany && one !== outstanding ? { color: neutralColor, dash: [] } : { color, dash }),
      tMs: tMs.map((at) => at - origin),
      value: factor === 1 ? value : value.map((v) => v * factor),
      decimals,
      gapMs: gapLimitMs(Math.max(def.periodMs, spacing(tMs))),
      ...(steady === undefined ? {} : { steady: steady === null ? null : steady * factor }),
    };
  });
  const highlight = outstanding === undefined ? -1 : shown.indexOf(outstanding);
  const phases = overview.phases.map((p) => ({
    name: p.name,
    fromMs: p.startMs - origin,
    toMs: (p.endMs ?? p.plannedEndMs) - origin,
  }));
  const title =
    lines.length < drawn.length
      ? `${chart.title}, the ${lines.length} highest of ${drawn.length}`
      : chart.title;
  return {
    title,
    unit: chart.unit,
    lines,
    ...(isMany && highlight >= 0 ? { highlight } : {}),
    limits: chart.limits.map(({ value, label }) => ({ value, label })),
    phases,
    summary: summaryOf(chart, lines),
  };
}

/** Usual distance of decimated points, so that thinning is not taken for a gap. */
function spacing(tMs: Float64Array): number {
  if (tMs.length < 2) return 0;
  // Four points a bucket may lie anywhere in it.
  return ((tMs.at(-1)! - tMs[0]!) / (tMs.length - 1)) * 4;
}

function summaryOf(chart: BoardChart, lines: readonly ReportLine[]): string {
  const measured = lines.filter((line) => line.value.length > 0);
  if (measured.length === 0) return `${chart.title}: no samples.`;
  const range = measured.map(
    (line) =>
      `${line.label} ${figureText(
        line.value.reduce((a, b) => Math.min(a, b), Infinity),
        chart.unit,
      )} to ` +
      figureText(
        line.value.reduce((a, b) => Math.max(a, b), -Infinity),
        chart.unit,
      ),
  );
  const more = chart.defs.length - lines.length;
  const others = measured.length > 8 ? `, and ${measured.length - 8} more` : '';
  const undrawn = more > 0 ? ` ${more} further lines are not drawn; the CSV has them.` : '';
  return (
    `${chart.title} in ${chart.unit}: ` + `${range.slice(0, 8).join(', ')}${others}.${undrawn}`
  );
}
