import { type AppError, fail } from '../../../src/core/base/errors.ts';
import { createRowCutter } from './csvRows.ts';
import { parseColumn, seriesOfColumn } from './esxtopColumns.ts';
import type { ImportFormat, ImportOptions, ImportParser, ImportSink } from './types.ts';

const comma = 0x2c,
  space = 0x20,
  point = 0x2e,
  minus = 0x2d,
  zero = 0x30;
/** Heads of 50,000 columns are some 5 MB. */
const longestHead = 64 * 1024 ** 2;
const mostSeries = 2_000;
const longestField = 4_096;
/** esxtop's own default between two samples; the real one is measured from the rows. */
const usualPeriodMs = 5_000;

/**
 * esxtop batch files (`esxtop -b`): one head, a row a sample, every field quoted, often tens of
 * thousands of columns. Rows are walked byte by byte and only wanted fields are read, so that time
 * goes with the bytes and memory with what is kept.
 */
export const esxtop: ImportFormat = {
  matches: (beginning) => /^﻿?"?\(PDH-CSV 4\.0\)/.test(beginning),
  open: (sink, options) => createEsxtopParser(sink, options),
};

function createEsxtopParser(sink: ImportSink, options: ImportOptions): ImportParser {
  const refuse = (what: string): AppError =>
    fail('invalidInput', `${options.fileName}: ${what}.`, 'Choose a file written by esxtop -b.');
  const head = createHead(sink, options, refuse);
  let inHead = true;
  /** Series of each column, as `Head.end` gives them. */
  let wanted: readonly number[] = [];
  let badRows = 0;
  let rows = 0;
  let timeMs = NaN;
  let lastMs = -Infinity;
  /** Values of the row at hand, by series: a row that ends wrong gives none. */
  let values = new Float64Array(0);
  /** Columns of the head without empty ones at its end. */
  let headColumns = 0;

  function endRow(cells: number, filled: number): void {
    if (inHead) {
      wanted = head.end(filled);
      values = new Float64Array(wanted.reduce((most, id) => Math.max(most, id + 1), 0)).fill(NaN);
      headColumns = filled;
      inHead = false;
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
      badRows += 1;
    else {
      rows += 1;
      lastMs = timeMs;
      for (let id = 0; id < values.length; id += 1)
        if (!Number.isNaN(values[id]!)) sink.add(id, timeMs, values[id]!);
    }
    values.fill(NaN);
    timeMs = NaN;
  }

  const cutter = createRowCutter(
    {
      wants: (column) => inHead || (column < wanted.length && wanted[column] !== -1),
      onField(column, bytes, from, to) {
        if (inHead) {
          head.take(column, bytes.subarray(from, to));
          return;
        }
        while (to > from && bytes[from] === space) from += 1;
        while (to > from && bytes[to - 1] === space) to -= 1;
        const id = wanted[column]!;
        if (id === -2) timeMs = parseTime(bytes, from, to);
        else values[id] = parseNumber(bytes, from, to);
      },
      onRow: endRow,
      onOversized: (column) => {
        throw refuse(
          `${inHead ? 'its head' : `row ${rows + badRows + 2}`} has a field of more than ` +
            `${longestField} bytes, number ${column + 1}`,
        );
      },
    },
    longestField,
  );

  return {
    push: (bytes) => cutter.push(bytes),
    end() {
      cutter.end();
      if (inHead || rows + badRows === 0) throw refuse('it has a head and no rows');
      if (rows === 0) throw refuse(`none of its ${badRows} rows could be read`);
      if (badRows > 0) sink.leaveOut(badRows, 'row');
    },
  };
}

interface Head {
  take(column: number, field: Uint8Array): void;
  /** Ends the line: the series of each column; -1 = not wanted, -2 = the time. */
  end(columns: number): readonly number[];
}

/** Reads the first line, and defines the series of those of its columns that are wanted. */
function createHead(
  sink: ImportSink,
  options: ImportOptions,
  refuse: (what: string) => AppError,
): Head {
  const decoder = new TextDecoder('utf-8');
  const wanted: number[] = [];
  let bytes = 0;
  let kept = 0;

  return {
    take(column, field) {
      bytes += field.length;
      if (bytes > longestHead) throw refuse(`its first line is longer than ${longestHead} bytes`);
      wanted[column] = -1;
      if (column === 0) {
        wanted[0] = -2;
        return;
      }
      const parsed = parseColumn(decoder.decode(field).trim());
      const series = parsed === null ? null : seriesOfColumn(parsed, options.filter, usualPeriodMs);
      if (series === null) return;
      if (++kept > mostSeries)
        throw refuse(`more than ${mostSeries} of its columns are counters of devices`);
      wanted[column] = sink.define(series);
    },
    end(columns) {
      if (kept === 0)
        throw refuse(
          options.filter.length > 0
            ? `no device matches ${options.filter.join(', ')}`
            : 'it has no counter that a chart shows',
        );
      sink.note(
        `${kept} of ${columns - 1} columns of ${options.fileName} are read: CPU, memory, power ` +
          'and disk devices. Times are taken as UTC.',
      );
      return wanted.slice(0, columns);
    },
  };
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
