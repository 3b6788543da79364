import type { HistoryEntry } from '../../../core/history/history.ts';
import { firstColumns, type HistoryColumn } from './historyColumns.tsx';

/** Before the columns: the box that selects and the star. */
export const leadPx = 60;
/** The name is no narrower than this, unless somebody drew it so. */
const narrowestNamePx = 210;
/** Mean width of a letter of the table's text, and of what stands beside the text of a cell. */
const letterPx = 6.9;
const aroundTextPx = 34;
/** Columns that give way, the first of them first. */
const givingWay: readonly string[] = ['duration', 'tiles', 'tags', 'started', 'score'];

/** Why a chosen column is not shown. */
export type LeftOut = Readonly<Record<string, 'empty' | 'noRoom'>>;
export interface FittedColumns {
  columns: readonly HistoryColumn[];
  /** In px, of every column shown. */ widths: Readonly<Record<string, number>>;
  /** By id of the column. */ leftOut: LeftOut;
}

/**
 * The columns as they fit: those with a `text` as wide as their longest, the name what is left.
 * While the columns are those of the first start, in whatever order, one that is empty in every row
 * is left out, and then as many as have no room; columns somebody chose all stay, and the table
 * scrolls.
 * @param placePx width of the table; 0 = not measured yet, nothing gives way
 */
export function fitColumns(
  chosen: readonly HistoryColumn[],
  drawn: Readonly<Record<string, number>>,
  entries: readonly HistoryEntry[],
  placePx: number,
): FittedColumns {
  const leftOut: Record<string, 'empty' | 'noRoom'> = {};
  const widthOf = (column: HistoryColumn): number =>
    drawn[column.id] ?? textWidth(column, entries) ?? column.width;
  const ids = new Set(chosen.map(({ id }) => id));
  const isFirstChoice = firstColumns.every((id) => ids.has(id)) && ids.size === firstColumns.length;
  const nameAtLeast = drawn['name'] ?? narrowestNamePx;
  const shown = (): HistoryColumn[] => chosen.filter(({ id }) => leftOut[id] === undefined);
  const othersPx = (): number =>
    shown().reduce((sum, column) => sum + (column.id === 'name' ? 0 : widthOf(column)), leadPx);
  if (isFirstChoice) {
    for (const { id, key } of chosen)
      if (givingWay.includes(id) && entries.every((entry) => key(entry) === null))
        leftOut[id] = 'empty';
    if (placePx > 0)
      for (const id of givingWay)
        if (leftOut[id] === undefined && othersPx() + nameAtLeast > placePx) leftOut[id] = 'noRoom';
  }
  const widths = Object.fromEntries(shown().map((column) => [column.id, widthOf(column)]));
  const name = chosen.find(({ id }) => id === 'name');
  if (name !== undefined && drawn['name'] === undefined && placePx > 0)
    widths['name'] = Math.max(narrowestNamePx, Math.min(name.width, placePx - othersPx()));
  return { columns: shown(), widths, leftOut };
}

function textWidth(
  { text, label, width }: HistoryColumn,
  entries: readonly HistoryEntry[],
): number | undefined {
  if (text === undefined) return undefined;
  const longest = entries.reduce((most, entry) => Math.max(most, text(entry).length), label.length);
  return Math.min(Math.round(longest * letterPx) + aroundTextPx, width * 2);
}
