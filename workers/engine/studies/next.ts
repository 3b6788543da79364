import { type LimitState, limitState } from '../../../src/core/knee/sweepLimit.ts';
import type { StudyPoint, StudySpec } from '../../../src/core/study/study.ts';
import { curveOf, pointKey, referenceValues, sweepPoints } from '../../../src/core/study/sweep.ts';

/** Pure: which points a study has and which comes next. */

const fresh = (point: {
  key: string;
  values: StudyPoint['values'];
  repeat: number;
}): StudyPoint => ({
  ...point,
  state: 'pending',
  runId: null,
  earlierRunIds: [],
  detail: '',
  measures: {},
});

/**
 * All points of a sweep; the search for a limit starts with none. What was run under the same key
 * is kept.
 */
export function plannedPoints(spec: StudySpec, before: readonly StudyPoint[]): StudyPoint[] {
  const known = new Map(before.map((point) => [point.key, point]));
  if (spec.findLimit) {
    const { from, to } = spec.findLimit;
    return before.filter((p) => {
      const value = p.values[spec.axes[0]!.name];
      return (
        Object.keys(p.values).length === 1 &&
        typeof value === 'number' &&
        value >= from &&
        value <= to
      );
    });
  }
  // A key does not tell 3.5 from '3.5': the values are those of the study as it is now.
  return sweepPoints(spec).map((point) => {
    const kept = known.get(point.key);
    return kept ? { ...kept, values: point.values } : fresh(point);
  });
}

/** A point as it was before its run, which is kept among the earlier ones. */
export const pendingAgain = (point: StudyPoint): StudyPoint => ({
  ...point,
  state: 'pending',
  runId: null,
  earlierRunIds: point.runId === null ? point.earlierRunIds : [...point.earlierRunIds, point.runId],
  measures: {},
  detail: '',
});

/** Boundary of a search for the limit as far as it is known; null for a sweep. */
export function limitOf(spec: StudySpec, points: readonly StudyPoint[]): LimitState | null {
  if (!spec.findLimit) return null;
  const name = spec.axes[0]!.name;
  return limitState(
    spec.findLimit,
    points
      .filter((p) => p.state === 'passed' || p.state === 'qosFailed' || p.state === 'failed')
      .map((p) => ({ value: Number(p.values[name]), passed: p.state === 'passed' })),
  );
}

/**
 * The point to run next: the one that was lost, the reference first where scores need one, then in
 * order; for a search the value it asks for, as a new point. null = everything was run.
 */
export function nextPoint(
  spec: StudySpec,
  points: readonly StudyPoint[],
  referenceFirst: boolean,
): StudyPoint | null {
  const pending = points.filter((p) => p.state === 'pending');
  if (spec.findLimit) {
    if (pending[0]) return pending[0];
    const value = limitOf(spec, points)?.next ?? null;
    if (value === null) return null;
    const values = { [spec.axes[0]!.name]: value };
    const repeat =
      Math.max(
        0,
        ...points.filter((p) => p.values[spec.axes[0]!.name] === value).map((p) => p.repeat),
      ) + 1;
    return fresh({ key: pointKey(spec, values, repeat), values, repeat });
  }
  const reference = referenceFirst
    ? pending.find((p) => isReference(spec, p) && p.repeat === 1)
    : undefined;
  return reference ?? pending[0] ?? null;
}

function isReference(
  spec: Pick<StudySpec, 'axes' | 'reference'>,
  { values }: Pick<StudyPoint, 'values'>,
): boolean {
  return Object.entries(referenceValues(spec)).every(([name, value]) => values[name] === value);
}

/** Run whose throughputs score 1.0 for the other points; null = not run yet. */
export function referenceRun(spec: StudySpec, points: readonly StudyPoint[]): string | null {
  return (
    points.find(
      (p) =>
        p.runId !== null &&
        (p.state === 'passed' || p.state === 'qosFailed') &&
        isReference(spec, p),
    )?.runId ?? null
  );
}

/**
 * After a QoS failure under the stop rule: what is left of its curve is skipped. Gives the keys.
 */
export function skippedAfter(
  spec: StudySpec,
  points: readonly StudyPoint[],
  failed: StudyPoint,
): string[] {
  if (spec.stopRule !== 'firstQosFailure' || spec.findLimit || failed.state !== 'qosFailed')
    return [];
  const curve = curveOf(spec, failed.values);
  return points
    .filter((p) => p.state === 'pending' && curveOf(spec, p.values) === curve)
    .map((p) => p.key);
}
