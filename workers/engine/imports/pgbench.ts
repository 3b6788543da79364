import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import {
  isKnownPgbenchLine,
  parsePgbenchInterval,
  pgbenchFinal,
} from '../workloads/pgbenchFormat.ts';
import { createRepeats, createSteps } from './dropped.ts';
import { lineImport } from './lines.ts';
import { createSeries, putReport } from './series.ts';
import type { ImportFormat } from './types.ts';

/**
 * A line of the report up to its `tps`, whole. With scripts of a user's own more follows, which is
 * not read.
 */
const reportLine =
  /^(?:(?:transaction type|query mode|partition method): .{1,300}|(?:scaling factor|maximum number of tries|partitions|total number of retries): \d+|number of [a-z ]{1,40}(?:[\d.]{1,12} ms latency limit)?: \d+(?:\/\d+)?(?: \(-?(?:nan|[\d.]{1,12})%\))?|duration: \d+ s|(?:latency average|latency stddev|initial connection time) = (?:-?nan|[\d.]{1,20}) ms|latency average: [\d.]{1,20} ms|rate limit schedule lag: .{1,100} ms|average connection time = [\d.]{1,20} ms|tps = .{1,100}\))?\s*$/;
/** Seconds since 1970 and not since the start, with `--progress-timestamp`. */
const isEpoch = (atS: number): boolean => atS > 1e9;

/** What pgbench prints: the lines of `--progress`; of an output without them, its report. */
export const pgbench: ImportFormat = {
  matches: (beginning) =>
    /^progress: \d+\.\d+ s, \d+\.\d tps, lat /m.test(beginning) ||
    (/^transaction type: /m.test(beginning) && /^tps = /m.test(beginning)),
  open(sink, { fileName, startMs }) {
    const put = createSeries(sink, 'pgbench');
    const report: string[] = [];
    const repeats = createRepeats();
    const missing = createSteps();
    let lines = 0;
    let bad = 0;
    let lastS = 0;
    let dated = false;
    let tests = 0;
    const second = (number: number): never => {
      throw fail(
        'invalidInput',
        `${fileName}: line ${number} begins a second output of pgbench. Two outputs are two runs, not one curve.`,
        'Cut the file there, and import each part.',
      );
    };
    const takeInterval = (line: string, number: number): void => {
      const found = parsePgbenchInterval(line);
      if (!found || repeats(found.atS, line)) {
        bad += 1;
        return;
      }
      const { atS, tps, latencyMeanMs, failed } = found;
      if (lines > 0 && atS <= lastS) second(number);
      dated = isEpoch(atS);
      // The beginning of the first is printed only where times count from it.
      const stepS = lines > 0 ? atS - lastS : dated ? null : atS;
      // A line that is late is followed by one that is early: `-P` is a whole number of seconds.
      if (lines > 0) bad += missing(Math.max(1, Math.round(atS - lastS)));
      lines += 1;
      lastS = atS;
      const tMs = (dated ? 0 : startMs) + Math.round(atS * 1_000);
      const periodMs = Math.max(1, Math.round(stepS ?? 1)) * 1_000;
      put({ metric: 'throughput', unit: 'tps', periodMs }, tMs, tps);
      put({ metric: 'latencyMeanMs', unit: 'ms', periodMs }, tMs, latencyMeanMs);
      const errors = failed === 0 ? 0 : stepS === null ? null : failed / stepS;
      put({ metric: 'errorRate', unit: 'errors/s', periodMs }, tMs, errors);
    };
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        if (line.startsWith('progress')) {
          if (tests > 0) second(number);
          if (isWhole) takeInterval(line, number);
          else bad += 1;
          return;
        }
        if (!isKnownPgbenchLine(line)) bad += 1;
        if (line.startsWith('transaction type: ') && ++tests > 1) second(number);
        // Before 14 there are two lines of it.
        const isReport =
          tests > 0 && (line.startsWith('tps = ') || !report.at(-1)?.startsWith('tps = '));
        if (isReport && !(isWhole && reportLine.test(line))) bad += 1;
        if (isReport) report.push(line);
      },
      () => {
        if (lines > 0) {
          sink.note(
            `${counted(lines, 'progress line')} of ${fileName}; latencies are means, pgbench prints no percentile.` +
              (dated
                ? ''
                : ' The lines have no date: their time 0 was put where the import began.'),
          );
        } else takeReport(sink, { source: 'pgbench', fileName, startMs }, report.join('\n'));
        if (bad > 0) sink.leaveOut(bad, 'line');
      },
    );
  },
};

/** Throws invalidInput where there is no whole report. */
function takeReport(
  sink: Parameters<typeof putReport>[0],
  of: Parameters<typeof putReport>[1],
  report: string,
): void {
  const found = pgbenchFinal(report);
  if (!found)
    throw fail(
      'invalidInput',
      `${of.fileName}: no progress line of pgbench, and no whole report at its end.`,
      'Run pgbench with -P 1, and choose its output.',
    );
  const numberOf = (pattern: RegExp): number | null => {
    const text = pattern.exec(report)?.[1];
    return text === undefined ? null : Number(text);
  };
  const done = numberOf(/^number of transactions actually processed: (\d+)/m);
  const seconds =
    numberOf(/^duration: (\d+) s$/m) ??
    (done !== null && found.throughput !== null && found.throughput > 0
      ? done / found.throughput
      : null);
  const failed = numberOf(/^number of failed transactions: (\d+) /m) ?? 0;
  const skipped = numberOf(/^number of transactions skipped: (\d+) /m) ?? 0;
  putReport(sink, of, seconds, {
    unit: 'tps',
    throughput: found.throughput,
    errorsPerS: seconds === null ? null : (failed + skipped) / seconds,
    latencyMeanMs: found.latencyMeanMs,
  });
}
