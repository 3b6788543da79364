import { byNaturalOrder } from '../base/naturalOrder.ts';
import type { XyInput } from '../chart/xyModel.ts';
import {
  type MeasureGroup,
  measureGroups,
  measureWords,
  type WorkloadNames,
} from '../metric/measureWords.ts';
import { type ChartChoice, type FigurePart, isAtRight, type Plot, plotOf } from './figurePlot.ts';
import { coloured, measuredSeries, publishedSeries } from './figureSeries.ts';
import { figureFits, shapedStudy } from './shapedStudy.ts';
import type { FigureShape, StudyAxis, StudyOverview } from './study.ts';
import { kneeBands, kneeMethods, limitMarks, mainCurve, saturationMarks } from './studyKnees.ts';
import { valueText } from './studyWords.ts';

/** Charts of the author first, then every measure that a point has. */
export function chartChoices(overview: StudyOverview, workloads: WorkloadNames): ChartChoice[] {
  const own = overview.spec.charts.flatMap(
    ({ title, measure, unit, normalise, ...shape }, i): ChartChoice[] =>
      !figureFits(overview.spec, shape)
        ? []
        : [
            {
              key: `chart ${i}`,
              title,
              measure,
              unit,
              decimals: normalise ? 2 : measureWords(measure, workloads).decimals,
              normalise,
              group: 'As its author charted it',
              ...(Object.keys(shape).length > 0 && { shape }),
            },
          ],
  );
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

export interface StudyChart {
  input: XyInput;
  unit: string;
  decimals: number;
  /** What it is drawn against. */ axis: StudyAxis;
  /** Why something asked for is not drawn; empty = all is. */ notes: string[];
}

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
  const shape = pointShape(choice.shape);
  const shaped = shapedStudy(overview, shape);
  const parts: FigurePart[] = [
    { measure, label: shape.label ?? choice.title },
    ...(shape.also ?? []),
  ];
  const rightUnit = parts.find((one) => isAtRight(one, choice, normalise))?.unit;
  const fits = (one: FigurePart): boolean =>
    !isAtRight(one, choice, normalise) || one.unit === rightUnit;
  const plots = parts
    .filter(fits)
    .map((one) =>
      plotOf(
        { whole: overview, shaped, choice: { ...choice, shape }, isAlone: parts.length === 1 },
        one,
        normalise,
      ),
    );
  const { axis, places, base, unit, decimals } = plots[0]!;
  const atRight = plots.filter((plot) => plot.right);
  // One curve's knee at a time: the bands of many lie over each other and say nothing.
  const shownCurve = knee.curve ?? mainCurve(shaped, measure);
  const method = knee.method ?? kneeMethods(shaped, measure, shownCurve)[0];
  const hasKnee = places === null && base === null;
  const measured = coloured(plots.flatMap(measuredSeries), shownCurve);
  // What is compared with a curve is nothing that was published.
  const published = plots
    .filter((plot) => plot.base === null)
    .map((plot) => publishedSeries(plot, measured));
  return {
    unit,
    decimals,
    axis,
    notes: [
      ...(plots.some(
        (plot) => plot.waiting && shaped.points.some((p) => p.measures[plot.measure] != null),
      )
        ? ['Points are drawn once the reference point has a value of this measure.']
        : []),
      ...parts
        .filter((one) => !fits(one))
        .map(
          ({ label }) => `${label} has a third unit, and a chart has two axes: it is not drawn.`,
        ),
      ...new Set(published.flatMap(({ notes }) => notes)),
    ],
    input: {
      series: [...measured, ...published.flatMap(({ series }) => series)],
      bands: hasKnee ? kneeBands(shaped, measure, shownCurve, method) : [],
      marks: hasKnee
        ? [...saturationMarks(shaped, measure, shownCurve), ...limitMarks(shaped)]
        : [],
      categories:
        places === null ? null : places.map((v, at) => ({ at, label: valueText(axis, v) })),
      fromZero: true,
      ...(atRight.length > 0 && { right: rightAxis(atRight) }),
      planned:
        places === null && shaped.spec.findLimit === undefined ? axis.values.map(Number) : [],
    },
  };
}

/** What stands at the right: measures of one unit, named where they are few. */
const rightAxis = (plots: readonly Plot[]): NonNullable<XyInput['right']> => ({
  label: plots.length === 1 ? plots[0]!.label : '',
  unit: plots[0]!.unit,
  decimals: plots[0]!.decimals,
});

/** A figure over the time of one run is, as points, all runs side by side. */
function pointShape(shape: FigureShape = {}): FigureShape {
  const { where, ...all } = shape;
  return shape.overTime === true || where === undefined ? all : { ...all, where };
}
