import { type EsxtopColumn, parseColumn } from './counters.ts';
import { createRowCutter } from './csvRows.ts';

const comma = 0x2c,
  space = 0x20,
  point = 0x2e,
  minus = 0x2d,
  zero = 0x30;
/** Heads of 50,000 columns are some 5 MB. */
const longestHead = 64 * 1024 ** 2;
const longestField = 4_096;

export interface EsxtopHandlers {
  /** Where the figures of a column go in `values`, from 0 without holes; null = not wanted. */
  place: (column: EsxtopColumn) => number | null;
  /** The head is read: how many columns it has beside that of the time. */
  onHead: (columns: number) => void;
  /**
   * A whole row, its time as UTC; NaN = no figure. `values` is written over by the next. A row that
   * ends wrong, or is not later than the one before, is `onBadRow` and gives none.
   */
  onRow: (timeMs: number, values: Float64Array) => void;
  onBadRow: () => void;
  /** What is no output of esxtop. Throws. */
  refuse: (what: string) => never;
}

/**
 * Reads what esxtop prints in batch mode (`esxtop -b`): one head, a row a sample, nearly every field
 * quoted, often tens of thousands of columns. Rows are walked byte by byte and only wanted fields
 * are read, so that time goes with the bytes and memory with what is kept.
 */
export function createEsxtopRows(handlers: EsxtopHandlers): {
  push(bytes: Uint8Array): void;
  end(): void;
} {
  const { place, onHead, onRow, onBadRow, refuse } = handlers;
  const decoder = new TextDecoder('utf-8');
  let inHead = true;
  let headBytes = 0;
  let rows = 1;
  /** Place of each column; -1 = not wanted, -2 = the time. */
  let wanted: number[] = [];
  let timeMs = NaN;
  let lastMs = -Infinity;
  /** Values of the row at hand: a row that ends wrong gives none. */
  let values = new Float64Array(0);
  /** Columns of the head without empty ones at its end. */
  let headColumns = 0;

  function takeHead(column: number, field: Uint8Array): void {
    headBytes += field.length;
    if (headBytes > longestHead) refuse(`its first line is longer than ${longestHead} bytes`);
    const parsed = column === 0 ? null : parseColumn(decoder.decode(field).trim());
    wanted[column] = column === 0 ? -2 : parsed === null ? -1 : (place(parsed) ?? -1);
  }
  function endRow(cells: number, filled: number): void {
    rows += 1;
    if (inHead) {
      wanted = wanted.slice(0, filled);
      values = new Float64Array(wanted.reduce((most, at) => Math.max(most, at + 1), 0)).fill(NaN);
      headColumns = filled;
      inHead = false;
      onHead(filled - 1);
      return;
    }
    if (filled === 0) return;
    // A row that ends elsewhere is cut or of another head: none of its values can be trusted. One
    // that has its cells, empty ones among them, is whole; a comma more at its end says nothing.
    if (
      filled > headColumns ||
      cells < headColumns ||
      cells > headColumns + 1 ||
      // Without a time, or one of a row that stood before it already.
      !(timeMs > lastMs)
    )
      onBadRow();
    else {
      lastMs = timeMs;
      onRow(timeMs, values);
    }
    values.fill(NaN);
    timeMs = NaN;
  }

  return createRowCutter(
    {
      wants: (column) => inHead || (column < wanted.length && wanted[column] !== -1),
      onField(column, bytes, from, to) {
        if (inHead) {
          takeHead(column, bytes.subarray(from, to));
          return;
        }
        while (to > from && bytes[from] === space) from += 1;
        while (to > from && bytes[to - 1] === space) to -= 1;
        const at = wanted[column]!;
        if (at === -2) timeMs = parseTime(bytes, from, to);
        else values[at] = parseNumber(bytes, from, to);
      },
      onRow: endRow,
      onOversized: (column) =>
        refuse(
          `${inHead ? 'its head' : `row ${rows}`} has a field of more than ${longestField} ` +
            `bytes, number ${column + 1}`,
        ),
    },
    longestField,
  );
}

/** `05/15/2017 06:49:37` as an epoch in ms, UTC; NaN for anything else. */
function parseTime(bytes: Uint8Array, from: number, to: number): number {
  // Some writers add milliseconds: `06:49:37.123`.
  if (to - from !== 19 && to - from !== 23) return NaN;
  const two = (at: number): number =>
    (bytes[from + at]! - zero) * 10 + bytes[from + at + 1]! - zero;
  const at = Date.UTC(two(6) * 100 + two(8), two(0) - 1, two(3), two(11), two(14), two(17));
  return bytes[from + 2] === 0x2f && bytes[from + 13] === 0x3a ? at : NaN;
}

/** A plain decimal number; NaN where it is none (esxtop prints nothing else). */
function parseNumber(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  const negative = bytes[at] === minus;
  if (negative) at += 1;
  let whole = 0;
  let scale = 0;
  if (at >= to) return NaN;
  for (; at < to; at += 1) {
    const byte = bytes[at]!;
    // A decimal comma is what some locales print.
    if ((byte === point || byte === comma) && scale === 0) {
      scale = 1;
      continue;
    }
    const digit = byte - zero;
    if (digit < 0 || digit > 9) return NaN;
    whole = whole * 10 + digit;
    if (scale > 0) scale *= 10;
  }
  const value = scale > 1 ? whole / scale : whole;
  return negative ? -value : value;
}
