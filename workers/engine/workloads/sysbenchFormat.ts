import type { DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { num } from './tools.ts';

/** What a driver needs: older ones have their OLTP loads under other names. */
export const sysbenchMinimum = {
  version: '1.0',
  reason: 'older ones print their intervals in another form and have no OLTP scripts by name',
};

/** One line of `--report-interval`. */
export interface SysbenchInterval {
  /** Seconds since the start. */
  atS: number;
  unit: 'tps' | 'events/s';
  rate: number;
  /** Which percentile the latency is; absent where none was asked for. */
  percentile: number | null;
  latencyMs: number | null;
  errorsPerS: number | null;
}

/**
 * 1.x: `[ 1s ] thds: 4 tps: 1057.78 qps: … lat (ms,95%): 6.09 err/s: 0.00` and, for cpu, `eps:`
 * instead of `tps:`.
 */
const now =
  /^\[ ?(\d+)s ?\] thds: \d+ (tps|eps): (\d+\.\d\d)(?: qps: [\d.]+(?: \([^)]*\))?)? lat \(ms,(\d+)%\): (\d+\.\d\d)(?: err\/s:? (\d+\.\d\d))?(?: reconn\/s: [\d.]+)?\s*$/;
/**
 * 0.5: `[ 46s] threads: 32, tps: 14336.08, reads: 143349.82, writes: 0.00, response time: 2.33ms
 * (95%), errors: 0.00, reconnects: 0.00`
 */
const old =
  /^\[\s*(\d+)s\] threads: \d+, tps: (\d+\.\d\d), reads: [\d.]+, writes: [\d.]+, response time: (\d+\.\d\d)ms \((\d+)%\), errors: (\d+\.\d\d), reconnects:\s+\d+\.\d\d\s*$/;

/**
 * Time an operation took, as a tool prints it beside its rate; null where 0 stands for *nothing was
 * done*: a second in which a database stood still would make its mean look better.
 */
export const latencyOf = (rate: number, latencyMs: number): number | null =>
  rate === 0 && latencyMs === 0 ? null : latencyMs;

/** An interval line of 0.5 or 1.x, whole: a torn one is none. 0.4 prints no intervals. */
export function parseSysbenchInterval(text: string): SysbenchInterval | null {
  const one = now.exec(text);
  if (one) {
    const [, seconds, kind, rate, percentile, latency, errors] = one;
    // Transactions come with their errors: a line without them was cut.
    if (kind === 'tps' && errors === undefined) return null;
    return {
      atS: num(seconds),
      unit: kind === 'tps' ? 'tps' : 'events/s',
      rate: num(rate),
      percentile: num(percentile),
      latencyMs: latencyOf(num(rate), num(latency)),
      errorsPerS: errors === undefined ? null : num(errors),
    };
  }
  const [, seconds, rate, latency, percentile, errors] = old.exec(text) ?? [];
  return seconds === undefined
    ? null
    : {
        atS: num(seconds),
        unit: 'tps',
        rate: num(rate),
        percentile: num(percentile),
        latencyMs: latencyOf(num(rate), num(latency)),
        errorsPerS: num(errors),
      };
}

/** With a rate to hold, sysbench adds a line on its queue. */
const queue = /^\[ ?\d+s ?\] queue length: \d+,? concurrency: \d+\s*$/;

/**
 * Whether a line that is no interval is one of the tool's others; what begins as an interval and is
 * none was damaged.
 */
export const isKnownSysbenchLine = (text: string): boolean =>
  queue.test(text) || (!text.startsWith('[') && isPrintableLine(text));

/**
 * Interval lines become throughput, 95th percentile and, for OLTP, errors a second; t = start + the
 * tool's own seconds. A client that stalls prints one interval too late and the next on time, both
 * with the same whole second (seen with 1.0.20): the first is taken; the second covers a fraction
 * of a second that nothing tells.
 */
export function sysbenchParser(options: ParserOptions): DriverParser {
  let lastS = 0;
  return createLineParser(options.resume, (text) => {
    const found = parseSysbenchInterval(text);
    if (!found) return isKnownSysbenchLine(text) ? 'known' : 'bad';
    if (found.atS === lastS) return 'bad';
    lastS = found.atS;
    const tMs = options.startMs + found.atS * 1_000;
    options.emit('throughput', tMs, found.rate);
    if (found.percentile === 95 && found.latencyMs !== null)
      options.emit('latencyP95Ms', tMs, found.latencyMs);
    if (found.errorsPerS !== null) options.emit('errorRate', tMs, found.errorsPerS);
    return 'taken';
  });
}

/**
 * The report at the end, of 0.4 to 1.x: `transactions: N (x per sec.)` or `events per second: x`,
 * average and 95th percentile in ms.
 */
export function sysbenchFinal(stdout: string): FinalReport | null {
  const at = Math.max(
    stdout.lastIndexOf('General statistics:'),
    stdout.lastIndexOf('Test execution summary:'),
  );
  if (at < 0) return null;
  const before = Math.max(
    stdout.lastIndexOf('SQL statistics:', at),
    stdout.lastIndexOf('CPU speed:', at),
    stdout.lastIndexOf('OLTP test statistics:', at),
  );
  const text = stdout.slice(before < 0 ? at : before);
  const rate =
    /transactions:\s+\d+\s+\(([\d.]+) per sec\.\)/.exec(text) ??
    /events per second:\s+([\d.]+)/.exec(text);
  const avg = /avg:\s+([\d.]+)/.exec(text);
  const p95 =
    /95th percentile:\s+([\d.]+)/.exec(text) ?? /approx\.\s+95 percentile:\s+([\d.]+)ms/.exec(text);
  const found = (match: RegExpExecArray | null): number | null => (match ? num(match[1]) : null);
  return {
    throughput: found(rate),
    latencyMeanMs: found(avg),
    latencyP95Ms: found(p95),
    text: text.trim(),
  };
}
