import { memo, useMemo } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { LayoutTile, SlotKey } from '../../../core/testbed/layoutModel.ts';
import classes from './boardRow.module.css';
import { Chip } from './Chip.tsx';
import { found } from './filter.ts';
import { type Axis, byColumn, type Density, headerPx, standsOn } from './geometry.ts';
import { headKey } from './selection.ts';
import { vmWords } from './words.ts';

/** What all rows of a board share. */
export interface RowContext {
  axis: Axis;
  density: Density;
  gridId: string;
  columnOf: ReadonlyMap<string, number>;
  width: number;
  chosen: ReadonlySet<SlotKey>;
  lit: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
  wanted: string;
  clientNames: ReadonlyMap<string, string>;
}
interface Props {
  tile: LayoutTile;
  row: number;
  top: number;
  height: number;
  firstColumn: number;
  lastColumn: number;
  active: string | null;
  context: RowContext;
}

/**
 * A tile: its head, and its VMs in the columns where they stand. Cells are workloads, so that every
 * row has the same cells in the same order.
 */
export const BoardRow = memo(function BoardRow({
  tile,
  row,
  top,
  height,
  firstColumn,
  lastColumn,
  active,
  context,
}: Props) {
  const { axis, density, gridId, columnOf, width, chosen, lit, hidden, wanted, clientNames } =
    context;
  const groups = useMemo(
    () => [...byColumn(tile, axis)].map(([ref, vms]) => ({ at: columnOf.get(ref), vms })),
    [tile, axis, columnOf],
  );
  const order = useMemo(() => new Map(tile.vms.map((vm, i) => [vm.key, i + 2])), [tile]);
  const head = headKey(tile.tile);
  const whole = tile.vms.length > 0 && tile.vms.every((vm) => chosen.has(vm.key));
  return (
    <div
      role="row"
      aria-rowindex={row + 1}
      className={classes.row}
      style={{ transform: `translateY(${top}px)`, height, width }}
    >
      <span
        role="rowheader"
        id={`${gridId}-${head}`}
        data-key={head}
        aria-colindex={1}
        aria-selected={whole}
        aria-label={
          `Tile ${tile.tile + 1}, ` +
          `${counted(tile.vms.length, 'workload')}${tile.missing > 0 ? `, ${counted(tile.missing, 'VM')} missing` : ''}`
        }
        className={classes.tileHead}
        style={{ width: headerPx }}
        data-active={active === head || undefined}
      >
        {`Tile ${tile.tile + 1}`}
        <small data-missing={tile.missing > 0 || undefined}>
          {tile.missing > 0 ? `${tile.missing} missing` : standsOn(tile, axis)}
        </small>
      </span>
      {groups.map(({ at, vms }) =>
        at === undefined ||
        ((at < firstColumn || at > lastColumn) && !vms.some((vm) => vm.key === active)) ? null : (
          <span
            key={at}
            className={classes.cell}
            style={{ left: headerPx + at * density.columnPx, width: density.columnPx }}
          >
            {vms.map((vm) => (
              <Chip
                key={vm.key}
                vm={vm}
                id={`${gridId}-${vm.key}`}
                density={density}
                column={order.get(vm.key)!}
                chosen={chosen.has(vm.key)}
                active={active === vm.key}
                lit={lit.has(vm.key)}
                dim={hidden.has(vm.workload.id) || !found(vm, wanted, clientNames)}
                words={vmWords(vm, clientNames.get(vm.clientId) ?? vm.clientId)}
              />
            ))}
          </span>
        ),
      )}
    </div>
  );
});
