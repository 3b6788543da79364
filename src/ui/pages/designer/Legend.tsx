import { memo } from 'react';

import { seriesColors } from '../../../core/chart/palette.ts';
import type { LayoutWorkload } from '../../../core/testbed/layoutModel.ts';
import chip from './chip.module.css';
import classes from './legend.module.css';

interface Props {
  workloads: readonly LayoutWorkload[];
  hidden: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/**
 * Letter, colour and name of each workload; pressed ones stand out on the board, the others fade.
 */
export const Legend = memo(function Legend({ workloads, hidden, onToggle }: Props) {
  return (
    <div className={classes.legend} role="group" aria-label="Workloads">
      {workloads.map((workload) => (
        <button
          key={workload.id}
          type="button"
          className={classes.legendKey}
          aria-pressed={!hidden.has(workload.id)}
          title="Fades or shows these on the board"
          onClick={() => onToggle(workload.id)}
        >
          <span
            aria-hidden
            className={chip.chip}
            data-shape={workload.ordinal % 3}
            style={
              {
                height: 18,
                '--chip': seriesColors[workload.ordinal % seriesColors.length],
              } as React.CSSProperties
            }
          >
            <b>{workload.letter}</b>
          </span>
          {workload.name}
        </button>
      ))}
      <span>dashed: VM missing</span>
      <span>→ planned elsewhere</span>
    </div>
  );
});
