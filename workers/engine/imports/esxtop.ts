import { type AppError, fail } from '../../../src/shared/errors.ts';
import { parseColumn, seriesOfColumn } from './esxtopColumns.ts';
import type { ImportFormat, ImportOptions, ImportParser, ImportSink } from './types.ts';

const quote = 0x22,
  comma = 0x2c,
  newline = 0x0a,
  point = 0x2e,
  minus = 0x2d,
  zero = 0x30;
/** Heads of 50,000 columns are some 5 MB. */
const longestHead = 64 * 1024 ** 2;
const mostSeries = 2_000;
/** esxtop's own default between two samples; the real one is measured from the rows. */
const usualPeriodMs = 5_000;

/**
 * esxtop batch files (`esxtop -b`): one head, a row a sample, every field quoted, often tens of thousands of columns.
 * Rows are walked byte by byte and only wanted fields are read, so that time goes with the bytes and memory with what is kept.
 */
export const esxtop: ImportFormat = {
  id: 'esxtop',
  title: 'esxtop batch CSV',
  matches: (beginning) => /^﻿?"?\(PDH-CSV 4\.0\)/.test(beginning),
  open: (sink, options) => createEsxtopParser(sink, options),
};

function createEsxtopParser(sink: ImportSink, options: ImportOptions): ImportParser {
  const refuse = (what: string): AppError =>
    fail('invalidInput', `${options.fileName}: ${what}.`, 'Choose a file written by esxtop -b.');
  let head: Uint8Array[] | null = [];
  let headBytes = 0;
  /** Series of each column; -1 = not wanted, -2 = the time. */
  let wanted = new Int32Array(0);
  let column = 0;
  let quoted = false;
  let row = 1;
  let badRows = 0;
  let rows = 0;
  /** Bytes of a wanted field that a piece of the file cut. */
  let cut: Uint8Array | null = null;
  let timeMs = NaN;
  let previousMs = NaN;
  /** Values of the row at hand, by series: a row that ends wrong gives none. */
  let values = new Float64Array(0);

  function takeHead(): void {
    const text = Buffer.concat(head!).toString('utf8').replace(/^﻿/, '').replace(/\r$/, '');
    head = null;
    const heads = text.startsWith('"')
      ? text.slice(1, text.endsWith('"') ? -1 : undefined).split('","')
      : text.split(',');
    wanted = new Int32Array(heads.length).fill(-1);
    wanted[0] = -2;
    let kept = 0;
    for (let i = 1; i < heads.length; i += 1) {
      const parsed = parseColumn(heads[i]!);
      const series = parsed === null ? null : seriesOfColumn(parsed, options.filter, usualPeriodMs);
      if (series === null) continue;
      if (++kept > mostSeries)
        throw refuse(`more than ${mostSeries} of its columns are counters of devices`);
      wanted[i] = sink.define(series);
    }
    if (kept === 0)
      throw refuse(
        options.filter.length > 0
          ? `no device matches ${options.filter.join(', ')}`
          : 'it has no counter that a chart shows',
      );
    values = new Float64Array(wanted.reduce((most, id) => Math.max(most, id + 1), 0)).fill(NaN);
    sink.note(
      `${kept} of ${heads.length - 1} columns of ${options.fileName} are read: CPU, memory, power and disk devices. Times are taken as UTC.`,
    );
  }

  function endField(bytes: Uint8Array, from: number, to: number): void {
    const id = column < wanted.length ? wanted[column]! : -1;
    if (id === -1) return;
    let field = bytes;
    let start = from;
    let end = to;
    if (cut !== null) {
      field = new Uint8Array(cut.length + to - from);
      field.set(cut);
      field.set(bytes.subarray(from, to), cut.length);
      start = 0;
      end = field.length;
      cut = null;
    }
    if (end > start && field[end - 1] === 0x0d) end -= 1;
    if (end - start >= 2 && field[start] === quote && field[end - 1] === quote) {
      start += 1;
      end -= 1;
    }
    if (id === -2) timeMs = parseTime(field, start, end);
    else values[id] = parseNumber(field, start, end);
  }

  function endRow(): void {
    row += 1;
    // A row of another length is cut or of another head: none of its values can be trusted.
    if (column + 1 !== wanted.length || Number.isNaN(timeMs)) {
      if (column > 0 || !Number.isNaN(timeMs)) badRows += 1;
    } else {
      rows += 1;
      for (let id = 0; id < values.length; id += 1)
        if (!Number.isNaN(values[id]!)) sink.add(id, timeMs, values[id]!);
      previousMs = timeMs;
    }
    values.fill(NaN);
    timeMs = NaN;
    column = 0;
    quoted = false;
  }

  function walk(bytes: Uint8Array, begin: number): void {
    let from = begin;
    const { length } = bytes;
    for (let i = begin; i < length; i += 1) {
      const byte = bytes[i]!;
      // Digits, points and letters, which nearly all bytes are, lie above the comma.
      if (byte > comma) continue;
      if (byte === quote) quoted = !quoted;
      else if (byte === comma) {
        if (quoted) continue;
        endField(bytes, from, i);
        column += 1;
        from = i + 1;
      } else if (byte === newline) {
        endField(bytes, from, i);
        endRow();
        from = i + 1;
      }
    }
    if (from < length && column < wanted.length && wanted[column] !== -1) {
      const part = bytes.slice(from);
      if (cut === null) cut = part;
      else {
        const joined: Uint8Array = new Uint8Array(cut.length + part.length);
        joined.set(cut);
        joined.set(part, cut.length);
        cut = joined;
      }
      if (cut.length > 4_096) throw refuse(`row ${row + 1} has a field of more than 4096 bytes`);
    }
  }

  return {
    push(bytes) {
      if (head === null) {
        walk(bytes, 0);
        return;
      }
      const at = bytes.indexOf(newline);
      head.push(at < 0 ? bytes.slice() : bytes.slice(0, at));
      headBytes += at < 0 ? bytes.length : at;
      if (headBytes > longestHead)
        throw refuse(`its first line is longer than ${longestHead} bytes`);
      if (at < 0) return;
      takeHead();
      walk(bytes, at + 1);
    },
    end() {
      if (head !== null) throw refuse('it has a head and no rows');
      if (column > 0) {
        endField(new Uint8Array(0), 0, 0);
        endRow();
      }
      if (rows === 0) throw refuse(`none of its ${row - 1} rows could be read`);
      if (badRows > 0)
        sink.note(
          `${badRows} of ${rows + badRows} rows of ${options.fileName} have another number of fields than the head, or no time: left out.`,
        );
      if (Number.isNaN(previousMs)) throw refuse('it has no time');
    },
  };
}

/** `05/15/2017 06:49:37` as an epoch in ms, UTC; NaN for anything else. */
function parseTime(bytes: Uint8Array, from: number, to: number): number {
  if (to - from !== 19) return NaN;
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
