import { fail } from '../../../src/core/base/errors.ts';
import { readWrkReport } from '../workloads/webReports.ts';
import { lineImport } from './lines.ts';
import type { ImportFormat } from './types.ts';
import { putWebReport } from './webReport.ts';

/** The detailed spectrum of wrk2 is some thousand lines; what a script of the user prints is not read. */
const longestReport = 20_000;
const total = /^ {0,8}\d{1,15} requests in [\d.]{1,12}(?:us|ms|s|m|h), [\d.]{1,16}[KMGT]?B read$/;
/** What may stand between the total and the last line, each whole. */
const behindTotal =
  /^(?: {1,8}Socket errors: connect \d+, read \d+, write \d+, timeout \d+| {1,8}Non-2xx or 3xx responses: \d+|Requests\/sec: {1,12}[\d.]{1,16})$/;
const lastLine = /^Transfer\/sec: {1,12}[\d.]{1,16}[KMGT]?B$/;

/** The report of wrk, and of wrk2, which holds a rate and counts latency from the intended time. */
export const wrk: ImportFormat = {
  matches: (beginning) =>
    /^ {0,8}\d{1,15} requests in [\d.]{1,12}(?:us|ms|s|m|h), /m.test(beginning),
  open(sink, { fileName, startMs }) {
    const report: string[] = [];
    let reports = 0;
    let holdsRate = false;
    let isWhole = false;
    let isDamaged = false;
    return lineImport(
      fileName,
      (line) => {
        if (line.startsWith('  Thread calibration:') || line.includes('HdrHistogram'))
          holdsRate = true;
        if (total.test(line)) reports += 1;
        else if (lastLine.test(line)) isWhole = reports > 0;
        // Errors that a damaged line no longer tells would look like none.
        else if (reports > 0 && !isWhole && !behindTotal.test(line)) isDamaged = true;
        if (!isWhole && report.length < longestReport) report.push(line);
      },
      () => {
        const found = isWhole && !isDamaged ? readWrkReport(report.join('\n')) : null;
        if (!found || reports > 1)
          throw fail(
            'invalidInput',
            reports > 1
              ? `${fileName} holds ${reports} reports of wrk. Each is a run of its own.`
              : `${fileName}: no whole report of wrk.`,
            'Choose what one run of wrk printed.',
          );
        const source = holdsRate ? 'wrk2' : 'wrk';
        putWebReport(sink, { source, fileName, startMs }, found);
        if (holdsRate)
          sink.note(
            'The report of wrk2 was read by its published form; not yet read from the program itself.',
          );
        else
          sink.note(
            'wrk counts latency from when a request was sent: while the server stands ' +
              'still it sends none, and its wait is in no figure.',
          );
      },
    );
  },
};
