import { isEsxtopEntity, type MetricName } from '../../../src/core/metric/metric.ts';
import { mean } from '../../../src/core/stats/summary.ts';
import type { AxisValue, StudyPoint } from '../../../src/core/study/study.ts';
import type { Database } from '../db/types.ts';
import type { StudyView } from '../gallery/types.ts';

const measured = (point: StudyPoint): boolean =>
  point.state === 'passed' || point.state === 'qosFailed';
const lies = (point: StudyPoint, at: Readonly<Record<string, AxisValue>>): boolean =>
  Object.entries(at).every(([name, value]) => point.values[name] === value);

/** What expectations look at: measures of points, and the samples of their runs. */
export function studyView(
  points: readonly StudyPoint[],
  db: Pick<Database, 'runs' | 'samples'>,
): StudyView {
  return {
    points,
    value(measure, at) {
      const values = points
        .filter((p) => measured(p) && lies(p, at))
        .map((p) => p.measures[measure] ?? null);
      return values.length === 0 || values.some((v) => v === null)
        ? null
        : mean(values as number[]);
    },
    series(at, metric, entity) {
      const runId =
        points.find((p) => measured(p) && lies(p, at) && p.runId !== null)?.runId ?? null;
      return runId === null ? null : sumSeries(db, runId, metric, entity);
    },
  };
}

/**
 * One series, or the sum over all of its kind: bucket by bucket of the sampling period, where all
 * of them have a sample.
 */
function sumSeries(
  db: Pick<Database, 'runs' | 'samples'>,
  runId: string,
  metric: MetricName,
  entity: { kind: string; id?: string },
): ReturnType<StudyView['series']> {
  const overview = db.runs.find(runId)?.overview;
  if (!overview || overview.startedAtMs === null) return null;
  const { startedAtMs } = overview;
  const defs = overview.series.filter(
    (s) =>
      s.metric === metric &&
      s.entity.kind === entity.kind &&
      !isEsxtopEntity(s.entity) &&
      (entity.id === undefined || s.entity.id === entity.id || s.entity.name === entity.id),
  );
  if (defs.length === 0) return null;
  const periodMs = Math.max(...defs.map((d) => d.periodMs));
  const buckets = new Map<number, { sum: number; series: number }>();
  for (const { tMs, value } of db.samples.read(
    runId,
    defs.map((d) => d.id),
    { maxPoints: 0 },
  )) {
    const own = new Map<number, { sum: number; count: number }>();
    tMs.forEach((at, i) => {
      const bucket = Math.round((at - startedAtMs) / periodMs);
      const known = own.get(bucket) ?? { sum: 0, count: 0 };
      own.set(bucket, { sum: known.sum + value[i]!, count: known.count + 1 });
    });
    for (const [bucket, { sum, count }] of own) {
      const known = buckets.get(bucket) ?? { sum: 0, series: 0 };
      buckets.set(bucket, { sum: known.sum + sum / count, series: known.series + 1 });
    }
  }
  // A sum that lacks one of its series is no sum.
  const order = [...buckets.keys()]
    .filter((bucket) => buckets.get(bucket)!.series === defs.length)
    .sort((a, b) => a - b);
  if (order.length === 0) return null;
  return {
    elapsedS: Float64Array.from(order, (b) => (b * periodMs) / 1_000),
    value: Float64Array.from(order, (b) => buckets.get(b)!.sum),
  };
}
