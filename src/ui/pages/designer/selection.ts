import { type LayoutView, type SlotKey, slotKey } from '../../../core/testbed/layoutModel.ts';

/**
 * What is chosen on the board. `active` is where the keyboard is: a VM's key, or a tile's head as
 * `3/`.
 */
export interface Selection {
  chosen: ReadonlySet<SlotKey>;
  active: string | null;
  /** Where a range began. */ anchor: string | null;
}
export const nothingChosen: Selection = { chosen: new Set(), active: null, anchor: null };

export const headKey = (tile: number): string => `${tile}/`;
export const tileOf = (key: string): number => Number(key.slice(0, key.indexOf('/')));
export const isHead = (key: string): boolean => key.endsWith('/');

/** Keys of VMs that a key stands for: itself, or the whole tile. */
export function keysFor(view: LayoutView, key: string): SlotKey[] {
  if (!isHead(key)) return view.byKey.has(key) ? [key] : [];
  return view.tiles[tileOf(key)]?.vms.map((vm) => vm.key) ?? [];
}

/**
 * What an action works on: what is chosen, else where the keyboard is. In the order of the board.
 */
export function targetsOf(view: LayoutView, { chosen, active }: Selection): SlotKey[] {
  if (chosen.size > 0)
    return view.tiles.flatMap((tile) =>
      tile.vms.flatMap((vm) => (chosen.has(vm.key) ? [vm.key] : [])),
    );
  return active === null ? [] : keysFor(view, active);
}

/** Tiles that the targets belong to. */
export const tilesOf = (keys: readonly SlotKey[]): number[] => [...new Set(keys.map(tileOf))];
export type Pick = 'only' | 'toggle' | 'range';

/**
 * A click or the space bar. `rows` are the tiles shown, in order: a range covers no hidden tile.
 */
export function pick(
  view: LayoutView,
  rows: readonly number[],
  selection: Selection,
  key: string,
  how: Pick,
): Selection {
  const keys = keysFor(view, key);
  if (how === 'range')
    return {
      ...selection,
      chosen: new Set(rangeKeys(view, rows, selection.anchor ?? selection.active ?? key, key)),
      active: key,
      anchor: selection.anchor ?? selection.active ?? key,
    };
  if (how === 'only') return { chosen: new Set(keys), active: key, anchor: key };
  const chosen = new Set(selection.chosen);
  const all = keys.every((one) => chosen.has(one));
  for (const one of keys) {
    if (all) chosen.delete(one);
    else chosen.add(one);
  }
  return { chosen, active: key, anchor: key };
}

/**
 * Every VM in the rectangle of tiles and workloads between two corners; a tile's head counts as all
 * its workloads.
 */
function rangeKeys(view: LayoutView, rows: readonly number[], from: string, to: string): SlotKey[] {
  const [first, last] = [rows.indexOf(tileOf(from)), rows.indexOf(tileOf(to))].sort(
    (a, b) => a - b,
  ) as [number, number];
  const at = (key: string): number =>
    view.tiles[tileOf(key)]?.vms.findIndex((vm) => vm.key === key) ?? -1;
  const whole = isHead(from) || isHead(to);
  const [left, right] = [at(from), at(to)].sort((a, b) => a - b) as [number, number];
  return rows
    .slice(Math.max(0, first), last + 1)
    .flatMap(
      (tile) =>
        view.tiles[tile]?.vms
          .slice(whole ? 0 : left, whole ? undefined : right + 1)
          .map((vm) => vm.key) ?? [],
    );
}

/** Where a key leads from the active item; null = the key moves nothing. */
export function stepped(
  view: LayoutView,
  rows: readonly number[],
  active: string | null,
  key: string,
  ctrl: boolean,
): string | null {
  if (rows.length === 0) return null;
  const last = rows.length - 1;
  const row = active === null ? -1 : rows.indexOf(tileOf(active));
  if (row < 0)
    return [
      'ArrowDown',
      'ArrowUp',
      'ArrowLeft',
      'ArrowRight',
      'Home',
      'End',
      'PageDown',
      'PageUp',
    ].includes(key)
      ? headKey(rows[0]!)
      : null;
  const tile = rows[row]!;
  const vms = view.tiles[tile]!.vms;
  const at = active === null || isHead(active) ? -1 : vms.findIndex((vm) => vm.key === active);
  const inRow = (to: number): string => keyAt(view, tile, to);
  const inColumn = (to: number): string => keyAt(view, rows[Math.min(last, Math.max(0, to))]!, at);
  switch (key) {
    case 'ArrowRight':
      return inRow(Math.min(vms.length - 1, at + 1));
    case 'ArrowLeft':
      return inRow(Math.max(-1, at - 1));
    case 'ArrowDown':
      return inColumn(row + 1);
    case 'ArrowUp':
      return inColumn(row - 1);
    case 'PageDown':
      return inColumn(row + 10);
    case 'PageUp':
      return inColumn(row - 10);
    case 'Home':
      return ctrl ? headKey(rows[0]!) : inRow(-1);
    case 'End':
      return ctrl
        ? keyAt(view, rows[last]!, view.tiles[rows[last]!]!.vms.length - 1)
        : inRow(vms.length - 1);
    default:
      return null;
  }
}

const keyAt = (view: LayoutView, tile: number, at: number): string =>
  at < 0 ? headKey(tile) : (view.tiles[tile]?.vms[at]?.key ?? headKey(tile));

/** The selection without keys that the testbed no longer has. */
export function kept(view: LayoutView, selection: Selection): Selection {
  const gone = [...selection.chosen].some((key) => !view.byKey.has(key));
  const there = (key: string | null): boolean =>
    key === null || (isHead(key) ? tileOf(key) < view.tiles.length : view.byKey.has(key));
  if (!gone && there(selection.active) && there(selection.anchor)) return selection;
  const active = there(selection.active)
    ? selection.active
    : view.tiles.length === 0
      ? null
      : headKey(Math.min(view.tiles.length - 1, tileOf(selection.active ?? '0/')));
  return {
    chosen: new Set([...selection.chosen].filter((key) => view.byKey.has(key))),
    active,
    anchor: there(selection.anchor) ? selection.anchor : active,
  };
}

/** All VMs of the shown tiles, of one workload where it is given. */
export const allKeys = (
  view: LayoutView,
  rows: readonly number[],
  workloadId?: string,
): Set<SlotKey> =>
  new Set(
    rows.flatMap(
      (tile) =>
        view.tiles[tile]?.vms.flatMap((vm) =>
          workloadId === undefined || vm.workload.id === workloadId
            ? [slotKey(tile, vm.workload.id)]
            : [],
        ) ?? [],
    ),
  );
