import { fail } from '../../../src/core/base/errors.ts';
import { type Comparison, referenceAmong } from '../../../src/core/compare/index.ts';
import { ownReference } from '../../../src/core/run/ownReference.ts';
import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import type { Database } from '../db/types.ts';
import { finalScore } from '../runs/evaluate.ts';

interface Read {
  record: RunRecord;
  summary: RunSummary;
}

/**
 * Runs with the scores they have against one reference: `referenceId`, else the one of them that has
 * no reference and scores the others. Nothing is stored: a run keeps the score it got. Runs that got
 * none, or whose profile sets the reference, stay as they are. Throws notFound.
 */
export function scoreAlike(
  db: Database,
  read: readonly Read[],
  referenceId?: string,
): { scored: readonly Read[]; scoredAgainst: Comparison['scoredAgainst'] } {
  const id = referenceId ?? referenceAmong(read.map((r) => r.record));
  if (id === null) return { scored: read, scoredAgainst: undefined };
  const name = (read.find((r) => r.summary.id === id)?.summary ?? db.runs.summary(id))?.name;
  if (name === undefined)
    throw fail(
      'notFound',
      `Run ${id}, which all were to be scored against, does not exist.`,
      'Choose another run as reference.',
    );
  return { scored: read.map((one) => rescore(db, one, id)), scoredAgainst: { id, name } };
}

function rescore(db: Database, { record: was, summary }: Read, referenceRunId: string): Read {
  const { overview, profile } = was;
  if (overview.score?.total === undefined || ownReference({ profile }) !== null)
    return { record: was, summary };
  // What ended early keeps having no total, and what has this reference its score.
  if (overview.state !== 'passed' || was.plan.referenceRunId === referenceRunId)
    return { record: was, summary };
  const plan = { ...was.plan, referenceRunId };
  const score = finalScore(db, { ...was, plan });
  return {
    record: { ...was, plan, overview: { ...overview, score } },
    summary: { ...summary, score: score.total },
  };
}
