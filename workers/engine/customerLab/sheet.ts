import { fail } from '../../../src/core/base/errors.ts';
import {
  cellPlace,
  createTableBuilder,
  type Table,
  tableLimits,
} from '../../../src/core/customerLab/table.ts';
import { readXml, type Workbook } from './workbookParts.ts';

/** The cell that is being read. */
interface Cell {
  column: number;
  type: string;
  value: string;
  formula: string | null;
}

/**
 * One sheet of a workbook. A cell with a formula is its text, `=SUM(A1:A3)`: what somebody stored
 * beside it is not believed.
 */
export async function readSheet(
  book: Workbook,
  {
    name,
    part,
    strings,
    budget,
  }: { name: string; part: string; strings: readonly string[]; budget: { cells: number } },
): Promise<Table> {
  const head = { file: book.file, sheet: name, separator: null };
  const builder = createTableBuilder(head, budget);
  let number = 0;
  let cells: string[] = [];
  let cell: Cell | null = null;
  let into: 'value' | 'formula' | null = null;

  const textOf = ({ type, value, formula, column }: Cell): string => {
    if (formula !== null) return `=${formula}`;
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type !== 's') return value;
    const text = value.trim() === '' ? '' : strings[Number(value)];
    if (text === undefined)
      throw fail(
        'invalidInput',
        `${cellPlace(head, number, column)}: the cell points at a text that the file has not.`,
        'Export the tables again.',
      );
    return text;
  };

  await readXml(book, part, {
    open(element, { attributes }) {
      if (element === 'row') {
        number = rowNumber(attributes['r'], number, name, book.file);
        cells = [];
      } else if (element === 'c') {
        const column = columnOf(attributes['r']) ?? cells.length;
        if (column >= tableLimits.columns)
          throw fail(
            'invalidInput',
            `${cellPlace(head, number, column)}: a table has at most ${tableLimits.columns} columns.`,
            'Choose the table of hosts, VMs or datastores itself.',
          );
        cell = { column, type: attributes['t'] ?? 'n', value: '', formula: null };
      } else if (cell !== null && element === 'f') {
        cell.formula = '';
        into = 'formula';
      } else if (cell !== null && (element === 'v' || element === 't')) into = 'value';
    },
    text(text) {
      if (cell === null || into === null) return;
      // One character more than allowed is enough to be refused.
      if (into === 'value' && cell.value.length <= tableLimits.cell) cell.value += text;
      if (into === 'formula' && (cell.formula ?? '').length <= tableLimits.cell)
        cell.formula = (cell.formula ?? '') + text;
    },
    close(element) {
      if (element === 'v' || element === 't' || element === 'f') into = null;
      else if (element === 'c' && cell !== null) {
        while (cells.length < cell.column) cells.push('');
        cells[cell.column] = textOf(cell);
        cell = null;
      } else if (element === 'row') builder.add({ number, cells });
    },
  });
  return builder.table();
}

/** Rows may leave out their number, and then follow each other. */
function rowNumber(said: string | undefined, before: number, sheet: string, file: string): number {
  const number = said === undefined ? before + 1 : Number(said);
  if (Number.isInteger(number) && number > before && number <= 1_048_576) return number;
  throw fail(
    'invalidInput',
    `${file}, ${sheet}: row ${String(said).slice(0, 20)} follows row ${before}.`,
    'Export the tables again.',
  );
}

/** 5 of `F12`; null = not said. */
function columnOf(reference: string | undefined): number | null {
  const letters = reference === undefined ? null : /^([A-Z]{1,3})\d*$/i.exec(reference)?.[1];
  return letters == null
    ? null
    : [...letters.toUpperCase()].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1;
}
