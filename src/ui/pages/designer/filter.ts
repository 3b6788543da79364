import type { LayoutTile, LayoutView, LayoutVm } from '../../../core/testbed/layoutModel.ts';

export type TileFilter = 'all' | 'missing' | 'moves' | 'unplaced' | 'findings';
export const tileFilters: readonly { value: TileFilter; label: string }[] = [
  { value: 'all', label: 'All tiles' },
  { value: 'missing', label: 'VM missing' },
  { value: 'moves', label: 'Planned elsewhere' },
  { value: 'unplaced', label: 'No place yet' },
  { value: 'findings', label: 'With findings' },
];
export type ColumnFilter = 'all' | 'used' | 'free';
export const columnFilters: readonly { value: ColumnFilter; label: string }[] = [
  { value: 'all', label: 'All columns' },
  { value: 'used', label: 'In use' },
  { value: 'free', label: 'Empty' },
];
export interface BoardFilter {
  search: string;
  tiles: TileFilter;
  columns: ColumnFilter;
}

/** Whether a VM is found: by its name, workload, host, LUN or client. */
export function found(
  vm: LayoutVm,
  wanted: string,
  clientNames: ReadonlyMap<string, string>,
): boolean {
  if (wanted === '') return true;
  const text = [
    vm.vm?.name,
    vm.workload.name,
    vm.workload.id,
    vm.host?.name,
    vm.datastore?.name,
    clientNames.get(vm.clientId),
  ];
  return text.some((one) => one?.toLowerCase().includes(wanted) === true);
}
const wantedText = (search: string): string => search.trim().toLowerCase();
/** What VMs stand out for: the search, unless it asks for a tile by its number. */
export function markedText(search: string): string {
  const wanted = wantedText(search);
  return /^tile\s*\d+$/.test(wanted) ? '' : wanted;
}

/**
 * Tiles that pass: one whose number is asked for as `tile 3`, or with a VM that is found, and that
 * is as the filter wants.
 */
export function shownTiles(
  view: LayoutView,
  filter: BoardFilter,
  clientNames: ReadonlyMap<string, string>,
  flagged: ReadonlySet<string>,
): number[] {
  const wanted = wantedText(filter.search);
  const number = /^tile\s*(\d+)$/.exec(wanted)?.[1];
  const passes = (tile: LayoutTile): boolean => {
    if (
      number !== undefined
        ? tile.tile + 1 !== Number(number)
        : wanted !== '' && !tile.vms.some((vm) => found(vm, wanted, clientNames))
    )
      return false;
    switch (filter.tiles) {
      case 'all':
        return true;
      case 'missing':
        return tile.missing > 0;
      case 'moves':
        return tile.vms.some((vm) => vm.moves);
      case 'unplaced':
        return tile.vms.some((vm) => vm.host === null || vm.datastore === null);
      case 'findings':
        return tile.vms.some((vm) => flagged.has(vm.key));
    }
  };
  return view.tiles.filter(passes).map((tile) => tile.tile);
}

/** Refs of columns to show. A column that holds a VM of the search stays. */
export function shownColumns<T extends { ref: string; vms: readonly LayoutVm[] }>(
  columns: readonly T[],
  filter: ColumnFilter,
): readonly T[] {
  return filter === 'all'
    ? columns
    : columns.filter(({ vms }) => vms.length > 0 === (filter === 'used'));
}
