import type { LayoutTile, LayoutVm } from '../../../core/testbed/layoutModel.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';

/** Which board: where VMs run, or where their disks lie. */
export type Axis = 'host' | 'datastore';
export const axisWords: Readonly<Record<Axis, { one: string; many: string; none: string }>> = {
  host: { one: 'host', many: 'hosts', none: 'No host' },
  datastore: { one: 'LUN', many: 'LUNs', none: 'No LUN' },
};

/** One level of zoom; lengths in CSS pixels. */
export interface Density {
  name: string;
  columnPx: number;
  chipPx: number;
  chipWidthPx: number;
  perLine: number;
  text: 'letter' | 'name';
}
const gapPx = 3,
  paddingPx = 4;
const level = (
  name: string,
  columnPx: number,
  chipPx: number,
  chipWidthPx: number | null,
): Density => ({
  name,
  columnPx,
  chipPx,
  chipWidthPx: chipWidthPx ?? columnPx - 2 * paddingPx,
  perLine:
    chipWidthPx === null
      ? 1
      : Math.floor((columnPx - 2 * paddingPx + gapPx) / (chipWidthPx + gapPx)),
  text: chipWidthPx === null ? 'name' : 'letter',
});
/** Small and medium show the six VMs of a VMmark tile in one line. */
export const densities: readonly Density[] = [
  level('Small', 134, 18, 17),
  level('Medium', 168, 24, 24),
  level('Names', 200, 22, null),
];
export const headerPx = 104;
export const headPx = 76;

/** Ref of the column of VMs that have no place yet. */
export const nowhere = '';
export const placeOfVm = (axis: Axis, vm: LayoutVm): NamedRef | null =>
  axis === 'host' ? vm.host : vm.datastore;

/** Height of a tile's row: as many lines of chips as its fullest column has. */
export function rowPx(tile: LayoutTile, axis: Axis, density: Density): number {
  const counts = new Map<string, number>();
  let most = 1;
  for (const vm of tile.vms) {
    const ref = placeOfVm(axis, vm)?.ref ?? nowhere;
    const count = (counts.get(ref) ?? 0) + 1;
    counts.set(ref, count);
    if (count > most) most = count;
  }
  const lines = Math.ceil(most / density.perLine);
  return lines * density.chipPx + (lines - 1) * gapPx + 2 * paddingPx + 1;
}

/** The tile's VMs by the column they stand in. */
export function byColumn(tile: LayoutTile, axis: Axis): Map<string, LayoutVm[]> {
  const groups = new Map<string, LayoutVm[]>();
  for (const vm of tile.vms) {
    const ref = placeOfVm(axis, vm)?.ref ?? nowhere;
    const group = groups.get(ref);
    if (group) group.push(vm);
    else groups.set(ref, [vm]);
  }
  return groups;
}

/**
 * Column under a horizontal position within the scrolled content, or null over the tile names and
 * past the end.
 */
export function columnAt(x: number, columns: number, density: Density): number | null {
  const at = Math.floor((x - headerPx) / density.columnPx);
  return x >= headerPx && at >= 0 && at < columns ? at : null;
}

/**
 * Where a tile stands, shortly: the first label of the place's name, and how many more there are.
 */
export function standsOn(tile: LayoutTile, axis: Axis): string {
  const names = [...new Set(tile.vms.flatMap((vm) => placeOfVm(axis, vm)?.name ?? []))];
  const [first] = names;
  return first === undefined
    ? ''
    : `${shortName(first, axis)}${names.length > 1 ? ` +${names.length - 1}` : ''}`;
}
/** A host's name without its domain; an address stays whole. */
export const shortName = (name: string, axis: Axis): string =>
  axis === 'host' && !/^[\d.:]+$/.test(name) ? name.replace(/\..*$/, '') : name;
