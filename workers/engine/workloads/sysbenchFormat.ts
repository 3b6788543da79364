import type { DriverParser,FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { num } from './tools.ts';

/** What the lines below need. */
export const sysbenchMinimum = {
  version: '1.0',
  reason: 'older ones print their intervals in another form and have no OLTP scripts by name',
};

/** sysbench 1.0: `[ 1s ] thds: 4 tps: 1057.78 qps: … lat (ms,95%): 6.09 err/s: 0.00` and, for cpu, `eps:` instead of `tps:`. */
const interval =
  /^\[ ?(\d+)s ?\] thds: \d+ (?:tps|eps): ([\d.]+)(?: qps: [\d.]+ \([^)]*\))? lat \(ms,(\d+)%\): ([\d.]+)(?: err\/s:? ([\d.]+))?(?: reconn\/s: [\d.]+)?\s*$/;

/** With a rate to hold, sysbench adds a line on its queue. */
const queue = /^\[ ?\d+s ?\] queue length: \d+,? concurrency: \d+\s*$/;

/** Interval lines become throughput, 95th percentile and, for OLTP, errors a second; t = start + the tool's own seconds. */
export function sysbenchParser(options: ParserOptions): DriverParser {
  return createLineParser(options.resume, (text) => {
    const match = interval.exec(text);
    if (!match)
      return queue.test(text)
        ? 'known'
        : text.startsWith('[')
          ? 'bad'
          : isPrintable(text)
            ? 'known'
            : 'bad';
    const [, seconds, throughput, percentile, latency, errors] = match;
    const tMs = options.startMs + num(seconds) * 1_000;
    options.emit('throughput', tMs, num(throughput));
    if (percentile === '95') options.emit('latencyP95Ms', tMs, num(latency));
    if (errors !== undefined) options.emit('errorRate', tMs, num(errors));
    return 'taken';
  });
}

const isPrintable = (text: string): boolean => !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);

/** The report at the end: `transactions: N (x per sec.)` or `events per second: x`, average and 95th percentile in ms. */
export function sysbenchFinal(stdout: string): FinalReport | null {
  const at = stdout.lastIndexOf('General statistics:');
  if (at < 0) return null;
  const before = Math.max(
    stdout.lastIndexOf('SQL statistics:', at),
    stdout.lastIndexOf('CPU speed:', at),
  );
  const text = stdout.slice(before < 0 ? at : before);
  const rate =
    /transactions:\s+\d+\s+\(([\d.]+) per sec\.\)/.exec(text) ??
    /events per second:\s+([\d.]+)/.exec(text);
  const avg = /avg:\s+([\d.]+)/.exec(text);
  const p95 = /95th percentile:\s+([\d.]+)/.exec(text);
  const found = (match: RegExpExecArray | null): number | null => (match ? num(match[1]) : null);
  return {
    throughput: found(rate),
    latencyMeanMs: found(avg),
    latencyP95Ms: found(p95),
    text: text.trim(),
  };
}
