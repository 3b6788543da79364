import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import type { RunStore } from '../db/types.ts';

/** The contract gives no more. */
const most = 8;

/**
 * The last runs of a run's plan that began no later than it, with it, oldest first; without what
 * lies in Deleted. One that came in a file stands alone: its plan is not here, whatever its id says.
 */
export function runsOfPlan(
  runs: Pick<RunStore, 'idsOfPlan' | 'list' | 'summary'>,
  { overview, plan, imported }: RunRecord,
): RunSummary[] {
  const ids = imported === undefined ? runs.idsOfPlan(plan.id) : new Set<string>();
  // The newest come first.
  const own = runs
    .list()
    .filter(({ id, importedFrom }) => ids.has(id) && importedFrom === undefined);
  const from = own.findIndex(({ id }) => id === overview.id);
  if (from >= 0) return own.slice(from, from + most).reverse();
  const itself = runs.summary(overview.id);
  return itself === null ? [] : [itself];
}
