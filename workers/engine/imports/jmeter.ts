import { fail } from '../../../src/core/base/errors.ts';
import { isWholeHead, jmeterHead, jmeterRow } from '../workloads/jmeterFormat.ts';
import { isPrintableLine } from '../workloads/lines.ts';
import { lineImport } from './lines.ts';
import { createRequestLog, type RequestLog, type RequestLogOptions } from './requestLog.ts';
import type { ImportFormat, ImportSink } from './types.ts';

/** What both forms of JMeter's log have in common. */
export const ofJmeter = {
  source: 'JMeter',
  unit: 'samples/s',
  what: 'sample',
  // Servers of a remote test send theirs in batches, by default once a minute.
  lateS: 60,
  repeatedLines: 1,
} as const satisfies Partial<RequestLogOptions>;

/**
 * By what a sample that stands there twice is known: the next of its thread begins when it is over.
 * One of less than a millisecond, or without its thread, may look like another.
 */
export const jmeterKey = (
  text: string,
  elapsed: string | undefined,
  thread: string | undefined,
  number: number,
): string => (elapsed === '0' || !thread ? `${number}` : text);

export function endJmeter(sink: ImportSink, log: RequestLog, fileName: string): void {
  if (log.count === 0)
    throw fail(
      'invalidInput',
      `${fileName}: no whole sample of JMeter with its time in milliseconds.`,
      'Log with jmeter.save.saveservice.timestamp_format=ms, and choose that file.',
    );
  log.end();
  sink.note(
    'Each label stands for itself: JMeter logs a transaction and the samples it is made of ' +
      'side by side, and a sum would count work twice. Of samples that failed there is no ' +
      'time, only the count.',
  );
}

/** A message of a server in a cell may have so many lines, and be so long. */
const longestRow = 64 * 1024;

/** JMeter's log as CSV, its columns by the names of its head. Published form, and 5.6.3 itself. */
export const jmeter: ImportFormat = {
  matches: (beginning) => {
    const first = /^\ufeff?(timeStamp,.{0,2000})/.exec(beginning)?.[1];
    return first !== undefined && isWholeHead(jmeterHead(first.trimEnd()));
  },
  open(sink, { fileName }) {
    const log = createRequestLog(sink, { ...ofJmeter, fileName });
    let head: string[] | null = null;
    let row = '';
    const takeRow = (text: string, number: number): void => {
      const sample = head && isPrintableLine(text) ? jmeterRow(head, text) : null;
      if (sample)
        log.add(
          sample.work,
          jmeterKey(text, sample.elapsed, sample.thread, number),
          number,
          sample.label,
        );
      else log.bad();
    };
    const isOpen = (text: string): boolean => (text.split('"').length - 1) % 2 === 1;
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        if (head === null) {
          head = jmeterHead(line.replace(/^\ufeff/, ''));
          return;
        }
        if (line.startsWith('timeStamp,')) return;
        // A row that never ended its quotes costs itself: what follows begins with a time.
        if (row !== '' && /^\d{13},\d/.test(line)) {
          log.bad();
          row = '';
        }
        if (row === '' && line === '') return;
        row = row === '' ? line : `${row}\n${line}`;
        if (row.length > longestRow || !isWhole) {
          log.bad();
          row = '';
        } else if (!isOpen(row)) {
          takeRow(row, number);
          row = '';
        }
      },
      () => {
        if (row !== '') log.bad();
        endJmeter(sink, log, fileName);
      },
    );
  },
};
