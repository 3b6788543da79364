import { formatExact } from '../base/format.ts';
import { groupBy } from '../base/groupBy.ts';
import { byNaturalOrder } from '../base/naturalOrder.ts';
import { tileStyle } from '../chart/palette.ts';
import { shapes, type XyInput, type XyPoint, type XySeries } from '../chart/xyModel.ts';
import {
  type MeasureGroup,
  measureGroups,
  measureWords,
  type WorkloadNames,
} from '../metric/measureWords.ts';
import type { StudyAxis, StudyOverview, StudyPoint } from './study.ts';
import { kneeBands, kneeMethods, limitMarks, mainCurve, saturationMarks } from './studyKnees.ts';
import { curveLabel, namedValue, valueText } from './studyWords.ts';
import { curveOf, curveOrder, referenceValues } from './sweep.ts';

/** One thing that can be drawn against the first axis. */
export interface ChartChoice {
  key: string;
  title: string;
  measure: string;
  unit: string;
  decimals: number;
  normalise: boolean;
  group: MeasureGroup | 'As its author charted it';
}

/** Charts of the author first, then every measure that a point has. */
export function chartChoices(overview: StudyOverview, workloads: WorkloadNames): ChartChoice[] {
  const own = overview.spec.charts.map((c, i): ChartChoice => ({
    key: `chart ${i}`,
    title: c.title,
    measure: c.measure,
    unit: c.unit,
    decimals: c.normalise ? 2 : measureWords(c.measure, workloads).decimals,
    normalise: c.normalise,
    group: 'As its author charted it',
  }));
  const measured = [
    ...new Set(
      overview.points.flatMap((p) => Object.keys(p.measures).filter((m) => p.measures[m] != null)),
    ),
  ];
  const rest = measured.map((measure): ChartChoice => {
    const w = measureWords(measure, workloads);
    return {
      key: measure,
      title: w.label,
      measure,
      unit: w.unit,
      decimals: w.decimals,
      normalise: false,
      group: w.group,
    };
  });
  rest.sort((a, b) => rank(a) - rank(b) || byNaturalOrder(a.title, b.title));
  if (own.length + rest.length === 0)
    return [
      {
        key: 'score',
        title: 'Score',
        measure: 'score',
        unit: '',
        decimals: 2,
        normalise: false,
        group: 'Result',
      },
    ];
  return [...own, ...rest];
}
const rank = (c: ChartChoice): number => measureGroups.indexOf(c.group as MeasureGroup);

const isNumeric = (axis: StudyAxis): boolean =>
  axis.values.every((v) => typeof v === 'number' && axis.valueLabels[String(v)] === undefined);
const flawWords: Partial<Record<StudyPoint['state'], string>> = {
  qosFailed: 'QoS failed',
  failed: 'Run failed',
};
const worst: readonly StudyPoint['state'][] = ['failed', 'qosFailed'];

/** Mean of a measure at the reference point; null while it was not run or did not measure it. */
export function referenceOf(overview: StudyOverview, measure: string): number | null {
  const values = referenceValues(overview.spec);
  const found = overview.points
    .filter((p) =>
      Object.entries(values).every(([name, v]) => String(p.values[name]) === String(v)),
    )
    .map((p) => p.measures[measure])
    .filter((v) => v != null);
  return found.length === 0 ? null : found.reduce((a, b) => a + b, 0) / found.length;
}

export interface StudyChart {
  input: XyInput;
  unit: string;
  decimals: number;
  /** Why something asked for is not drawn; empty = all is. */ notes: string[];
}

/** How one choice is drawn: where a value lies on the axis, and how a figure is scaled and said. */
interface Plot {
  overview: StudyOverview;
  measure: string;
  axis: StudyAxis;
  /** The values of an axis of names, in their order; null = an axis of numbers. */
  places: readonly string[] | null;
  curves: readonly string[];
  normalised: boolean;
  /** Its reference point has no value yet: nothing measured is drawn. */
  waiting: boolean;
  /** Multiplies what was measured. */
  factor: number;
  unit: string;
  decimals: number;
}

function plotOf(overview: StudyOverview, choice: ChartChoice, normalised: boolean): Plot {
  const { spec, points } = overview;
  const axis = spec.axes[0]!;
  const reference = normalised ? referenceOf(overview, choice.measure) : null;
  return {
    overview,
    measure: choice.measure,
    axis,
    places: isNumeric(axis) ? null : [...new Set(axis.values.map(String))],
    curves: [...new Set([...curveOrder(spec), ...points.map((p) => curveOf(spec, p.values))])],
    normalised,
    waiting: normalised && reference === null,
    factor: reference === null || reference === 0 ? 1 : 1 / reference,
    unit: normalised ? normalisedUnit(choice) : choice.normalise ? '' : choice.unit,
    decimals: normalised ? Math.max(2, choice.decimals) : choice.decimals,
  };
}
const normalisedUnit = (choice: ChartChoice): string =>
  choice.normalise && choice.unit !== '' ? choice.unit : '× reference';

/** Where a point lies on the axis; null = not on it. */
function placeOf({ axis, places }: Plot, values: StudyPoint['values']): number | null {
  const value = values[axis.name];
  if (places === null) return Number.isFinite(Number(value)) ? Number(value) : null;
  const at = places.indexOf(String(value));
  return at < 0 ? null : at;
}
const exactly = ({ unit, decimals }: Plot, value: number): string =>
  `${formatExact(value, decimals)}${unit === '' ? '' : ` ${unit}`}`;

/**
 * What is drawn of a study for one choice: measured points as measured, published ones beside them,
 * knees of this measure, the limit.
 */
export function studyChart(
  overview: StudyOverview,
  choice: ChartChoice,
  normalise: boolean,
  knee: { method?: string | undefined; curve?: string | undefined } = {},
): StudyChart {
  const { measure } = choice;
  const plot = plotOf(overview, choice, normalise);
  const { axis, places, waiting } = plot;
  const published = publishedSeries(plot);
  // One curve's knee at a time: the bands of many lie over each other and say nothing.
  const shownCurve = knee.curve ?? mainCurve(overview, measure);
  const method = knee.method ?? kneeMethods(overview, measure, shownCurve)[0];
  const numeric = places === null;
  return {
    unit: plot.unit,
    decimals: plot.decimals,
    notes: [
      ...(waiting && overview.points.some((p) => p.measures[measure] != null)
        ? ['Points are drawn once the reference point has a value of this measure.']
        : []),
      ...published.notes,
    ],
    input: {
      series: [...measuredSeries(plot), ...published.series],
      bands: numeric ? kneeBands(overview, measure, shownCurve, method) : [],
      marks: numeric
        ? [...saturationMarks(overview, measure, shownCurve), ...limitMarks(overview)]
        : [],
      categories: numeric ? null : places.map((v, at) => ({ at, label: valueText(axis, v) })),
      fromZero: true,
      planned: numeric && overview.spec.findLimit === undefined ? axis.values.map(Number) : [],
    },
  };
}

/** A line a curve, of the means of its repeats. */
function measuredSeries(plot: Plot): XySeries[] {
  const { overview, measure, curves, waiting } = plot;
  const word = overview.origin === 'simulated' ? 'Modelled' : 'Measured';
  return curves.map((curve, i): XySeries => {
    const own = waiting
      ? []
      : overview.points.filter(
          (p) =>
            curveOf(overview.spec, p.values) === curve &&
            p.measures[measure] != null &&
            placeOf(plot, p.values) !== null,
        );
    const label = curves.length === 1 ? '' : curveLabel(overview, curve);
    const { color, dash } = tileStyle(i);
    return {
      key: `curve ${curve}`,
      label: curves.length === 1 ? word : `${word}, ${label}`,
      color,
      dash,
      shape: shapes[i % shapes.length]!,
      published: false,
      points: [...groupBy(own, (p) => placeOf(plot, p.values)!)].map(([x, list]) =>
        measuredPoint(plot, list, x, label),
      ),
    };
  });
}

function measuredPoint(plot: Plot, list: readonly StudyPoint[], x: number, curve: string): XyPoint {
  const ys = list.map((p) => p.measures[plot.measure]! * plot.factor);
  const y = ys.reduce((a, b) => a + b, 0) / ys.length;
  const bad = worst.find((state) => list.some((p) => p.state === state));
  const exact = (value: number): string => exactly(plot, value);
  const first = list[0]!;
  const name = namedValue(plot.axis, first.values[plot.axis.name]);
  return {
    key: first.key,
    x,
    y,
    low: ys.length > 1 ? Math.min(...ys) : null,
    high: ys.length > 1 ? Math.max(...ys) : null,
    flaw: bad === undefined ? null : { word: flawWords[bad]! },
    open: list.find((p) => p.runId !== null)?.runId ?? null,
    lines: [
      `${name}${curve === '' ? '' : `, ${curve}`}: ${exact(y)}`,
      ...(ys.length > 1
        ? [`Mean of ${ys.length} repeats, ${exact(Math.min(...ys))} to ${exact(Math.max(...ys))}`]
        : []),
      ...(bad === undefined
        ? []
        : [`${flawWords[bad]!}${first.detail === '' ? '' : `: ${first.detail}`}`]),
    ],
  };
}

/** Published figures of the measure, curve by curve, and why some of them are not drawn. */
function publishedSeries(plot: Plot): { series: XySeries[]; notes: string[] } {
  const { overview, measure, curves } = plot;
  const notes: string[] = [];
  const here = overview.published.filter((p) => p.measure === measure);
  const series = [...groupBy(here, (p) => curveOf(overview.spec, p.values))].flatMap(
    ([curve, list]): XySeries[] => {
      const points = list.flatMap((p, n): XyPoint[] => {
        const y = publishedValue(plot, p);
        if (y === null) {
          notes.push(
            `Published figures are in ${p.unit || 'another unit'} and are not drawn here; the ` +
              'table below has them.',
          );
          return [];
        }
        const x = placeOf(plot, p.values);
        return x === null ? [] : [publishedPoint(plot, p, `published ${curve} ${n}`, x, y)];
      });
      if (points.length === 0) return [];
      const i = Math.max(0, curves.indexOf(curve));
      return [
        {
          key: `published ${curve}`,
          label:
            curves.length === 1 || curve === ''
              ? 'Published'
              : `Published, ${curveLabel(overview, curve)}`,
          color: tileStyle(i).color,
          dash: [],
          shape: shapes[(i + 3) % shapes.length]!,
          published: true,
          points,
        },
      ];
    },
  );
  return { series, notes: notes.slice(0, 1) };
}

type Published = StudyOverview['published'][number];
const publishedPoint = (
  plot: Plot,
  { values, label, source }: Published,
  key: string,
  x: number,
  y: number,
): XyPoint => ({
  key,
  x,
  y,
  low: null,
  high: null,
  flaw: null,
  open: null,
  lines: [
    `Published, ${namedValue(plot.axis, values[plot.axis.name])}: ${exactly(plot, y)}`,
    ...(label === '' ? [] : [label]),
    `Source: ${source}`,
  ],
});

/**
 * A published figure on the drawn scale; null where its unit is another and it cannot be brought
 * there by its own reference.
 */
function publishedValue({ overview, normalised, unit }: Plot, point: Published): number | null {
  const ratio = point.unit === '' || /^×|reference|normalised/i.test(point.unit);
  if (!normalised) return point.unit === unit ? point.value : null;
  if (ratio || point.unit === unit) return point.value;
  const reference = referenceValues(overview.spec);
  const base = overview.published.find(
    (p) =>
      p.measure === point.measure &&
      p.unit === point.unit &&
      Object.entries(reference).every(([name, v]) => String(p.values[name]) === String(v)),
  );
  return base === undefined || base.value === 0 ? null : point.value / base.value;
}
