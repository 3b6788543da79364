import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';
import type { Database } from '../db/types.ts';

/** vCenter's own period: what is kept of an old run is as fine as its host counters were. */
const thinnedMs = 20_000;

/** Operations are told one by one, not by period: theirs stay as they are. */
const canThin = (def: SeriesDef): boolean =>
  def.entity.kind !== 'operation' && def.periodMs < thinnedMs;

/**
 * About which share of a run's samples thinning takes away, by the periods of its series: 0 to 1.
 */
export function thinnedShare(db: Pick<Database, 'samples'>, runId: string): number {
  let now = 0,
    then = 0;
  for (const def of db.samples.series(runId)) {
    now += 1 / def.periodMs;
    then += 1 / (canThin(def) ? thinnedMs : def.periodMs);
  }
  return now === 0 ? 0 : 1 - then / now;
}

/**
 * Thins the samples of an ended run to one in 20 s, a series a step. The record says so first, with
 * the new periods, so that whatever is half done is shown for what it is; a series is thinned whole
 * or not at all, and done again it is left alone.
 */
export function* thinRun(
  db: Pick<Database, 'runs' | 'samples' | 'history' | 'storage'>,
  runId: string,
  nowMs: number,
): Generator<void> {
  const record = db.runs.find(runId);
  if (!record || record.imported) return;
  const { overview } = record;
  const wasThinned = overview.findings.some((finding) => finding.id === 'retention.thinned');
  const series = overview.series.map((def) =>
    canThin(def) ? { ...def, periodMs: thinnedMs } : def,
  );
  const finding = {
    id: 'retention.thinned',
    severity: 'info' as const,
    tMs: nowMs,
    text:
      'Samples were thinned to one in 20 s by the retention rule. Score and verdict are of the ' +
      'samples as they were.',
  };
  if (!wasThinned)
    db.runs.save({
      ...record,
      overview: {
        ...overview,
        rev: overview.rev + 1,
        series,
        findings: [...overview.findings, finding],
      },
    });
  yield;
  for (const def of db.samples.series(runId)) {
    if (!canThin(def)) continue;
    const [data] = db.samples.read(runId, [def.id], {});
    const { tMs, value } = thinSeries(
      data!.tMs,
      data!.value,
      overview.startedAtMs ?? overview.createdAtMs,
      { keepMax: def.metric === 'latencyMaxMs', edges: windowEdges(overview) },
    );
    // A mean has more digits than what it is made of.
    db.samples.replace(
      runId,
      { ...def, periodMs: thinnedMs, decimals: Math.min(6, def.decimals + 2) },
      tMs,
      value,
    );
    yield;
  }
  db.samples.finish(runId);
  db.history.change({ kind: 'run', id: runId }, { thinnedAtMs: nowMs }, nowMs);
  const after = db.runs.find(runId);
  if (after) db.runs.save(after);
}

/**
 * Where windows begin and end that means are taken over: what is put together must lie on one side
 * of each. Ascending.
 */
const windowEdges = ({ phases, periods }: RunOverview): number[] =>
  [
    ...phases.flatMap(({ startMs, endMs }) => [startMs, endMs ?? startMs]),
    ...periods.flatMap(({ startMs, endMs }) => [startMs, endMs]),
  ].sort((a, b) => a - b);

/**
 * Mean (of maxima the maximum) of every 20 s from `startMs` and from each edge on, at the time of
 * its last sample: what lies on two sides of an edge is not put together, and a window of whole 20
 * s keeps its mean. Times ascend.
 */
export function thinSeries(
  tMs: Float64Array,
  value: Float64Array,
  startMs: number,
  { keepMax, edges }: { keepMax: boolean; edges: readonly number[] },
): { tMs: Float64Array; value: Float64Array } {
  const times: number[] = [],
    values: number[] = [];
  let edge = 0;
  for (let from = 0; from < tMs.length;) {
    while (edge < edges.length && edges[edge]! <= tMs[from]!) edge += 1;
    const untilMs = edges[edge] ?? Infinity;
    const originMs = edge > 0 ? edges[edge - 1]! : startMs;
    const bucket = Math.floor((tMs[from]! - originMs) / thinnedMs);
    let to = from,
      sum = 0,
      max = -Infinity;
    for (
      ;
      to < tMs.length &&
      tMs[to]! < untilMs &&
      Math.floor((tMs[to]! - originMs) / thinnedMs) === bucket;
      to += 1
    ) {
      sum += value[to]!;
      max = Math.max(max, value[to]!);
    }
    times.push(tMs[to - 1]!);
    values.push(keepMax ? max : sum / (to - from));
    from = to;
  }
  return { tMs: Float64Array.from(times), value: Float64Array.from(values) };
}
