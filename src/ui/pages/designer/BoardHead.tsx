import { memo } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { Figure } from '../../../core/layout/layoutTypes.ts';
import classes from './boardHead.module.css';
import { amounts, figureText, levelWords } from './words.ts';

export interface BoardColumn {
  ref: string;
  name: string;
  vmCount: number;
  figures: readonly Figure[];
  /** Words that stand beside the name: maintenance, not connected. */ mark: string | null;
  title: string;
}
interface Props {
  column: BoardColumn;
  label: string;
  left: number;
  width: number;
  lit: boolean;
  onPick: (ref: string) => void;
}

/**
 * Head of a column: name, and its capacity as bars with numbers and words. A click chooses what
 * stands in it.
 */
export const BoardHead = memo(function BoardHead({
  column,
  label,
  left,
  width,
  lit,
  onPick,
}: Props) {
  return (
    <div
      role="listitem"
      className={classes.columnHead}
      style={{ left, width }}
      data-lit={lit || undefined}
    >
      <span className={classes.columnTop}>
        <button
          type="button"
          tabIndex={-1}
          className={classes.columnName}
          title={`${column.title}\nA click chooses ${counted(column.vmCount, 'VM')}.`}
          onClick={() => onPick(column.ref)}
        >
          {label}
        </button>
        {column.mark && <small className={classes.mark}>{column.mark}</small>}
      </span>
      {column.figures.map((figure) => (
        <CapacityBar key={figure.id} figure={figure} />
      ))}
    </div>
  );
});

/**
 * The figure in words, and a bar of its share; beyond its limit the bar is hatched and a tick says
 * where the limit lies.
 */
function CapacityBar({ figure }: { figure: Figure }) {
  const share = figure.ratio === null ? 0 : Math.min(100, figure.ratio);
  const { unit } = amounts(figure);
  return (
    <div
      className={classes.capacity}
      data-level={figure.level}
      title={
        `${figure.label}: ${figureText(figure, unit)}, ` +
        `${levelWords[figure.level]}${figure.missing ? `. ${figure.missing}` : ''}\n${figure.source}`
      }
    >
      <span className={classes.capacityText}>
        <span>{titles[figure.id] ?? figure.label}</span>
        <span>{`${figureText(figure)}${figure.id === 'space' ? ' free' : ''}`}</span>
      </span>
      <span className={classes.track} aria-hidden>
        <span style={{ width: `${Math.min(100, share * 100)}%` }} />
        {share > 1 && <span className={classes.overTick} style={{ left: `${100 / share}%` }} />}
      </span>
      <span
        className={classes.levelWord}
      >{`${unit}, ${levelWords[figure.level]}${figure.missing ? `, ${figure.missing}` : ''}`}</span>
    </div>
  );
}
const titles: Readonly<Partial<Record<Figure['id'], string>>> = {
  vcpu: 'vCPU',
  memory: 'Mem',
  space: 'New',
  commands: 'I/Os',
};
