import { bunches, type Lane, type LaneMark } from './laneModel.ts';
import type { Span } from './timeView.ts';

/** A lane as it is drawn: marks that would lie on each other are one. */
export interface DrawnLane {
  lane: Lane;
  groups: readonly (readonly LaneMark[])[];
}
/** Marks that are read out, by the lane they are on. */
export interface CurrentMarks {
  lane: string;
  marks: readonly LaneMark[];
  /** Chosen by key: said aloud. */
  keyboard: boolean;
}

/** Marks nearer than this share of the width are drawn as one with their number. */
const bunchShare = 1 / 40;

/** Time under a mark's width. */
export const reachOf = ([x0, x1]: Span): number => (x1 - x0) * bunchShare;

/** Lanes with their marks within the span, those nearer than a mark is wide as one. */
export const drawnLanes = (lanes: readonly Lane[], span: Span): DrawnLane[] =>
  lanes.map((lane) => ({
    lane,
    groups: bunches(
      lane.marks.filter((m) => m.atMs >= span[0] && m.atMs <= span[1]),
      reachOf(span),
    ),
  }));

/** The marks of a lane nearest to a time. */
export function nearestMarks(
  groups: DrawnLane['groups'],
  atMs: number,
): readonly LaneMark[] | undefined {
  const distance = (group: readonly LaneMark[]): number => Math.abs(group[0]!.atMs - atMs);
  let nearest = groups[0];
  for (const group of groups) if (distance(group) < distance(nearest!)) nearest = group;
  return nearest;
}

/**
 * Where a key goes from the current marks: along the lane, to its ends, or to the nearest marks of
 * the next lane that has some. null = the key goes nowhere.
 */
export function marksByKey(
  drawn: readonly DrawnLane[],
  current: CurrentMarks | null,
  key: string,
): CurrentMarks | null {
  const rows = drawn.filter((d) => d.groups.length > 0);
  const row = rows.find((d) => d.lane.id === current?.lane) ?? rows[0];
  if (row === undefined) return null;
  const along = markAlong(row, current, key);
  if (along !== undefined) return { lane: row.lane.id, marks: along, keyboard: true };
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const lane = rows.indexOf(row) + (key === 'ArrowUp' ? -1 : current === null ? 0 : 1);
  const next = rows[Math.max(0, Math.min(rows.length - 1, lane))]!;
  const marks = nearestMarks(next.groups, current?.marks[0]!.atMs ?? 0)!;
  return { lane: next.lane.id, marks, keyboard: true };
}

function markAlong(
  { groups }: DrawnLane,
  current: CurrentMarks | null,
  key: string,
): readonly LaneMark[] | undefined {
  const at = current === null ? -1 : groups.findIndex((g) => g[0]!.id === current.marks[0]!.id);
  const last = groups.length - 1;
  if (key === 'ArrowRight') return groups[Math.min(last, at + 1)];
  if (key === 'ArrowLeft') return groups[Math.max(0, at < 0 ? last : at - 1)];
  if (key === 'Home') return groups[0];
  if (key === 'End') return groups[last];
  return undefined;
}
