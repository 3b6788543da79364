import type { AxisValue, FigureShape, StudyAxis, StudyOverview, StudySpec } from './study.ts';

type Values = Readonly<Record<string, AxisValue>>;
const hasValue = (list: readonly AxisValue[], value: AxisValue | undefined): boolean =>
  list.some((one) => String(one) === String(value));

/**
 * A study as a figure looks at it: only the points asked for, the axis it is drawn against first,
 * and values that are grouped as two axes, groups and bars. An axis with one value left is none.
 */
export function shapedStudy(overview: StudyOverview, shape: FigureShape): StudyOverview {
  const turned = turnedTo(filtered(overview, shape.where ?? {}), shape.over);
  return shape.groups === undefined ? turned : grouped(turned, shape.groups);
}

function filtered(
  overview: StudyOverview,
  where: NonNullable<FigureShape['where']>,
): StudyOverview {
  if (Object.keys(where).length === 0) return overview;
  const isShown = ({ values }: { values: Values }): boolean =>
    Object.entries(where).every(([name, list]) => hasValue(list, values[name]));
  const axes = overview.spec.axes.map((axis) => {
    const list = where[axis.name];
    return list === undefined
      ? axis
      : { ...axis, values: axis.values.filter((value) => hasValue(list, value)) };
  });
  return {
    ...overview,
    spec: { ...overview.spec, axes },
    points: overview.points.filter(isShown),
    published: overview.published.filter(isShown),
  };
}

/** The axis of this name first; knees and limits are those of the first axis of the study. */
function turnedTo(overview: StudyOverview, over: string | undefined): StudyOverview {
  const { axes } = overview.spec;
  const first = axes.find(({ name }) => name === over) ?? axes[0]!;
  // A curve that is alone needs no name.
  const rest = axes.filter((axis) => axis !== first && axis.values.length > 1);
  const isSame = first === axes[0] && rest.length === axes.length - 1;
  return isSame
    ? overview
    : {
        ...overview,
        spec: { ...overview.spec, axes: [first, ...rest] },
        ...(first !== axes[0] && { knees: [], limit: null }),
      };
}

const groupAxis = 'figureGroup';
const barAxis = 'figureBar';

function grouped(
  overview: StudyOverview,
  { label, bars, places }: NonNullable<FigureShape['groups']>,
): StudyOverview {
  const of = overview.spec.axes[0]!;
  const placeOf = new Map<string, Record<string, AxisValue>>();
  places.forEach((place, group) => {
    place.values.forEach((value, bar) => {
      placeOf.set(String(value), { [groupAxis]: String(group), [barAxis]: String(bar) });
    });
  });
  const moved = <T extends { values: Record<string, AxisValue> }>(list: readonly T[]): T[] =>
    list.flatMap((one) => {
      const at = placeOf.get(String(one.values[of.name]));
      return at === undefined ? [] : [{ ...one, values: at }];
    });
  const axis = (name: string, title: string, labels: readonly string[]): StudyAxis => ({
    name,
    label: title,
    unit: '',
    parameter: of.parameter,
    values: labels.map((_, i) => String(i)),
    valueLabels: Object.fromEntries(labels.map((text, i) => [String(i), text])),
  });
  return {
    ...overview,
    spec: {
      ...overview.spec,
      axes: [
        axis(
          groupAxis,
          label,
          places.map((place) => place.label),
        ),
        axis(barAxis, of.label, bars),
      ],
    },
    points: moved(overview.points),
    published: moved(overview.published),
    knees: [],
    limit: null,
  };
}

/** The value that names the curve a figure compares with, on its second axis. */
export function againstValue(shaped: StudySpec, shape: FigureShape): AxisValue | undefined {
  const { against, groups } = shape;
  if (against === undefined) return undefined;
  if (groups === undefined) return against.curve;
  const bar = groups.bars.indexOf(String(against.curve));
  return shaped.axes[1]?.values[bar];
}

/**
 * Whether a study still has the axes and values that a figure names: both may have been edited
 * since.
 */
export function figureFits(
  { axes }: Pick<StudySpec, 'axes'>,
  { over, where = {}, groups, against }: FigureShape,
): boolean {
  const has = (name: string, list: readonly AxisValue[]): boolean => {
    const known = axes.find((axis) => axis.name === name)?.values ?? [];
    return list.every((value) => hasValue(known, value));
  };
  const curves = groups?.bars ?? axes.flatMap(({ values }) => values);
  return (
    (over === undefined || axes.some(({ name }) => name === over)) &&
    Object.entries(where).every(([name, list]) => has(name, list)) &&
    (groups === undefined || groups.places.every(({ values }) => has(axes[0]!.name, values))) &&
    (against === undefined || hasValue(curves, against.curve))
  );
}

/** The measures of figures, each once, in their order. */
export const figureMeasures = (charts: StudySpec['charts']): string[] => [
  ...new Set(
    charts.flatMap(({ measure, also = [] }) => [measure, ...also.map((one) => one.measure)]),
  ),
];
