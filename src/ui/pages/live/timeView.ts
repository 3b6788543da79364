import { type RefObject, useEffect, useReducer, useRef, useSyncExternalStore } from 'react';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import { growingDomain, liveDomain } from '../../../core/chart/scale.ts';
import type { ChartGroup, GroupState } from '../../charts/group.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';

/** The time of a run that a picture beside the charts is of. */
export interface TimeView {
  group: ChartGroup;
  /** Epoch of 0:00. */
  originMs: number;
  /** End of what is stored, run-relative; while it is live, the present. */
  endMs: number;
  nowMs?: (() => number) | undefined;
}
/** From when to when, run-relative ms. */
export type Span = readonly [fromMs: number, toMs: number];

/**
 * Visible time of what is no chart but follows the charts: what was zoomed to, a window that moves
 * with the run, or all of it.
 */
function visibleTime(state: GroupState, endMs: number, live: boolean): Span {
  if (state.zoom !== null) return state.zoom;
  if (live)
    return state.windowMs === null ? growingDomain(0, endMs) : liveDomain(endMs, state.windowMs);
  const end = Math.max(endMs, 1_000);
  return state.windowMs === null ? [0, end] : [Math.max(0, end - state.windowMs), end];
}

/** What the charts show now, and how far the run is: renders again with every beat while it lasts. */
export function useTimeView({ group, originMs, endMs, nowMs }: TimeView): {
  state: GroupState;
  endMs: number;
  visible: Span;
} {
  const state = useSyncExternalStore(group.subscribe, group.get);
  const [, beat] = useReducer((n: number) => n + 1, 0);
  useEffect(() => (nowMs === undefined ? undefined : onHeartbeat(beat)), [nowMs]);
  const end = nowMs === undefined ? endMs : Math.max(0, state.pausedAtMs ?? nowMs() - originMs);
  return { state, endMs: end, visible: visibleTime(state, end, nowMs !== undefined) };
}

/**
 * The node of a line that follows the charts' cursor, hidden while that is outside of [x0, x1].
 * `leftOf`: its CSS `left` from its share of the time; keep its identity.
 */
export function useCursorLine(
  group: ChartGroup,
  x0: number,
  x1: number,
  leftOf: (share: number) => string,
): RefObject<HTMLDivElement | null> {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = (): void => {
      const node = line.current;
      if (node === null) return;
      const share = (group.cursorMs() - x0) / (x1 - x0);
      node.hidden = !(share >= 0 && share <= 1);
      node.style.left = leftOf(Number.isFinite(share) ? share : 0);
    };
    place();
    return group.onCursor(place);
  }, [group, x0, x1, leftOf]);
  return line;
}

/** Text of a moment: the clock or the time in the run, as the charts say it. */
export const timeTextOf =
  ({ clock }: GroupState, originMs: number) =>
  (ms: number): string =>
    clock ? formatClock(ms + originMs) : formatElapsed(ms);
