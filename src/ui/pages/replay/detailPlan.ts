import type { ReplaySpan } from '../../../core/run/replay.ts';
import type { GroupState } from '../../charts/group.ts';

/**
 * Samples a series of the whole run: four a pixel column of a wide chart. Shorter runs are read
 * sample by sample.
 */
export const wholePoints = 4_000;
/** Most samples a series of one detail: 2.5 h at 1 Hz. */
export const detailPoints = 9_000;
/** Seconds here that a detail must last before the next is read. */
const lastsS = 6;

export interface Stretch {
  fromMs: number;
  toMs: number;
}

/** What charts show at a position, epoch milliseconds; the whole run where no window is set. */
export function visibleStretch(
  group: Pick<GroupState, 'windowMs' | 'zoom'>,
  atMs: number,
  span: ReplaySpan,
): Stretch {
  if (group.zoom !== null)
    return {
      fromMs: span.startMs + group.zoom[0],
      toMs: Math.min(span.startMs + group.zoom[1], span.endMs),
    };
  return {
    fromMs: group.windowMs === null ? span.startMs : Math.max(span.startMs, atMs - group.windowMs),
    toMs: atMs,
  };
}

/**
 * The stretch to read in detail next, or null where what is held does: the whole run is in full,
 * the window is so long that the whole run's points are as fine as its pixels, or the detail held
 * still reaches far enough ahead.
 * `finestMs` is the shortest period of a series.
 */
export function nextDetail(
  visible: Stretch,
  held: Stretch | null,
  span: ReplaySpan,
  speed: number,
  finestMs: number,
): Stretch | null {
  const spanMs = span.endMs - span.startMs;
  const visibleMs = visible.toMs - visible.fromMs;
  if (spanMs / finestMs <= wholePoints || visibleMs * 4 >= spanMs * 3) return null;
  const aheadMs = Math.max(visibleMs, speed * lastsS * 1_000);
  const needTo = Math.min(span.endMs, visible.toMs + aheadMs / 3);
  if (held !== null && held.fromMs <= visible.fromMs && held.toMs >= needTo) return null;
  return { fromMs: visible.fromMs, toMs: Math.min(span.endMs, visible.toMs + aheadMs) };
}
