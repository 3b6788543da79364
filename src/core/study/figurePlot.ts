import { formatComputed } from '../base/format.ts';
import { groupBy } from '../base/groupBy.ts';
import { type MeasureGroup, measureWords } from '../metric/measureWords.ts';
import { againstValue } from './shapedStudy.ts';
import type { FigureShape, StudyAxis, StudyOverview, StudyPoint } from './study.ts';
import { curveOf, curveOrder, referenceValues } from './sweep.ts';

/** One thing that can be drawn of a study. */
export interface ChartChoice {
  key: string;
  title: string;
  measure: string;
  unit: string;
  decimals: number;
  normalise: boolean;
  group: MeasureGroup | 'As its author charted it';
  /** Further measures, another axis, what is compared; absent = the measure as it is. */
  shape?: FigureShape;
}

const isNumeric = (axis: StudyAxis): boolean =>
  axis.values.every((v) => typeof v === 'number' && axis.valueLabels[String(v)] === undefined);

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

/** How one measure is drawn: where a value lies on the axis, and how a figure is scaled and said. */
export interface Plot {
  overview: StudyOverview;
  /** The study with all that was published, of the reference too. */
  whole: StudyOverview;
  measure: string;
  /** Told apart from others on the same axes; empty = it is alone. */
  label: string;
  /** Of keys: the points of the first measure have those of the study. */
  prefix: string;
  axis: StudyAxis;
  /** The values of an axis of names, in their order; null = an axis of numbers. */
  places: readonly string[] | null;
  curves: readonly string[];
  normalised: boolean;
  /** Its reference point has no value yet: nothing measured is drawn. */
  waiting: boolean;
  /** Multiplies what was measured. */
  factor: number;
  /** What a mean stands at beside the curve it is compared with; null = that one is missing. */
  relate: ((y: number, x: number) => number | null) | null;
  /** The curve that others are compared with: not drawn. */
  base: string | null;
  unit: string;
  decimals: number;
  /** Of another unit than the figure: against the axis at the right. */ right: boolean;
}

/** One measure of a figure; `unit`: its own, where it is another than the figure's. */
export interface FigurePart {
  measure: string;
  label: string;
  unit?: string | undefined;
}

/** Against an axis of its own unit; normalised, all measures share one. */
export const isAtRight = (
  { unit }: Pick<FigurePart, 'unit'>,
  choice: Pick<ChartChoice, 'unit'>,
  normalised: boolean,
): boolean => !normalised && unit !== undefined && unit !== choice.unit;

/** What the measures of one figure share. */
interface Figure {
  choice: ChartChoice;
  /** All points: a figure may leave out its reference. */ whole: StudyOverview;
  /** As the figure looks at it. */ shaped: StudyOverview;
  /** It has one measure, which needs no name. */ isAlone: boolean;
}

/** How one measure of a figure is drawn. */
export function plotOf(
  { choice, whole, shaped, isAlone }: Figure,
  part: FigurePart,
  normalised: boolean,
): Plot {
  const { measure, label } = part;
  const right = isAtRight(part, choice, normalised);
  const { spec, points } = shaped;
  const axis = spec.axes[0]!;
  const shape = choice.shape ?? {};
  const reference = normalised ? referenceOf(whole, measure) : null;
  const compared = againstValue(spec, shape);
  const plot: Plot = {
    overview: shaped,
    whole,
    measure,
    label: isAlone ? '' : label,
    prefix: measure === choice.measure ? '' : `${measure} `,
    axis,
    places: isNumeric(axis) ? null : [...new Set(axis.values.map(String))],
    curves: [...new Set([...curveOrder(spec), ...points.map((p) => curveOf(spec, p.values))])],
    normalised,
    waiting: normalised && reference === null,
    factor: (shape.factor ?? 1) * (reference === null || reference === 0 ? 1 : 1 / reference),
    relate: null,
    base:
      compared === undefined || spec.axes[1] === undefined
        ? null
        : curveOf(spec, { [spec.axes[1].name]: compared }),
    ...(right
      ? { unit: part.unit ?? '', decimals: measureWords(measure).decimals }
      : {
          unit: normalised ? normalisedUnit(choice) : choice.normalise ? '' : choice.unit,
          decimals: normalised ? Math.max(2, choice.decimals) : choice.decimals,
        }),
    right,
  };
  return plot.base === null ? plot : { ...plot, relate: relationOf(plot, shape.against!.as) };
}
const normalisedUnit = (choice: ChartChoice): string =>
  choice.normalise && choice.unit !== '' ? choice.unit : '× reference';

/** How a value stands to the curve it is compared with, at the same place. */
function relationOf(plot: Plot, as: NonNullable<FigureShape['against']>['as']): Plot['relate'] {
  const means = new Map(
    [...groupBy(pointsOf(plot, plot.base!), (p) => placeOf(plot, p.values)!)].map(([x, list]) => [
      x,
      mean(list.map((p) => p.measures[plot.measure]! * plot.factor)),
    ]),
  );
  return (y, x) => {
    const other = means.get(x);
    if (other === undefined || (as === 'ratio' && other === 0)) return null;
    return as === 'ratio' ? y / other : as === 'more' ? y - other : other - y;
  };
}

export const mean = (list: readonly number[]): number =>
  list.reduce((a, b) => a + b, 0) / list.length;

/** The points of a curve that measured what is drawn. */
export const pointsOf = (plot: Plot, curve: string): StudyPoint[] =>
  plot.waiting
    ? []
    : plot.overview.points.filter(
        (p) =>
          curveOf(plot.overview.spec, p.values) === curve &&
          p.measures[plot.measure] != null &&
          placeOf(plot, p.values) !== null,
      );

/** Where a point lies on the axis; null = not on it. */
export function placeOf({ axis, places }: Plot, values: StudyPoint['values']): number | null {
  const value = values[axis.name];
  if (places === null) return Number.isFinite(Number(value)) ? Number(value) : null;
  const at = places.indexOf(String(value));
  return at < 0 ? null : at;
}
export const exactly = ({ unit, decimals }: Plot, value: number): string =>
  `${formatComputed(value, decimals)}${unit === '' ? '' : ` ${unit}`}`;
