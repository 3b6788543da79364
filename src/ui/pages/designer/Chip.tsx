import { seriesColors } from '../../../core/chart/palette.ts';
import type { LayoutVm } from '../../../core/testbed/layoutModel.ts';
import classes from './chip.module.css';
import type { Density } from './geometry.ts';

interface Props {
  vm: LayoutVm;
  id: string;
  density: Density;
  column: number;
  chosen: boolean;
  active: boolean;
  lit: boolean;
  dim: boolean;
  words: string;
}

/**
 * One workload VM: a letter and a colour of its workload; dashed = its VM is missing, an arrow =
 * planned elsewhere than it is.
 */
export function Chip({ vm, id, density, column, chosen, active, lit, dim, words }: Props) {
  return (
    <span
      role="gridcell"
      id={id}
      data-key={vm.key}
      aria-colindex={column}
      aria-selected={chosen}
      aria-label={words}
      title={words}
      className={classes.chip}
      style={
        {
          height: density.chipPx,
          width: density.chipWidthPx,
          '--chip': seriesColors[vm.workload.ordinal % seriesColors.length],
        } as React.CSSProperties
      }
      data-active={active || undefined}
      data-missing={vm.missing || undefined}
      data-moves={vm.moves || undefined}
      data-lit={lit || undefined}
      data-dim={dim || undefined}
      data-small={density.chipWidthPx < 20 || undefined}
      data-wide={density.text === 'name' || undefined}
      data-shape={vm.workload.ordinal % 3}
    >
      <b>{vm.workload.letter}</b>
      {density.text === 'name' && <i>{vm.vm?.name ?? 'no VM'}</i>}
      {vm.moves && <em aria-hidden>→</em>}
    </span>
  );
}
