import type { Comparison } from '../../../src/shared/contract.ts';
import { aggregateRun, buildComparison } from '../../../src/shared/compare.ts';
import { fail } from '../../../src/shared/errors.ts';
import type { Database } from '../db/types.ts';

/** Compares stored runs against a baseline, from exact aggregates of their samples. Throws notFound for a run that is gone. */
export function compareStoredRuns(db: Database, baselineId: string, ids: readonly string[]): Comparison {
  const summaries = new Map(db.runs.list().map((summary) => [summary.id, summary]));
  const wanted = [baselineId, ...ids.filter((id) => id !== baselineId)];
  return buildComparison(baselineId, wanted.map((id) => {
    const record = db.runs.get(id);
    const summary = summaries.get(id);
    if (!record || !summary) throw fail('notFound', `Run ${id} does not exist.`, 'Choose another run.');
    return { record, summary, aggregates: aggregateRun(record.overview, (seriesId, fromMs, toMs) => db.samples.aggregate(id, seriesId, fromMs, toMs)) };
  }));
}
