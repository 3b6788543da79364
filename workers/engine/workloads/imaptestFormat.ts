import * as z from 'zod';

import type { DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { num } from './tools.ts';

/** One second of imaptest, which prints a row each, also where nothing was answered in it. */
interface ImaptestRow {
  tMs: number;
  /** Lines with an error since the row before, counted by the driver's shell. */
  errors: number;
  /** Commands that were answered, of every kind. */
  commands: number;
}

/**
 * `t 1795513160501 0    0    0    0   2/  4 (4 stalled >3s)`: the client's clock and the errors, put
 * before it by the driver's shell; commands by kind; clients that are connected, of all.
 */
const row =
  /^t (\d{13}) (\d{1,9}) +((?:\d{1,9} {1,8}){1,40})\d{1,7}\/ {0,3}\d{1,7}(?: \(\d{1,7} stalled >\d{1,4}s\))?(?: \[\d{1,3}%\])?$/;

const sumOf = (text: string): number =>
  text
    .trim()
    .split(/ +/)
    .reduce((sum, count) => sum + num(count), 0);

/** A row, whole: a torn one is none. */
function parseImaptestRow(text: string): ImaptestRow | null {
  const found = row.exec(text);
  return found
    ? { tMs: num(found[1]), errors: num(found[2]), commands: sumOf(found[3] ?? '') }
    : null;
}

const held = z.object({
  lastMs: z.number(),
  seconds: z.number(),
  commands: z.number(),
  errors: z.number(),
});
const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Commands a second of every kind together, and errors a second; a row is a second of imaptest. */
export function imaptestParser(options: ParserOptions): DriverParser {
  const state: z.infer<typeof held> = options.resume?.state
    ? held.parse(JSON.parse(options.resume.state))
    : { lastMs: 0, seconds: 0, commands: 0, errors: 0 };
  return createLineParser(
    options.resume,
    (text) => {
      const found = parseImaptestRow(text);
      if (!found) return !text.startsWith('t ') && isPrintableLine(text) ? 'known' : 'bad';
      if (found.tMs <= state.lastMs) return 'bad';
      state.lastMs = found.tMs;
      state.seconds += 1;
      state.commands += found.commands;
      state.errors += found.errors;
      if (state.seconds * 1_000 < options.intervalMs) return 'taken';
      options.emit('throughput', found.tMs, thousandths(state.commands / state.seconds));
      options.emit('errorRate', found.tMs, thousandths(state.errors / state.seconds));
      state.seconds = 0;
      state.commands = 0;
      state.errors = 0;
      return 'taken';
    },
    () => JSON.stringify(state),
  );
}

/** Its totals by the time between `begin` and `end`, which the driver's shell prints. */
export function imaptestFinal(stdout: string): FinalReport | null {
  const begin = num(/^begin (\d{13})$/m.exec(stdout)?.[1]);
  const end = num(/^end (\d{13})$/m.exec(stdout)?.[1]);
  const from = stdout.indexOf('\nTotals:\n');
  if (from < 0 || !(end > begin)) return null;
  const lines = stdout
    .slice(from + 1)
    .split('\n')
    .filter((text) => !text.startsWith('end '));
  const counts = lines.findLast((text) => /^ {0,4}\d[\d ]*$/.test(text));
  return counts === undefined
    ? null
    : {
        throughput: (sumOf(counts) * 1_000) / (end - begin),
        latencyMeanMs: null,
        latencyP95Ms: null,
        text: lines.join('\n').trim(),
      };
}
