import { fail } from '../../../../src/core/base/errors.ts';
import type { PowerReading } from '../../deps/power.ts';

export interface Columns {
  timeColumn: string;
  wattsColumn: string;
  /** The clock that wrote the file less this machine's. */
  offsetMs: number;
}
/** Gives the reading of a line; null = it has none. */
export type ReadRow = (line: string) => PowerReading | null;

const delimiters = [',', ';', '\t'] as const;

/** Cells of a line; a quoted one may hold the delimiter, and a doubled quote. */
function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i]!;
    if (char === '"') {
      if (quoted && line[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = !quoted;
    } else if (char === delimiter && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  return [...cells, cell].map((each) => each.trim());
}

/**
 * Reads the head of a file: comma, semicolon or tab, by which of them finds both columns. After a
 * comma a number has a point; otherwise it may have a decimal comma. Throws notFound with the heads
 * there are.
 */
export function readHead(
  line: string,
  { timeColumn, wattsColumn, offsetMs }: Columns,
  where: string,
): ReadRow {
  const head = line.replace(/^\uFEFF/, '');
  for (const delimiter of delimiters) {
    const heads = cellsOf(head, delimiter);
    const time = heads.indexOf(timeColumn);
    const watts = heads.indexOf(wattsColumn);
    if (time < 0 || watts < 0) continue;
    return (row) => {
      const cells = cellsOf(row, delimiter);
      const text = cells[watts] ?? '';
      const value = numberIn(delimiter === ',' ? text : text.replace(',', '.'));
      const tMs = timeIn(cells[time] ?? '');
      // Below 0 a meter's program says that it measured nothing.
      return value === null || value < 0 || tMs === null
        ? null
        : { watts: value, tMs: tMs - offsetMs };
    };
  }
  throw fail(
    'notFound',
    `${where} has no columns ${timeColumn} and ${wattsColumn}: its first line is "${head.slice(0, 200)}".`,
    'Write the heads as they stand in the first line.',
  );
}

const numberIn = (text: string): number | null =>
  /^[+-]?\d+(\.\d*)?([eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : null;

const stamp =
  /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}:?\d{2})?$/;
/** Above it a bare number is in milliseconds: seconds would lie after the year 5000. */
const leastMs = 1e11;

/**
 * A time as programs write it: seconds or milliseconds since 1970, or year, month and day with a
 * time; without a zone it is this machine's. null = neither.
 */
function timeIn(text: string): number | null {
  const number = numberIn(text);
  if (number !== null) return number >= leastMs ? number : number * 1_000;
  const parts = stamp.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, fraction = '0', zone = ''] = parts;
  const iso =
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}` +
    zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const tMs = Date.parse(iso);
  return Number.isFinite(tMs) ? tMs : null;
}
