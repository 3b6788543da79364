import { printable } from '../../src/core/base/bounds.ts';

/** Where commands write: results on stdout, progress and faults on stderr. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  isTty: boolean;
}

/**
 * A terminal that is never sent a control character of the data: names of files and peers cannot
 * steer it.
 */
export const printing = (terminal: Terminal): Terminal => ({
  out: (text) => {
    terminal.out(printable(text));
  },
  err: (text) => {
    terminal.err(printable(text));
  },
  isTty: terminal.isTty,
});

/** A table with columns as wide as their content; numbers to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '–' : String(cell))));
  const widths = head.map((title, i) =>
    Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)),
  );
  const numeric = head.map(
    (_, i) => rows.length > 0 && rows.every((row) => row[i] === null || typeof row[i] === 'number'),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(head), ...cells.map(line)].join('\n');
}

/** `2026-11-21 04:25`, local time. */
export function timeText(ms: number | null): string {
  if (ms === null) return '–';
  const at = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  return (
    `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ` +
    `${two(at.getHours())}:${two(at.getMinutes())}`
  );
}

export const figure = (value: number | null, digits = 3): number | null =>
  value === null ? null : Number(value.toPrecision(digits));
