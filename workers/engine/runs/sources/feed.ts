import type { RunContext } from '../context.ts';
import type { Feed } from './types.ts';

/**
 * The one way in for every source of a run: after a restart of the engine each goes on from what
 * its journal says, and pushes nothing twice. `key` names its journal.
 */
export function createFeed(
  { db, run, pipeline }: Pick<RunContext, 'db' | 'run' | 'pipeline'>,
  key: string,
): Feed {
  const stored = db.samples.journal(run.id).find((entry) => entry.key === key) ?? null;
  const storedUntilMs = stored?.lastTMs ?? -Infinity;
  return {
    stored,
    push(seriesId, tMs, value) {
      if (seriesId === undefined || tMs <= storedUntilMs) return false;
      pipeline.push(seriesId, tMs, value);
      return true;
    },
    journal: (lastTMs, resume = { offset: 0 }) => pipeline.journal({ key, resume, lastTMs }),
  };
}
