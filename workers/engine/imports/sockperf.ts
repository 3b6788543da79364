import { fail } from '../../../src/core/base/errors.ts';
import { isPrintableLine } from '../workloads/lines.ts';
import { lineImport } from './lines.ts';
import { createRequestLog, type RequestLog } from './requestLog.ts';
import { putReport } from './series.ts';
import type { ImportFormat } from './types.ts';

const longestReport = 500;
const head = /^packet, txTime\(sec\), rxTime\(sec\), (latency|rtt)\(usec\)$/;
/** Number of the packet, when it went and when its answer came on the client's clock, µs. */
const observation = /^(\d{1,12}), (\d{1,12}\.\d{9}), (\d{1,12}\.\d{9}), (-?\d{1,12}\.\d{3})$/;
/** Colours of a terminal. */
const colours = /\u001b\[[\d;]{0,10}m/g;

/** Under load only some messages are answered, and only of those anything is told. */
const unitOf = (report: string): string =>
  /\[Valid Duration\].{0,40} SentMessages=(\d{1,15}); ReceivedMessages=\1$/m.test(report)
    ? 'messages/s'
    : 'answers/s';

/** The report of sockperf, or its log of single answers (`--full-log`). */
export const sockperf: ImportFormat = {
  matches: (beginning) =>
    /^sockperf: .{0,16}(?:== version #|\[Valid Duration\]|Summary: )/m.test(beginning),
  open(sink, { fileName, startMs }) {
    const report: string[] = [];
    let kind: string | null = null;
    let log: RequestLog | null = null;
    let firstMs: number | null = null;
    const takeObservation = (line: string, number: number, isWhole: boolean): void => {
      const found = isWhole ? observation.exec(line) : null;
      if (!log || (!found && /^-{5,}$/.test(line))) return;
      const [, , sent, came, us] = (found ?? []).map(Number);
      const tookMs = (us ?? NaN) / 1_000;
      const roundMs = ((came ?? NaN) - (sent ?? NaN)) * 1_000;
      // What it says twice must agree: half a round trip, or a whole one.
      if (!(Math.abs(roundMs / (kind === 'rtt' ? 1 : 2) - tookMs) < 0.002) || tookMs < 0) {
        log.bad();
        return;
      }
      firstMs ??= (sent ?? 0) * 1_000;
      log.add({ endMs: startMs + (came ?? 0) * 1_000 - firstMs, done: 1, tookMs }, line, number);
    };
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        if (log) {
          takeObservation(line, number, isWhole);
          return;
        }
        kind = head.exec(line)?.[1] ?? null;
        if (kind === null) {
          if (isWhole && report.length < longestReport) report.push(line.replace(colours, ''));
          return;
        }
        log = createRequestLog(sink, {
          source: 'sockperf',
          fileName,
          unit: unitOf(report.join('\n')),
          tellsErrors: false,
          what: 'answer',
          lateS: 10,
          repeatedLines: 1,
        });
      },
      () => {
        if (log && log.count > 0) {
          log.end();
          sink.note(
            'Times are ' +
              `${kind === 'rtt' ? 'whole round trips' : 'half of each round trip'}. The log ` +
              'has no date: its first message was put where the import began.',
          );
        } else takeReport(sink, { source: 'sockperf', fileName, startMs }, report.join('\n'));
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
  const one = (pattern: RegExp): number | null => {
    const text = pattern.exec(report)?.[1];
    return text === undefined ? null : Number(text);
  };
  const ms = (us: number | null): number | null => (us === null ? null : us / 1_000);
  const valid =
    /^sockperf: \[Valid Duration\] RunTime=([\d.]{1,20}) sec; SentMessages=\d{1,15}; ReceivedMessages=(\d{1,15})$/m.exec(
      report,
    );
  const reports = report.match(/^sockperf: Summary: (?:Latency|Round trip|Message Rate) /gm) ?? [];
  const seconds =
    (valid ? Number(valid[1]) : null) ??
    one(/^sockperf: Total of \d{1,15} messages sent in ([\d.]{1,20}) sec$/m);
  const answers = valid ? Number(valid[2]) : null;
  const rate = one(/^sockperf: Summary: Message Rate is (\d{1,15}) \[msg\/sec\]$/m);
  const mean = one(/^sockperf: Summary: (?:Latency|Round trip) is (\d[\d.]{0,20}) usec$/m);
  if (
    !isPrintableLine(report.replaceAll('\n', ' ')) ||
    reports.length !== 1 ||
    !seconds ||
    (rate ?? mean) === null
  )
    throw fail(
      'invalidInput',
      reports.length > 1
        ? `${of.fileName} holds ${reports.length} reports of sockperf. Each is a run of its own.`
        : `${of.fileName}: no whole report of sockperf, and no answer of its log.`,
      'Choose what one run of sockperf printed, or what it wrote with --full-log.',
    );
  const percentile99 = one(/^sockperf: ---> percentile 99\.000 = {1,12}([\d.]{1,20})$/m);
  putReport(sink, of, seconds, {
    unit: rate === null ? unitOf(report) : 'messages/s',
    throughput: rate ?? (answers === null ? null : answers / seconds),
    latencyMeanMs: ms(mean),
    latencyP99Ms: ms(percentile99),
    latencyMaxMs: ms(one(/^sockperf: ---> <MAX> observation = {1,12}([\d.]{1,20})$/m)),
  });
  if (mean !== null)
    sink.note(
      `Times are ${/^sockperf: Summary: Round trip/m.test(report) ? 'whole round trips' : 'half of each round trip'}.`,
    );
}
