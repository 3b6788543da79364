import { AppError } from '../../../src/core/base/errors.ts';
import type { RunAgainst } from '../../../src/core/report/runFront.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { CompareService } from '../compare/service.ts';
import { runsOfPlan } from '../runs/runsOfPlan.ts';
import type { StudyReportPeers } from './study.ts';

export interface AgainstPeers {
  /** Throws notFound. */
  stored: (id: string) => RunRecord;
  compare: CompareService;
  db: StudyReportPeers['db'];
}

/**
 * What the report of a run holds it against, as its page does: its reference, else the last run of
 * its plan that ended by itself. null = there is none, or it cannot be read.
 */
export async function runAgainst(
  { stored, compare, db }: AgainstPeers,
  { overview, plan, ...record }: RunRecord,
  signal: AbortSignal,
): Promise<{ against: RunAgainst; record: RunRecord } | null> {
  if (overview.state !== 'passed') return null;
  const { referenceRunId } = plan;
  const isReferred = referenceRunId !== null && referenceRunId !== overview.id;
  const last = runsOfPlan(db.runs, { overview, plan, ...record })
    .filter(({ id }) => id !== overview.id)
    .findLast(({ state }) => state === 'passed');
  const otherId = isReferred && db.runs.find(referenceRunId) !== null ? referenceRunId : last?.id;
  if (otherId === undefined) return null;
  try {
    const other = stored(otherId);
    const comparison = await compare.compare(otherId, [overview.id], signal);
    return {
      against: {
        kind: otherId === referenceRunId ? 'reference' : 'last',
        name: other.overview.name,
        comparison,
      },
      record: other,
    };
  } catch (thrown) {
    // A run that is gone, or has no steady state, is no reason for no report.
    if (thrown instanceof AppError && ['notFound', 'conflict'].includes(thrown.kind)) return null;
    throw thrown;
  }
}
