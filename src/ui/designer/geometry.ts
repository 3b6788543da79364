import type { LayoutTile, LayoutVm } from '../../shared/layoutModel.ts';
import type { NamedRef } from '../../shared/testbed.ts';

/** Which board: where VMs run, or where their disks lie. */
export type Axis = 'host' | 'datastore';
export const axisWords: Readonly<Record<Axis, { one: string; many: string; none: string }>> = {
  host: { one: 'host', many: 'hosts', none: 'No host' },
  datastore: { one: 'LUN', many: 'LUNs', none: 'No LUN' },
};

/** One level of zoom; lengths in CSS pixels. */
export interface Density { name: string; columnPx: number; chipPx: number; perLine: number; text: 'letter' | 'name' }
export const densities: readonly Density[] = [
  { name: 'Far', columnPx: 116, chipPx: 18, perLine: 4, text: 'letter' },
  { name: 'Near', columnPx: 148, chipPx: 24, perLine: 4, text: 'letter' },
  { name: 'Names', columnPx: 196, chipPx: 22, perLine: 1, text: 'name' },
];
export const headerPx = 84;
export const headPx = 76;
const gapPx = 3, paddingPx = 4;

/** Ref of the column of VMs that have no place yet. */
export const nowhere = '';
export const placeOfVm = (axis: Axis, vm: LayoutVm): NamedRef | null => (axis === 'host' ? vm.host : vm.datastore);

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

/** Column under a horizontal position within the scrolled content, or null over the tile names and past the end. */
export function columnAt(x: number, columns: number, density: Density): number | null {
  const at = Math.floor((x - headerPx) / density.columnPx);
  return x >= headerPx && at >= 0 && at < columns ? at : null;
}
