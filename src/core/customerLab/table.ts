import { fail } from '../base/errors.ts';

/** Tables of an inventory as files hold them: text in cells, and what a file may hold at most. */

/**
 * Far above what an honest inventory has (RVTools of 20,000 VMs: 40 MB), far below what harms a
 * console.
 */
export const tableLimits = {
  fileBytes: 48 * 1024 ** 2,
  /** Of one part of a workbook, unpacked, and of all parts that are read. */
  partBytes: 160 * 1024 ** 2,
  allBytes: 320 * 1024 ** 2,
  /** Unpacked over packed; repeated cells of honest sheets reach about 30. */
  ratio: 200,
  parts: 500,
  sheets: 60,
  rows: 50_000,
  columns: 400,
  /** As spreadsheets themselves have it. */
  cell: 32_767,
  /** Cells of all sheets of a file. */
  cells: 8_000_000,
} as const;

export interface TableRow {
  /** As a spreadsheet counts it, from 1. */
  number: number;
  cells: readonly string[];
}

/** One sheet; its first row that is not empty names the columns. */
export interface Table {
  file: string;
  /** null = a CSV file, that has none. */
  sheet: string | null;
  columns: readonly string[];
  rows: readonly TableRow[];
  /** What stands between cells of a CSV file: it decides how its numbers are written. */
  separator: ',' | ';' | '\t' | null;
}

/** `A`, `Z`, `AA` for 0, 25, 26. */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** `lab.xlsx, vHost!F2`, or `hosts.csv, F2`. */
export const cellPlace = (
  { file, sheet }: Pick<Table, 'file' | 'sheet'>,
  row: number,
  column: number,
): string => `${file}, ${sheet === null ? '' : `${sheet}!`}${columnLetters(column)}${row}`;

/** Of `lab.xlsx, vHost`, or `hosts.csv`. */
export const tableName = ({ file, sheet }: Pick<Table, 'file' | 'sheet'>): string =>
  sheet === null ? file : `${file}, ${sheet}`;

/** Collects rows of one sheet within `tableLimits`; throws invalidInput with the place. */
export function createTableBuilder(
  head: Pick<Table, 'file' | 'sheet' | 'separator'>,
  budget: { cells: number },
): { add: (row: TableRow) => void; table: () => Table } {
  let columns: readonly string[] | null = null;
  const rows: TableRow[] = [];
  return {
    add(row) {
      const wide = row.cells.length > tableLimits.columns;
      if (wide)
        throw fail(
          'invalidInput',
          `${cellPlace(head, row.number, tableLimits.columns)}: a table has at most ${tableLimits.columns} columns.`,
          'Choose the table of hosts, VMs or datastores itself.',
        );
      budget.cells -= row.cells.length;
      if (budget.cells < 0)
        throw fail(
          'invalidInput',
          `${tableName(head)}: the file has more than ${tableLimits.cells} cells.`,
          'Export the cluster alone.',
        );
      row.cells.forEach((cell, column) => {
        if (cell.length > tableLimits.cell)
          throw fail(
            'invalidInput',
            `${cellPlace(head, row.number, column)}: the cell is longer than ${tableLimits.cell} characters.`,
            'No spreadsheet writes such a cell.',
          );
      });
      if (row.cells.every((cell) => cell.trim() === '')) return;
      if (columns === null) {
        columns = row.cells.map((cell) => cell.trim());
        return;
      }
      if (rows.length >= tableLimits.rows)
        throw fail(
          'invalidInput',
          `${tableName(head)}, row ${row.number}: a table has at most ${tableLimits.rows} rows.`,
          'Export the cluster alone.',
        );
      rows.push(row);
    },
    table: () => ({ ...head, columns: columns ?? [], rows }),
  };
}
