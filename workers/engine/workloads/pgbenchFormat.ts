import type { DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { latencyOf } from './sysbenchFormat.ts';
import { num } from './tools.ts';

/** One line of `--progress`. */
export interface PgbenchInterval {
  /** Epoch with `--progress-timestamp`, else since the start. */
  atS: number;
  tps: number;
  /** A mean, no percentile; null where nothing was done. */
  latencyMeanMs: number | null;
  /** Transactions that failed, or were skipped because they were due too long ago. */
  failed: number;
}

/**
 * `progress: 1795220845.092 s, 2379.0 tps, lat 1.662 ms stddev 0.620, 0 failed` (before 15 without
 * `failed`), and with a rate to hold `, lag 1.163 ms, 1 skipped`, with repeats `, 0 retried, 0
 * retries`.
 */
const interval =
  /^progress: (\d+\.\d+) s, (\d+\.\d) tps, lat (-?nan|\d+\.\d{3}) ms stddev (?:-?nan|\d+\.\d{3})(?:, (\d+) failed)?(?:, lag (?:-?nan|\d+\.\d{3}) ms)?(?:, (\d+) skipped)?(?:, \d+ retried, \d+ retries)?\s*$/;

/** An interval line, whole: a torn one is none. */
export function parsePgbenchInterval(text: string): PgbenchInterval | null {
  const found = interval.exec(text);
  if (!found) return null;
  const [, at, tps, latency, failed = '0', skipped = '0'] = found;
  const mean = num(latency);
  return {
    atS: num(at),
    tps: num(tps),
    latencyMeanMs: Number.isFinite(mean) ? latencyOf(num(tps), mean) : null,
    failed: num(failed) + num(skipped),
  };
}

/** What begins as an interval and is none was damaged. */
export const isKnownPgbenchLine = (text: string): boolean =>
  !text.startsWith('progress') && isPrintableLine(text);

/**
 * Transactions a second, their mean latency, and failed and skipped ones a second; times are
 * pgbench's own epoch. The first interval counts as long as was asked for: its beginning is not
 * printed.
 */
export function pgbenchParser(options: ParserOptions): DriverParser {
  let lastMs = Number(options.resume?.state ?? 0);
  return createLineParser(
    options.resume,
    (text) => {
      const found = parsePgbenchInterval(text);
      if (!found) return isKnownPgbenchLine(text) ? 'known' : 'bad';
      const tMs = Math.round(found.atS * 1_000);
      if (tMs <= lastMs) return 'bad';
      const seconds = (lastMs === 0 ? options.intervalMs : tMs - lastMs) / 1_000;
      lastMs = tMs;
      options.emit('throughput', tMs, found.tps);
      if (found.latencyMeanMs !== null) options.emit('latencyMeanMs', tMs, found.latencyMeanMs);
      options.emit('errorRate', tMs, Math.round((found.failed / seconds) * 1_000) / 1_000);
      return 'taken';
    },
    () => String(lastMs),
  );
}

/** The report at the end, of 9.5 to 17: without the time of the first connections. */
export function pgbenchFinal(stdout: string): FinalReport | null {
  const tps =
    /^tps = ([\d.]+) \((?:without initial connection time|excluding connections establishing|including reconnection times)\)/m.exec(
      stdout,
    );
  const mean = /^latency average = ([\d.]+) ms/m.exec(stdout);
  return tps
    ? {
        throughput: num(tps[1]),
        latencyMeanMs: mean ? num(mean[1]) : null,
        latencyP95Ms: null,
        text: stdout.slice(Math.max(0, stdout.search(/^transaction type:/m))).trim(),
      }
    : null;
}
