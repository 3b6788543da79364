/**
 * A table as data: what is copied. Numbers are as measured, never as shown; null is nothing
 * measured.
 */
export interface CopiedTable {
  title: string;
  /** What the numbers are not: `SIMULATED`, `REPLAY`. */ mark?: string | null;
  columns: readonly CopiedColumn[];
  rows: readonly (readonly CopiedCell[])[];
}
export interface CopiedColumn {
  label: string;
  unit?: string;
}
export type CopiedCell = string | number | null;

/** Columns without a word in head and rows, as those of buttons, are left out. */
function kept({ columns, rows }: CopiedTable): number[] {
  return columns
    .map((_, at) => at)
    .filter((at) => headOf(columns[at]!) !== '' || rows.some((row) => (row[at] ?? '') !== ''));
}
/** `Measured (ms)`; as it is where the label has the unit already. */
const headOf = ({ label, unit }: CopiedColumn): string =>
  unit === undefined || unit === '' || label.includes(`(${unit})`)
    ? label
    : `${label} (${unit})`.trim();
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const numeric = (cell: CopiedCell): boolean =>
  typeof cell === 'number' || (cell !== null && cell !== '' && Number.isFinite(Number(cell)));
/** The shortest text that reads back as the same number. */
const textOf = (cell: CopiedCell): string =>
  cell === null
    ? ''
    : typeof cell === 'number'
      ? Number.isFinite(cell)
        ? String(cell)
        : ''
      : oneLine(cell);

/**
 * For a spreadsheet: a line a row, tabs between, units in the head. A text that would run as a
 * formula has an apostrophe in front.
 */
export function tableTsv(table: CopiedTable): string {
  const at = kept(table);
  const cell = (value: CopiedCell): string => {
    const text = textOf(value);
    return /^[=+@-]/.test(text) && !numeric(value) ? `'${text}` : text;
  };
  const head = at.map((i) => cell(headOf(table.columns[i]!)));
  return [
    ...(table.mark ? [table.mark] : []),
    ...(head.some((label) => label !== '') ? [head.join('\t')] : []),
    ...table.rows.map((row) => at.map((i) => cell(row[i] ?? null)).join('\t')),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** As Markdown (pipes), columns of numbers to the right. */
export function tableMarkdown(table: CopiedTable): string {
  const at = kept(table);
  const cell = (value: CopiedCell): string =>
    textOf(value).replace(/[\\|]/g, '\\$&').replace(/</g, '&lt;');
  const right = at.map(
    (i) =>
      table.rows.some((row) => numeric(row[i] ?? null)) &&
      table.rows.every((row) => (row[i] ?? '') === '' || numeric(row[i] ?? null)),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return (
    (table.mark ? `**${table.mark}**\n\n` : '') +
    line(at.map((i) => cell(headOf(table.columns[i]!)))) +
    line(right.map((yes) => (yes ? '---:' : '---'))) +
    table.rows.map((row) => line(at.map((i) => cell(row[i] ?? null)))).join('')
  );
}
