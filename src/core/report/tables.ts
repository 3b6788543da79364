import type { ReportTable } from './model.ts';

/** A table of a report; columns in `right` hold figures. */
export function table(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
  right: readonly number[] = [],
): ReportTable {
  return {
    title,
    columns: columns.map((label, i) => ({ label, align: right.includes(i) ? 'right' : 'left' })),
    rows,
    empty,
  };
}

export const isoText = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
