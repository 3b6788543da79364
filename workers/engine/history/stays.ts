import type { HistoryEntry, HistoryItem } from '../../../src/core/history/history.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { Database, Need } from '../db/types.ts';
import { isDriven } from '../studies/liveStudy.ts';

/** Why an entry must stay as long as something goes on with it; null = nothing does. */
export function busyReason(
  db: Pick<Database, 'runs'>,
  { entry }: { entry: HistoryEntry | null },
): string | null {
  // Nothing goes on with a record that cannot be read.
  if (entry === null) return null;
  if (entry.kind === 'study')
    return isDriven(entry.state) ? 'It is running: pause it first.' : null;
  if (!isEnd(entry.state)) return 'It is running: abort it or wait for its end.';
  return entry.importedFrom !== undefined && db.runs.find(entry.id)?.imported?.complete === false
    ? 'It is being imported.'
    : null;
}

/**
 * Why a run must stay, of one call: read when the first run is asked for, after the studies of
 * that call. `deletedToo` = what lies in Deleted needs its runs as well.
 */
export function createNeedReasons(
  db: Pick<Database, 'purges'>,
  deletedToo: boolean,
): (item: HistoryItem) => string | null {
  let all: Map<string, Need[]> | null = null;
  return (item) => {
    if (item.kind === 'study') return null;
    all ??= db.purges.needs();
    return needReason((all.get(item.id) ?? []).filter((need) => deletedToo || !need.deleted));
  };
}

const namesShown = 3;

function needReason(needs: readonly Need[]): string | null {
  const [plan] = needs.filter((need) => need.kind === 'plan');
  if (plan)
    return `It is the reference run of the plan ${plan.name}: choose another reference first.`;
  const [run] = needs.filter((need) => need.kind === 'run');
  if (run) return `The run ${run.name}, which is going on, is scored against it: wait for its end.`;
  if (needs.length === 0) return null;
  const shown = needs.slice(0, namesShown).map((study) => study.name);
  const more = needs.length > namesShown ? ` and ${needs.length - namesShown} more` : '';
  const names = `${shown.join(', ')}${more}`;
  return needs.some((study) => !study.deleted)
    ? `It is a result of the study ${names}: delete the study, or run that point again.`
    : `It is a result of the study ${names} in Deleted: purge the study too, or restore it.`;
}
