import { withUnit } from '../base/counted.ts';
import { formatExact } from '../base/format.ts';
import { groupBy } from '../base/groupBy.ts';
import { byNaturalOrder } from '../base/naturalOrder.ts';
import { tileStyle } from '../chart/palette.ts';
import {
  shapes,
  tickText,
  type XyBand,
  type XyInput,
  type XyMark,
  type XyPoint,
  type XySeries,
} from '../chart/xyModel.ts';
import {
  type MeasureGroup,
  measureGroups,
  measureWords,
  type WorkloadNames,
} from '../metric/measureWords.ts';
import type { AxisValue, StudyAxis, StudyOverview, StudyPoint } from './study.ts';
import { curveOf, referenceValues } from './sweep.ts';

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

export const valueText = (axis: StudyAxis, value: AxisValue | undefined): string =>
  value === undefined
    ? ''
    : (axis.valueLabels[String(value)] ?? (typeof value === 'number' ? tickText(value) : value));
/** `16 tiles`, `Users 300`, `CX3`: a number with its unit or its axis, a name as it is. */
export const namedValue = (axis: StudyAxis, value: AxisValue | undefined): string =>
  typeof value !== 'number' || axis.valueLabels[String(value)] !== undefined
    ? valueText(axis, value)
    : axis.unit === ''
      ? `${axis.label} ${tickText(value)}`
      : withUnit(value, axis.unit, tickText(value));

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
  const { spec, points } = overview;
  const axis = spec.axes[0]!;
  const numeric = isNumeric(axis);
  const reference = normalise ? referenceOf(overview, choice.measure) : null;
  const waiting = normalise && reference === null;
  const notes =
    waiting && points.some((p) => p.measures[choice.measure] != null)
      ? ['Points are drawn once the reference point has a value of this measure.']
      : [];
  const factor = reference === null || reference === 0 ? 1 : 1 / reference;
  const normalised = normalise;
  const unit = normalised ? normalisedUnit(choice) : choice.normalise ? '' : choice.unit;
  const decimals = normalised ? Math.max(2, choice.decimals) : choice.decimals;
  const places = numeric ? null : [...new Set(axis.values.map(String))];
  const place = (value: AxisValue | undefined): number =>
    places === null ? Number(value) : places.indexOf(String(value));
  const curves = [
    ...new Set([...curveOrder(overview), ...points.map((p) => curveOf(spec, p.values))]),
  ];
  const word = overview.origin === 'simulated' ? 'Modelled' : 'Measured';

  const series = curves.map((curve, i): XySeries => {
    const { color, dash } = tileStyle(i);
    const own = waiting
      ? []
      : points.filter(
          (p) =>
            curveOf(spec, p.values) === curve &&
            p.measures[choice.measure] != null &&
            Number.isFinite(place(p.values[axis.name])) &&
            place(p.values[axis.name]) >= (numeric ? -Infinity : 0),
        );
    const groups = groupBy(own, (p) => place(p.values[axis.name]));
    return {
      key: `curve ${curve}`,
      label: curves.length === 1 ? word : `${word}, ${curveLabel(overview, curve)}`,
      color,
      dash,
      shape: shapes[i % shapes.length]!,
      published: false,
      points: [...groups].map(([x, list]) =>
        measuredPoint(
          overview,
          choice,
          list,
          x,
          factor,
          unit,
          decimals,
          curves.length === 1 ? '' : curveLabel(overview, curve),
        ),
      ),
    };
  });
  // One curve's knee at a time: the bands of many lie over each other and say nothing.
  const shownCurve = knee.curve ?? mainCurve(overview, choice.measure);
  const publishedHere = overview.published.filter((p) => p.measure === choice.measure);
  const published = [...groupBy(publishedHere, (p) => curveOf(spec, p.values))].flatMap(
    ([curve, list]): XySeries[] => {
      const i = Math.max(0, curves.indexOf(curve));
      const drawn = list.flatMap((p, n): XyPoint[] => {
        const y = publishedValue(overview, p, normalised, unit);
        if (y === null) {
          if (!notes.some((text) => text.startsWith('Published')))
            notes.push(
              `Published figures are in ${p.unit || 'another unit'} and are not drawn here; the table below has them.`,
            );
          return [];
        }
        const x = place(p.values[axis.name]);
        if (!Number.isFinite(x) || (!numeric && x < 0)) return [];
        return [
          {
            key: `published ${curve} ${n}`,
            x,
            y,
            low: null,
            high: null,
            flaw: null,
            open: null,
            lines: [
              `Published, ${namedValue(axis, p.values[axis.name])}: ` +
                `${formatExact(y, decimals)}${unit === '' ? '' : ` ${unit}`}`,
              ...(p.label === '' ? [] : [p.label]),
              `Source: ${p.source}`,
            ],
          },
        ];
      });
      return drawn.length === 0
        ? []
        : [
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
              points: drawn,
            },
          ];
    },
  );
  return {
    unit,
    decimals,
    notes,
    input: {
      series: [...series, ...published],
      bands: numeric
        ? kneeBands(
            overview,
            choice.measure,
            shownCurve,
            knee.method ?? kneeMethods(overview, choice.measure, shownCurve)[0],
          )
        : [],
      marks: numeric
        ? [...saturationMarks(overview, choice.measure, shownCurve), ...limitMarks(overview)]
        : [],
      categories:
        places === null ? null : places.map((v, at) => ({ at, label: valueText(axis, v) })),
      fromZero: true,
      planned: numeric && spec.findLimit === undefined ? axis.values.map(Number) : [],
    },
  };
}

const normalisedUnit = (choice: ChartChoice): string =>
  choice.normalise && choice.unit !== '' ? choice.unit : '× reference';

/** Curves in the order of the second axis. */
const curveOrder = ({ spec }: StudyOverview): string[] => {
  const second = spec.axes[1];
  return second === undefined
    ? ['']
    : second.values.map((v) => curveOf(spec, { [second.name]: v }));
};
export function curveLabel({ spec }: StudyOverview, curve: string): string {
  const second = spec.axes[1];
  if (second === undefined) return '';
  const value = second.values.find((v) => curveOf(spec, { [second.name]: v }) === curve);
  return value === undefined ? curve : namedValue(second, value);
}

function measuredPoint(
  overview: StudyOverview,
  choice: ChartChoice,
  list: readonly StudyPoint[],
  x: number,
  factor: number,
  unit: string,
  decimals: number,
  curve: string,
): XyPoint {
  const axis = overview.spec.axes[0]!;
  const ys = list.map((p) => p.measures[choice.measure]! * factor);
  const y = ys.reduce((a, b) => a + b, 0) / ys.length;
  const bad = worst.find((state) => list.some((p) => p.state === state));
  const exact = (value: number): string =>
    `${formatExact(value, decimals)}${unit === '' ? '' : ` ${unit}`}`;
  const first = list[0]!;
  return {
    key: first.key,
    x,
    y,
    low: ys.length > 1 ? Math.min(...ys) : null,
    high: ys.length > 1 ? Math.max(...ys) : null,
    flaw: bad === undefined ? null : { word: flawWords[bad]! },
    open: list.find((p) => p.runId !== null)?.runId ?? null,
    lines: [
      `${namedValue(axis, first.values[axis.name])}${curve === '' ? '' : `, ${curve}`}: ${exact(y)}`,
      ...(ys.length > 1
        ? [`Mean of ${ys.length} repeats, ${exact(Math.min(...ys))} to ${exact(Math.max(...ys))}`]
        : []),
      ...(bad === undefined
        ? []
        : [`${flawWords[bad]!}${first.detail === '' ? '' : `: ${first.detail}`}`]),
    ],
  };
}

/**
 * A published figure on the drawn scale; null where its unit is another and it cannot be brought
 * there by its own reference.
 */
function publishedValue(
  overview: StudyOverview,
  point: StudyOverview['published'][number],
  normalised: boolean,
  unit: string,
): number | null {
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

const isSaturation = (method: string): boolean => method.startsWith('saturation');
/** Regions of a response-time curve stand beside its knee; they are no methods to choose among. */
const isRegion = (method: string): boolean =>
  method.endsWith('plateau') || method.endsWith('region');
const kneeOf = (
  overview: StudyOverview,
  measure: string,
  curve: string,
): StudyOverview['knees'][number] | undefined =>
  overview.knees.find((k) => k.measure === measure && k.series === curve);
/** Curves of a measure that knees were looked for in, in the order of the second axis. */
export const kneeCurves = (overview: StudyOverview, measure: string): string[] =>
  curveOrder(overview).filter((curve) => kneeOf(overview, measure, curve) !== undefined);
/** The curve that is looked at first: the one most was published of, else the last. */
export function mainCurve(overview: StudyOverview, measure: string): string {
  const curves = kneeCurves(overview, measure);
  const published = (curve: string): number =>
    overview.published.filter(
      (p) => p.measure === measure && curveOf(overview.spec, p.values) === curve,
    ).length;
  return curves.reduce(
    (best, curve) =>
      published(curve) > published(best) ||
      (published(curve) === published(best) && published(curve) === 0)
        ? curve
        : best,
    curves[0] ?? '',
  );
}
/** Methods that found a knee of a curve, the one with an interval of its own first. */
export function kneeMethods(overview: StudyOverview, measure: string, curve: string): string[] {
  const found = (kneeOf(overview, measure, curve)?.results ?? [])
    .filter(
      (r) => r.low !== null && r.high !== null && !isSaturation(r.method) && !isRegion(r.method),
    )
    .map((r) => r.method);
  return [...new Set(found)].sort(
    (a, b) => Number(b.includes('segment')) - Number(a.includes('segment')),
  );
}

/**
 * The knee of a curve by one method, and the regions around it, found inside the measured points:
 * each an interval with its name.
 */
function kneeBands(
  overview: StudyOverview,
  measure: string,
  curve: string,
  method: string | undefined,
): XyBand[] {
  const { unit } = overview.spec.axes[0]!;
  return (kneeOf(overview, measure, curve)?.results ?? [])
    .filter((r) => r.method === method || isRegion(r.method))
    .flatMap((r): XyBand[] => {
      if (r.low === null || r.high === null) return [];
      const span = r.low === r.high ? kneeText(r.low) : `${kneeText(r.low)} to ${kneeText(r.high)}`;
      if (isRegion(r.method))
        return [
          {
            key: r.method,
            from: r.low,
            to: r.high,
            faint: true,
            label: `${r.method.slice(0, 1).toUpperCase()}${r.method.slice(1)} ${span}${unit === '' ? '' : ` ${unit}`}`,
          },
        ];
      return [
        {
          key: 'knee',
          from: r.low,
          to: r.high,
          label:
            `Knee ${span}${unit === '' ? '' : ` ${unit}`}, ` +
            `${r.method}${curve === '' ? '' : `, ${curveLabel(overview, curve)}`}`,
        },
      ];
    });
}

/** A bound that was computed, not chosen: three figures. */
export const kneeText = (value: number): string => String(Number(value.toPrecision(3)));

/** Where a curve stopped growing, by the saturation rule. */
function saturationMarks(overview: StudyOverview, measure: string, curve: string): XyMark[] {
  const { unit } = overview.spec.axes[0]!;
  return (kneeOf(overview, measure, curve)?.results ?? []).flatMap((r): XyMark[] =>
    r.estimate === null || !isSaturation(r.method)
      ? []
      : [
          {
            key: 'saturation',
            at: r.estimate,
            label:
              'Saturated from ' +
              `${tickText(r.estimate)}${unit === '' ? '' : ` ${unit}`}${curve === '' ? '' : `, ${curveLabel(overview, curve)}`}`,
          },
        ],
  );
}

/** The limit that was searched and found: between the last pass and the first fail. */
function limitMarks({ limit, spec }: StudyOverview): XyMark[] {
  const unit = spec.axes[0]!.unit;
  if (limit === null) return [];
  return [
    ...(limit.lastPass === null
      ? []
      : [
          {
            key: 'limit pass',
            at: limit.lastPass,
            label: `Last pass ${tickText(limit.lastPass)}${unit === '' ? '' : ` ${unit}`}`,
          },
        ]),
    ...(limit.firstFail === null
      ? []
      : [
          {
            key: 'limit fail',
            at: limit.firstFail,
            label: `First fail ${tickText(limit.firstFail)}${unit === '' ? '' : ` ${unit}`}`,
          },
        ]),
  ];
}
