import { runStyle } from '../chart/palette.ts';
import { type Distributions, formatCell, rowDecimals } from '../compare/index.ts';
import type { FigurePoint, ReportFigure, ReportTable } from './model.ts';
import { table } from './tables.ts';

const plain = (y: number, text: string, x: number): FigurePoint => ({
  x,
  y,
  low: null,
  high: null,
  flaw: null,
  text,
});
/** Of an ECDF so many steps are drawn: a picture has no more columns. */
const steps = 160;

/**
 * Share of the samples at or below each value, and a box a measurement period: two half figures.
 */
export function distributionFigures(data: Distributions, names: readonly string[]): ReportFigure[] {
  const { label, unit } = data;
  const decimals = rowDecimals(
    data.runs.flatMap((r) => (r.box === null ? [] : [r.box.median, r.box.q1])),
  );
  const text = (value: number): string =>
    `${formatCell(value, decimals)}${unit === '' ? '' : ` ${unit}`}`;
  const style = (
    i: number,
  ): { color: string; dash: readonly number[]; shape: null; hollow: boolean; fill: boolean } => ({
    ...runStyle(i),
    shape: null,
    hollow: false,
    fill: false,
  });
  const common = { places: null, ticks: [], bands: [], marks: [], half: true } as const;
  const periods = Math.max(0, ...data.runs.map((r) => r.periods.length));
  const medians = data.runs.map(
    (r, i) => `${names[i]!}: ${r.box === null ? 'no samples' : `median ${text(r.box.median)}`}`,
  );
  const periodMedians = data.runs.map((r, i) => {
    const each = r.periods.map((b) => (b === null ? 'none' : text(b.median)));
    return `${names[i]!}: medians ${each.join(', ')}`;
  });
  return [
    {
      ...common,
      title: `${label}: share at or below`,
      unit: '',
      xLabel: label,
      xUnit: unit,
      percent: true,
      fromZero: true,
      series: data.runs.map((r, i) => ({
        ...style(i),
        label: names[i]!,
        line: 'step' as const,
        points: thinned(r.ecdf.x, r.ecdf.p).map(([x, p]) =>
          plain(
            p,
            `${names[i]!}: ${Number((p * 100).toPrecision(3))} % of the samples at or below ${text(x)}`,
            x,
          ),
        ),
      })),
      summary: `${label}, share of the samples at or below each value. ` + `${medians.join('; ')}.`,
    },
    {
      ...common,
      title: `${label}: by period`,
      unit,
      xLabel: 'Measurement period',
      xUnit: '',
      percent: false,
      fromZero: false,
      places: Array.from({ length: periods }, (_, p) => String(p + 1)),
      series: data.runs.map((r, i) => ({
        ...style(i),
        label: names[i]!,
        line: 'none' as const,
        points: r.periods.flatMap((box, p): FigurePoint[] =>
          box === null
            ? []
            : [
                {
                  ...plain(
                    box.median,
                    `${names[i]!}, period ${p + 1}: median ${text(box.median)}, half of the ` +
                      `samples from ${text(box.q1)} to ${text(box.q3)}, mean ${text(box.mean)}`,
                    p,
                  ),
                  box,
                },
              ],
        ),
      })),
      summary:
        `${label}, box a measurement period: quartiles, whiskers within 1.5 interquartile ` +
        'ranges, the mean as a dot. ' +
        `${periodMedians.join('; ')}.`,
    },
  ];
}

function thinned(x: readonly number[], p: readonly number[]): (readonly [number, number])[] {
  const every = Math.max(1, Math.ceil(x.length / steps));
  return x.flatMap((value, i) =>
    i % every === 0 || i === x.length - 1 ? [[value, p[i]!] as const] : [],
  );
}

/** Quantiles of every run in numbers. */
export function quantileTable(data: Distributions, names: readonly string[]): ReportTable {
  const columns = [
    'min',
    'whiskerLow',
    'q1',
    'median',
    'q3',
    'whiskerHigh',
    'max',
    'mean',
  ] as const;
  const decimals = rowDecimals(
    data.runs.flatMap((r) => (r.box === null ? [] : [r.box.median, r.box.q1])),
  );
  return table(
    `${data.label}${data.unit === '' ? '' : `, ${data.unit}`}`,
    [
      'Run',
      'Least',
      'Low whisker',
      '25 %',
      'Median',
      '75 %',
      'High whisker',
      'Greatest',
      'Mean',
      'Beyond',
      'Samples',
    ],
    data.runs.map((r, i) => [
      names[i]!,
      ...columns.map((c) => formatCell(r.box?.[c] ?? null, decimals)),
      r.box === null ? '–' : String(r.box.outliers),
      String(r.samples),
    ]),
    'No samples.',
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
}
