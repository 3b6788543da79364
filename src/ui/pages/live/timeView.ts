import { growingDomain, liveDomain } from '../../../core/chart/scale.ts';
import type { GroupState } from '../../charts/group.ts';

/**
 * Visible time of what is no chart but follows the charts: what was zoomed to, a window that moves
 * with the run, or all of it.
 */
export function visibleTime(
  state: GroupState,
  endMs: number,
  live: boolean,
): readonly [number, number] {
  if (state.zoom !== null) return state.zoom;
  if (live)
    return state.windowMs === null ? growingDomain(0, endMs) : liveDomain(endMs, state.windowMs);
  const end = Math.max(endMs, 1_000);
  return state.windowMs === null ? [0, end] : [Math.max(0, end - state.windowMs), end];
}
