import type { RunSummary } from './run.ts';
import { isEnd } from './states.ts';

/** When a run starts, for an order by it: not yet = after all others, never = before all. */
export const startOrder = ({
  state,
  startedAtMs,
}: Pick<RunSummary, 'state' | 'startedAtMs'>): number =>
  startedAtMs ?? (isEnd(state) ? -Infinity : Infinity);

/** Runs that are under way first, then by their start; those that ended without one come last. */
export function newestFirst<R extends Pick<RunSummary, 'state' | 'startedAtMs'>>(
  runs: readonly R[],
): R[] {
  return [...runs].sort((a, b) =>
    startOrder(a) === startOrder(b) ? 0 : startOrder(b) - startOrder(a),
  );
}
