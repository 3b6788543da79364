import { fail } from '../../../src/core/base/errors.ts';
import {
  isKnownSysbenchLine,
  parseSysbenchInterval,
  sysbenchFinal,
} from '../workloads/sysbenchFormat.ts';
import { createRepeats, createSteps } from './dropped.ts';
import { lineImport } from './lines.ts';
import { createSeries } from './series.ts';
import type { ImportFormat } from './types.ts';

type Metric = 'throughput' | 'latencyMeanMs' | 'latencyP95Ms' | 'latencyP99Ms' | 'errorRate';
/** The report at the end is some forty lines. */
const longestReport = 200;

/**
 * Logs of sysbench: interval lines of 0.5 and 1.x (`--report-interval`); of a log without them, as
 * 0.4 always writes, the means of its report.
 */
export const sysbench: ImportFormat = {
  matches: (beginning) =>
    /^sysbench [v\d]/m.test(beginning) ||
    /^(?:OLTP test statistics|Test execution summary):/m.test(beginning) ||
    beginning.split(/\r?\n/).some((line) => parseSysbenchInterval(line) !== null),
  open(sink, { fileName, startMs }) {
    let lines = 0;
    let bad = 0;
    let lastS = 0;
    let heads = 0;
    const missing = createSteps();
    const repeats = createRepeats();
    let everyS = 1;
    const report: string[] = [];
    const putSeries = createSeries(sink, 'sysbench');
    const put: Put = (metric, unit, tMs, value) =>
      putSeries({ metric, unit, periodMs: everyS * 1_000, decimals: 2 }, tMs, value);
    const second = (number: number): never => {
      throw fail(
        'invalidInput',
        `${fileName}: line ${number} begins a second log of sysbench. Two logs are two runs, not one curve.`,
        'Cut the file there, and import each part.',
      );
    };
    return lineImport(
      fileName,
      (line, number) => {
        if (/^sysbench [v\d]/.test(line) && ++heads > 1) second(number);
        const found = parseSysbenchInterval(line);
        if (!found) {
          if (!isKnownSysbenchLine(line)) bad += 1;
          else if (report.length < longestReport) report.push(line);
          else {
            report.shift();
            report.push(line);
          }
          return;
        }
        if (repeats(found.atS, line)) {
          bad += 1;
          return;
        }
        if (lines > 0 && found.atS < lastS) second(number);
        // A client that stalled, as at sysbenchParser.
        if (lines > 0 && found.atS === lastS) {
          bad += 1;
          return;
        }
        if (lines > 0) bad += missing(found.atS - lastS);
        lines += 1;
        everyS = Math.max(1, found.atS - lastS);
        lastS = found.atS;
        const tMs = startMs + found.atS * 1_000;
        put('throughput', found.unit, tMs, found.rate);
        if (found.percentile === 95 || found.percentile === 99)
          put(
            found.percentile === 95 ? 'latencyP95Ms' : 'latencyP99Ms',
            'ms',
            tMs,
            found.latencyMs,
          );
        put('errorRate', '1/s', tMs, found.errorsPerS);
      },
      () => {
        if (lines === 0) {
          const means = meansOf(report.join('\n'), fileName);
          everyS = Math.max(1, Math.round(means.seconds));
          putMeans(means, put, startMs);
          sink.note(
            `${fileName} has no interval lines: one figure each, the mean of its ` +
              `${means.seconds} s. The log has no date: its time 0 was put where the import began.`,
          );
        } else
          sink.note(
            `${lines} interval lines of ${fileName}. The log has no date: its time 0 was put where the import began.`,
          );
        if (bad > 0) sink.leaveOut(bad, 'line');
      },
    );
  },
};

type Put = (metric: Metric, unit: string, tMs: number, value: number | null) => void;

interface Means {
  seconds: number;
  unit: string;
  throughput: number;
  latencyMeanMs: number | null;
  latencyP95Ms: number | null;
}

/** What the report at the end says of the whole run. Throws invalidInput where there is none. */
function meansOf(report: string, fileName: string): Means {
  const found = sysbenchFinal(report);
  const seconds = Number(/total time:\s+([\d.]+)s/.exec(report)?.[1] ?? NaN);
  if (!found || found.throughput === null || !Number.isFinite(seconds))
    throw fail(
      'invalidInput',
      `${fileName}: no interval line of sysbench, and no report at its end.`,
      'Run sysbench with --report-interval=1, and choose its output.',
    );
  const { throughput, latencyMeanMs, latencyP95Ms } = found;
  const unit = /transactions:/.test(report) ? 'tps' : 'events/s';
  return { seconds, unit, throughput, latencyMeanMs, latencyP95Ms };
}

function putMeans(means: Means, put: Put, startMs: number): void {
  const tMs = startMs + Math.round(means.seconds * 1_000);
  put('throughput', means.unit, tMs, means.throughput);
  put('latencyMeanMs', 'ms', tMs, means.latencyMeanMs);
  put('latencyP95Ms', 'ms', tMs, means.latencyP95Ms);
}
