import type { Tile } from './testbed.ts';
import type { SameThing } from './testbedDiffTypes.ts';

interface Placed {
  tile: Tile;
  position: number;
}
/** The same tile before and after; null = it was not there, or is gone. */
export interface TilePair {
  before: Placed | null;
  after: Placed | null;
}

/** Finds each tile again: by its content, then by the VMs they share, then by its position. */
export function matchTiles(
  before: readonly Tile[],
  after: readonly Tile[],
  idOf: SameThing,
): TilePair[] {
  const left = before.map((tile, position): Placed => ({ tile, position })),
    right = after.map((tile, position): Placed => ({ tile, position }));
  const open = { before: new Set(left), after: new Set(right) };
  const pairs: TilePair[] = [];
  const pair = (a: Placed, b: Placed): void => {
    pairs.push({ before: a, after: b });
    open.before.delete(a);
    open.after.delete(b);
  };

  const unchanged = new Map<string, Placed[]>();
  for (const one of left) {
    const key = JSON.stringify(one.tile.workloads);
    unchanged.set(key, [...(unchanged.get(key) ?? []), one]);
  }
  for (const one of right) {
    const found = unchanged.get(JSON.stringify(one.tile.workloads))?.shift();
    if (found) pair(found, one);
  }

  const vmsOf = ({ tile }: Placed): string[] =>
    tile.workloads.flatMap(({ vm }) => (vm ? [idOf(vm)] : []));
  const holder = new Map(
    [...open.before].flatMap((one) => vmsOf(one).map((id) => [id, one] as const)),
  );
  for (const one of open.after) {
    const counts = new Map<Placed, number>();
    for (const id of vmsOf(one)) {
      const found = holder.get(id);
      if (found && open.before.has(found)) counts.set(found, (counts.get(found) ?? 0) + 1);
    }
    const best = [...counts].sort((a, b) => b[1] - a[1])[0];
    if (best) pair(best[0], one);
  }

  for (const one of open.after) {
    const same = [...open.before].find(({ position }) => position === one.position);
    if (same) pair(same, one);
  }
  for (const one of open.before) pairs.push({ before: one, after: null });
  for (const one of open.after) pairs.push({ before: null, after: one });
  return pairs.sort((a, b) => (a.after ?? a.before)!.position - (b.after ?? b.before)!.position);
}
