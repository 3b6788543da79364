import type { StudyOverview, StudyPoint } from '../study/study.ts';
import { namedValue } from '../study/studyWords.ts';

export interface DiagnosisCurve {
  /** Values of the other axes; empty = the study has one curve. */ key: string;
  label: string;
  points: readonly StudyPoint[];
}
export interface DiagnosisPair {
  before: StudyPoint | null;
  after: StudyPoint;
  /** Why these two, in words. */ why: string;
}

const measured = (point: StudyPoint): boolean =>
  point.runId !== null && (point.state === 'passed' || point.state === 'qosFailed');
/**
 * Below the first part of its best yield a point scales no more; below the second it has clearly
 * stopped.
 */
const yieldKept = 0.95,
  yieldLost = 0.9;

/**
 * The curves of a study with points that were measured, along its first axis; of repeats the first.
 */
export function diagnosisCurves({
  spec,
  points,
}: Pick<StudyOverview, 'spec' | 'points'>): DiagnosisCurve[] {
  const [axis, ...others] = spec.axes,
    curves = new Map<string, StudyPoint[]>();
  if (axis === undefined) return [];
  for (const point of points.filter(measured)) {
    const key = others.map((one) => `${one.name}=${String(point.values[one.name])}`).join(';');
    const curve = curves.get(key) ?? [];
    if (!curve.some((one) => one.values[axis.name] === point.values[axis.name])) curve.push(point);
    curves.set(key, curve);
  }
  const place = (point: StudyPoint): number => {
    const value = point.values[axis.name];
    return typeof value === 'number' ? value : axis.values.indexOf(value!);
  };
  return [...curves].map(([key, list]) => ({
    key,
    points: [...list].sort((a, b) => place(a) - place(b)),
    label: others
      .map((one) => {
        const value = list[0]!.values[one.name];
        const words = namedValue(one, value);
        return words === value ? `${one.label} ${words}` : words;
      })
      .join(', '),
  }));
}

/** What more of counts as scaling: the study's first chart of score, throughput or IOPS. */
export function yieldMeasure({
  spec,
  points,
}: Pick<StudyOverview, 'spec' | 'points'>): string | null {
  const charted = spec.charts
    .map((chart) => chart.measure)
    .find((measure) => /^(score|throughput|iops)/.test(measure));
  return charted ?? (points.some((point) => point.measures['score'] != null) ? 'score' : null);
}

type Found = Pick<StudyOverview, 'spec' | 'points'> & Partial<Pick<StudyOverview, 'knees'>>;

/**
 * The knee that was found on a curve of the yield: where two lines meet, else another method's;
 * null where none was found.
 */
function kneeOf({ spec, points, knees = [] }: Found, curve: DiagnosisCurve): number | null {
  const measure = yieldMeasure({ spec, points });
  const results = knees
    .filter((one) => one.series === curve.key && one.measure === measure)
    .flatMap((one) => one.results)
    .filter((one) => one.estimate !== null);
  return (
    (results.find((one) => !one.method.startsWith('saturation')) ?? results[0])?.estimate ?? null
  );
}

/**
 * The last point of a curve that is well and the first that is not: by quality of service where it
 * failed; else the last before the knee that was found and the first after it that yields less than
 * 90 % of it a step of the axis; without a knee the last with 95 % of the best yield, and the first
 * after it with less than 90 %. null where there is nothing to tell apart.
 */
export function diagnosisPair(overview: Found, curve: DiagnosisCurve): DiagnosisPair | null {
  const { points } = curve,
    axis = overview.spec.axes[0]!;
  const failed = points.findIndex((point) => point.state === 'qosFailed');
  if (failed >= 0) {
    const before =
      points
        .slice(0, failed)
        .filter((point) => point.state === 'passed')
        .at(-1) ?? null;
    return {
      before,
      after: points[failed]!,
      why:
        before === null
          ? 'The first point already breaks a quality limit.'
          : 'The last point that keeps its quality limits, and the first that breaks one.',
    };
  }
  const last = points.at(-1),
    first = points[0];
  if (last === undefined || first === undefined || points.length < 2) return null;
  const measure = yieldMeasure(overview);
  const yields = points.map((point) => {
    const x = point.values[axis.name],
      y = measure === null ? null : point.measures[measure];
    return typeof x === 'number' && x > 0 && y != null ? y / x : null;
  });
  const best = Math.max(...yields.map((value) => value ?? -Infinity));
  if (!Number.isFinite(best) || best <= 0)
    return { before: first, after: last, why: 'The first and the last point.' };
  const knee = kneeOf(overview, curve);
  const place = (point: StudyPoint): number => Number(point.values[axis.name]);
  const atKnee = knee === null ? -1 : points.findLastIndex((point) => place(point) <= knee);
  if (knee !== null && atKnee >= 0 && atKnee < points.length - 1) {
    const was = yields[atKnee] ?? best;
    const beyond = points.findIndex(
      (_point, i) => i > atKnee && (yields[i] ?? was) < yieldLost * was,
    );
    return {
      before: points[atKnee]!,
      after: points[beyond] ?? last,
      why:
        `The last point before the knee at ${Number(knee.toPrecision(3))}, and the ` +
        `${beyond < 0 ? 'last measured' : `first that yields less than ${yieldLost * 100} % of it`}.`,
    };
  }
  let kept = 0;
  yields.forEach((value, i) => {
    if (value !== null && value >= yieldKept * best) kept = i;
  });
  if (kept === points.length - 1)
    return {
      before: points.at(-2)!,
      after: last,
      why: 'It scales to the last point: the last two are compared.',
    };
  const lost = points.findIndex((_point, i) => i > kept && (yields[i] ?? 1) < yieldLost * best);
  return {
    before: points[kept]!,
    after: points[lost] ?? last,
    why:
      `No quality limit is broken. The last point with ${yieldKept * 100} % of the best yield, ` +
      `and the ${lost < 0 ? 'last measured' : `first with less than ${yieldLost * 100} %`}.`,
  };
}

/**
 * How much more the second point asks of a workload than the first: of sweeps over an option, as
 * users or outstanding I/Os. null = no more.
 */
export function askedMore(
  { spec }: Pick<StudyOverview, 'spec'>,
  before: StudyPoint,
  after: StudyPoint,
): { workloadId: string; factor: number } | null {
  const axis = spec.axes[0];
  if (axis?.parameter.kind !== 'option') return null;
  const from = before.values[axis.name],
    to = after.values[axis.name];
  return typeof from === 'number' && typeof to === 'number' && from > 0 && to > from
    ? { workloadId: axis.parameter.workloadId, factor: to / from }
    : null;
}

/** What makes a point, in words. */
export function pointLabel({ spec }: Pick<StudyOverview, 'spec'>, point: StudyPoint): string {
  return spec.axes
    .map((axis) => {
      const value = point.values[axis.name];
      const words = namedValue(axis, value);
      return words === value ? `${words} ${axis.unit || axis.label.toLowerCase()}` : words;
    })
    .join(', ');
}
