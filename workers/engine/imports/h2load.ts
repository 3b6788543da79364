import { fail } from '../../../src/core/base/errors.ts';
import { isPrintableLine } from '../workloads/lines.ts';
import { readH2loadReport } from '../workloads/webReports.ts';
import type { LoggedWork } from '../workloads/windowSum.ts';
import { lineImport } from './lines.ts';
import { createRequestLog } from './requestLog.ts';
import type { ImportFormat } from './types.ts';
import { putWebReport } from './webReport.ts';

/** Of `--log-file`: start in µs since 1970, status or −1, µs until the whole answer. */
const request = /^(\d{16})\t(-1|\d{3})\t(\d{1,12})$/;
const longestReport = 500;

function workOf(line: string): LoggedWork | null {
  const found = request.exec(line);
  if (!found) return null;
  const [startUs, status, tookUs] = found.slice(1).map(Number) as [number, number, number];
  const endMs = (startUs + tookUs) / 1_000;
  const tookMs = tookUs / 1_000;
  return status < 0 || status > 399 ? { endMs, failed: 1, tookMs } : { endMs, done: 1, tookMs };
}

/** The report of h2load, or its log of requests. */
export const h2load: ImportFormat = {
  matches: (beginning) =>
    request.test(/^.{0,60}/.exec(beginning)?.[0].trimEnd() ?? '') ||
    /^finished in [\d.]{1,12}(?:us|ms|s|m|h), [\d.]{1,16} req\/s/m.test(beginning),
  open(sink, { fileName, startMs }) {
    const log = createRequestLog(sink, {
      source: 'h2load',
      fileName,
      unit: 'requests/s',
      what: 'request',
      lateS: 10,
      // At a high rate two requests may begin in one microsecond and take as long.
      repeatedLines: 3,
    });
    const report: string[] = [];
    let reports = 0;
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        const work = isWhole ? workOf(line) : null;
        if (work) log.add(work, line, number);
        else if (log.count > 0 || !isPrintableLine(line)) log.bad();
        else if (report.length < longestReport) report.push(line);
        if (line.startsWith('finished in ')) reports += 1;
      },
      () => {
        if (log.count > 0) {
          log.end();
          sink.note(
            'h2load logs the times of requests from when they were sent, not from when they were due.',
          );
          return;
        }
        const found = readH2loadReport(report.join('\n'));
        if (!found || reports > 1)
          throw fail(
            'invalidInput',
            reports > 1
              ? `${fileName} holds ${reports} reports of h2load. Each is a run of its own.`
              : `${fileName}: no whole report of h2load, and no line of its log.`,
            'Choose what one run of h2load printed, or what it wrote with --log-file.',
          );
        putWebReport(sink, { source: 'h2load', fileName, startMs }, found);
      },
    );
  },
};
