import * as z from 'zod';

import { fail } from '../../../src/core/base/errors.ts';
import { csvCells } from '../workloads/jmeterFormat.ts';
import { k6Work, readPoints } from '../workloads/k6.ts';
import { isPrintableLine } from '../workloads/lines.ts';
import type { LoggedWork } from '../workloads/windowSum.ts';
import { lineImport } from './lines.ts';
import { createRequestLog } from './requestLog.ts';
import { putReport } from './series.ts';
import type { ImportFormat } from './types.ts';

const longestSummary = 4 * 1024 ** 2;
const isPoints =
  /^\{"(?:metric|type|data)":.{0,200}?"type":"(?:Metric|Point)"|^\{"type":"(?:Metric|Point)",/m;
const csvHead = /^metric_name,timestamp,metric_value(?:,[a-z_]{1,40}){0,60}\r?$/;
const unread = "k6's output was read by its published form; not yet read from the program itself.";

/** A time of the CSV in any of its forms but the ISO ones, by its digits. */
const ofSecond = new Map([
  [10, 1_000],
  [13, 1],
  [16, 1e-3],
  [19, 1e-6],
]);
function timeMs(text: string): number {
  const factor = /^\d+$/.test(text) ? ofSecond.get(text.length) : undefined;
  return factor === undefined ? Date.parse(text) : Number(text) * factor;
}

/** Rows of k6's CSV, of which the first three columns are read. */
function csvRow(line: string, columns: number): LoggedWork | 'known' | 'bad' {
  const cells = csvCells(line);
  const [metric = '', time = '', value = ''] = cells;
  const endMs = timeMs(time);
  if (cells.length !== columns || !/^\d{1,12}(?:\.\d{1,20})?$/.test(value)) return 'bad';
  return Number.isFinite(endMs) ? k6Work(metric, Number(value), endMs) : 'bad';
}

/** Points as JSON lines (`--out json`) or CSV (`--out csv`), or the summary of a run as JSON. */
export const k6: ImportFormat = {
  matches: (beginning) =>
    isPoints.test(beginning) ||
    csvHead.test(/^\ufeff?(.{0,2500})/.exec(beginning)?.[1] ?? '') ||
    (/^\s{0,100}\{/.test(beginning) &&
      /"iteration_duration"\s{0,8}:\s{0,8}\{/.test(beginning) &&
      /"metrics"\s{0,8}:\s{0,8}\{/.test(beginning)),
  open(sink, { fileName, startMs }) {
    const log = createRequestLog(sink, {
      source: 'k6',
      fileName,
      unit: 'iterations/s',
      what: 'point',
      lateS: 10,
      repeatedLines: 1,
    });
    const points = readPoints();
    let columns = 0;
    let iterations = 0;
    let form: 'points' | 'csv' | 'summary' | null = null;
    let summary = '';
    const readLine = (line: string): LoggedWork | 'known' | 'bad' => {
      if (!isPrintableLine(line)) return 'bad';
      return form === 'csv' ? csvRow(line, columns) : points.read(line);
    };
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        if (form === null) {
          const first = line.replace(/^\ufeff/, '');
          form = csvHead.test(first) ? 'csv' : isPoints.test(first) ? 'points' : 'summary';
          if (form === 'csv') {
            columns = first.split(',').length;
            return;
          }
        }
        if (form === 'summary') {
          if (summary.length + line.length < longestSummary) summary += `${line}\n`;
          return;
        }
        if (line === '') return;
        const work = isWhole ? readLine(line) : 'bad';
        if (work === 'bad') log.bad();
        else if (work !== 'known') {
          // Times of the CSV are whole seconds: two points may look alike.
          log.add(work, form === 'csv' ? `${number}` : line, number);
          iterations += work.done ?? 0;
        }
      },
      () => {
        if (form === 'summary') takeSummary(sink, { source: 'k6', fileName, startMs }, summary);
        else if (log.count === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no whole point of k6 of iterations or HTTP requests.`,
            'Choose what k6 run --out json or --out csv wrote.',
          );
        else {
          log.end();
          sink.note(
            'k6 counts a time from when a request was sent, not from when it was due; ' +
              'iterations that were dropped count as errors.',
          );
          if (form === 'csv')
            sink.note(
              'Times of the CSV are whole seconds: a line that stands there twice cannot be told from two points.',
            );
          if (iterations === 0)
            sink.note(`No iteration that ended stands in ${fileName}: its rate is 0.`);
        }
        sink.note(unread);
      },
    );
  },
};

const figure = z.number().min(0).max(1e15);
const values = z
  .object({
    count: figure,
    rate: figure,
    avg: figure,
    max: figure,
    'p(95)': figure,
    'p(99)': figure,
    passes: figure,
  })
  .partial();
/** `handleSummary` puts the values of a metric one deeper than `--summary-export`. */
const summaryMetric = z.union([z.object({ values }).transform((one) => one.values), values]);
const wholeSummary = z.object({
  metrics: z.object({
    iterations: summaryMetric.optional(),
    http_req_duration: summaryMetric.optional(),
    http_req_failed: summaryMetric.optional(),
    dropped_iterations: summaryMetric.optional(),
  }),
  state: z.object({ testRunDurationMs: figure }).optional(),
});

/** Throws invalidInput where it is no whole summary. */
function takeSummary(
  sink: Parameters<typeof putReport>[0],
  of: Parameters<typeof putReport>[1],
  text: string,
): void {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Said below.
  }
  const { data: found } = wholeSummary.safeParse(parsed);
  const { iterations, http_req_duration: times, http_req_failed: failed } = found?.metrics ?? {};
  if (!found || (iterations?.rate === undefined && times?.avg === undefined))
    throw fail(
      'invalidInput',
      `${of.fileName}: no whole summary of k6 with its iterations or HTTP requests.`,
      'Choose what k6 wrote with --summary-export or handleSummary, or better all points: --out json.',
    );
  const ran = found.state?.testRunDurationMs;
  const { count, rate } = iterations ?? {};
  const seconds =
    ran !== undefined ? ran / 1_000 : count !== undefined && rate ? count / rate : null;
  const lost = found.metrics.dropped_iterations?.count ?? 0;
  putReport(sink, of, seconds, {
    unit: 'iterations/s',
    throughput: rate ?? null,
    errorsPerS: seconds ? ((failed?.passes ?? 0) + lost) / seconds : null,
    latencyMeanMs: times?.avg ?? null,
    latencyP95Ms: times?.['p(95)'] ?? null,
    latencyP99Ms: times?.['p(99)'] ?? null,
    latencyMaxMs: times?.max ?? null,
  });
}
