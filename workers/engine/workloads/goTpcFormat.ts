import * as z from 'zod';

import type { DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { num } from './tools.ts';

/** What go-tpc prints of one transaction in an interval, or of the whole run. */
export interface GoTpcLine {
  /** Epoch that the driver's shell put before it; null in a log without one. */
  tMs: number | null;
  summary: boolean;
  /** `NEW_ORDER`, and `NEW_ORDER_ERR` for those that failed. */
  operation: string;
  /** Since the first one of the interval ended, not since the interval began. */
  takesS: number;
  count: number;
  sumMs: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
}

/**
 * `[Current] NEW_ORDER - Takes(s): 1.0, Count: 128, TPM: 7619.0, Sum(ms): 1262.6, Avg(ms): 9.9, …`
 * Its TPM is by the time since the first transaction ended: too high where they are few.
 */
const line =
  /^(?:t (\d{13}) )?\[(Current|Summary)\] ([A-Z_]{1,32}) +- Takes\(s\): (\d+\.\d), Count: (\d+), TPM: \d+\.\d, Sum\(ms\): (\d+\.\d), Avg\(ms\): \d+\.\d, 50th\(ms\): \d+\.\d, 90th\(ms\): \d+\.\d, 95th\(ms\): (\d+\.\d), 99th\(ms\): (\d+\.\d), 99\.9th\(ms\): \d+\.\d, Max\(ms\): (\d+\.\d)$/;

/** A line that tells a count, whole: a torn one is none. */
function parseGoTpcLine(text: string): GoTpcLine | null {
  const found = line.exec(text);
  if (!found) return null;
  const [, at, kind, operation = '', takes, count, sum, p95, p99, max] = found;
  return {
    tMs: at === undefined ? null : num(at),
    summary: kind === 'Summary',
    operation,
    takesS: num(takes),
    count: num(count),
    sumMs: num(sum),
    p95Ms: num(p95),
    p99Ms: num(p99),
    maxMs: num(max),
  };
}

/** What begins as a line with a count and is none was damaged; keying and thinking times are known. */
const isKnownGoTpcLine = (text: string): boolean =>
  isPrintableLine(text) &&
  (!/^(?:t \d|\[Current\]|\[Summary\])/.test(text) ||
    /^(?:t \d{13} )?\[(?:Current|Summary)\] (?:KEYING|THINKING)TIME-[A-Z_]{1,32} *(?:- |: )/.test(
      text,
    ));

/** The lines of one interval, added up as they come. */
export interface GoTpcInterval {
  tMs: number;
  last: string;
  orders: number;
  errors: number;
  meanMs: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
}
const openInterval = (tMs: number): GoTpcInterval => ({
  tMs,
  last: '',
  orders: 0,
  errors: 0,
  meanMs: null,
  p95Ms: null,
  p99Ms: null,
});

/** Adds a line to its interval; false where it is the first of another: each prints by the alphabet. */
function addGoTpcLine(interval: GoTpcInterval, found: GoTpcLine): boolean {
  if (interval.last !== '' && found.operation <= interval.last) return false;
  interval.last = found.operation;
  if (found.operation.endsWith('_ERR')) interval.errors += found.count;
  else if (found.operation === 'NEW_ORDER') {
    interval.orders = found.count;
    if (found.count > 0) {
      interval.meanMs = found.sumMs / found.count;
      interval.p95Ms = found.p95Ms;
      interval.p99Ms = found.p99Ms;
    }
  }
  return true;
}

const held = z.object({
  /** Where the first interval began, epoch ms; null before it. */
  originMs: z.number().nullable(),
  /** Number of the interval before, and when it was printed. */
  before: z.number(),
  beforeMs: z.number(),
  open: z
    .object({
      tMs: z.number(),
      last: z.string(),
      orders: z.number(),
      errors: z.number(),
      meanMs: z.number().nullable(),
      p95Ms: z.number().nullable(),
      p99Ms: z.number().nullable(),
    })
    .nullable(),
});

/** More silent intervals than this in one go are a clock that was set, not silence. */
const mostSilent = 3_600;
const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

/**
 * An interval as go-tpc counted it, by how many of its ticks it is after the one before: where
 * nothing ended in one it prints no line.
 */
function tellGoTpc(
  { tMs, orders, errors, meanMs, p95Ms, p99Ms }: GoTpcInterval,
  ticks: number,
  intervalMs: number,
  emit: ParserOptions['emit'],
): void {
  const silent = Math.min(mostSilent, ticks - 1);
  for (let i = silent; i >= 1; i -= 1) {
    emit('throughput', tMs - i * intervalMs, 0);
    emit('errorRate', tMs - i * intervalMs, 0);
  }
  emit('throughput', tMs, thousandths((orders * 60_000) / intervalMs));
  emit('errorRate', tMs, thousandths((errors * 1_000) / intervalMs));
  if (meanMs === null || p95Ms === null || p99Ms === null) return;
  emit('latencyMeanMs', tMs, thousandths(meanMs));
  emit('latencyP95Ms', tMs, p95Ms);
  emit('latencyP99Ms', tMs, p99Ms);
}

/**
 * New orders a minute by their count, their mean and percentiles, and failed transactions of every
 * kind a second. Times are the client's, put before each line as it is printed; an interval is told
 * with the first line of the next.
 */
export function goTpcParser(options: ParserOptions): DriverParser {
  const state: z.infer<typeof held> = options.resume?.state
    ? held.parse(JSON.parse(options.resume.state))
    : { originMs: null, before: 0, beforeMs: 0, open: null };
  const { intervalMs } = options;
  // go-tpc's ticks are of one length; when the shell came to print one may be late.
  const close = (): void => {
    if (state.open === null) return;
    const { tMs } = state.open;
    state.originMs ??= tMs - intervalMs;
    const number = Math.max(state.before + 1, Math.round((tMs - state.originMs) / intervalMs));
    tellGoTpc(state.open, number - state.before, intervalMs, options.emit);
    state.before = number;
    state.beforeMs = tMs;
    state.open = null;
  };
  const take = (found: GoTpcLine, tMs: number): boolean => {
    // Lines of one interval come at once; half of one later, it is the next.
    if (state.open && tMs - state.open.tMs >= intervalMs / 2) close();
    if (tMs <= state.beforeMs) return false;
    state.open ??= openInterval(tMs);
    if (addGoTpcLine(state.open, found)) return true;
    if (tMs <= state.open.tMs) return false;
    close();
    state.open = openInterval(tMs);
    return addGoTpcLine(state.open, found);
  };
  const parser = createLineParser(
    options.resume,
    (text) => {
      const found = parseGoTpcLine(text);
      if (!found) {
        if (text === 'Finished') close();
        return isKnownGoTpcLine(text) ? 'known' : 'bad';
      }
      if (found.summary) return 'known';
      return found.tMs !== null && take(found, found.tMs) ? 'taken' : 'bad';
    },
    () => JSON.stringify(state),
  );
  return {
    push: (chunk) => parser.push(chunk),
    end() {
      parser.end();
      close();
    },
    resume: () => parser.resume(),
    get badLines() {
      return parser.badLines;
    },
    get badExamples() {
      return parser.badExamples;
    },
  };
}

/** `tpmC: 11473.8, tpmTotal: 25072.4, efficiency: 89220.8%`, and its lines before it. */
export function goTpcFinal(stdout: string): FinalReport | null {
  const total = /^tpmC: (\d+\.\d), tpmTotal: /m.exec(stdout);
  if (!total) return null;
  const lines = stdout.split('\n').filter((text) => /^(?:\[Summary\]|tpmC: )/.test(text));
  const orders = lines
    .map(parseGoTpcLine)
    .find((found) => found?.operation === 'NEW_ORDER' && found.count > 0);
  return {
    throughput: num(total[1]),
    latencyMeanMs: orders ? orders.sumMs / orders.count : null,
    latencyP95Ms: orders?.p95Ms ?? null,
    text: lines.join('\n'),
  };
}
