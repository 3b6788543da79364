import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { isPrintableLine } from '../workloads/lines.ts';
import type { LoggedWork } from '../workloads/windowSum.ts';
import { lineImport } from './lines.ts';
import { createRequestLog } from './requestLog.ts';
import { createSeries } from './series.ts';
import type { ImportFormat, ImportSink } from './types.ts';

/**
 * A transaction of `--log`: client, number, µs it took (or why it has none), script, its end in
 * seconds and µs since 1970, with a rate how late it began, and how often it was tried again.
 */
const transaction =
  /^\d{1,6} \d{1,12} (\d{1,12}|skipped|failed|serialization|deadlock) \d{1,4} (\d{10}) (\d{1,6})(?: \d{1,12}){0,2}$/;
/**
 * An interval of `--aggregate-interval`: its start in seconds since 1970, transactions, sum, sum of
 * squares, least and most of their µs; the same four of the lag; skipped; from 15 on retried, retries
 * and two counts of failures. So 6, 10, 11 or 15 numbers.
 */
const aggregate = /^(\d{10})((?: \d{1,24}){5}|(?: \d{1,24}){9,10}|(?: \d{1,24}){14})$/;

function workOf(line: string): LoggedWork | null {
  const found = transaction.exec(line);
  if (!found) return null;
  const [, took = '', seconds, us] = found;
  const endMs = Number(seconds) * 1_000 + Number(us) / 1_000;
  return /^\d/.test(took) ? { endMs, done: 1, tookMs: Number(took) / 1_000 } : { endMs, failed: 1 };
}

const perThread =
  'With several threads pgbench writes a file each, and this is one of them; with ' +
  '--sampling-rate only a part of the transactions stands in it. Neither can be told from ' +
  'the file.';

/** Logs of pgbench: each transaction (`--log`), or intervals (`--aggregate-interval`). */
export const pgbenchLog: ImportFormat = {
  matches(beginning) {
    const first = /^.{0,400}/.exec(beginning)?.[0].trimEnd() ?? '';
    return transaction.test(first) || aggregate.test(first);
  },
  open(sink, { fileName }) {
    let parser: 'transactions' | 'intervals' | null = null;
    const transactions = createRequestLog(sink, {
      source: 'pgbench',
      fileName,
      unit: 'tps',
      what: 'transaction',
      lateS: 10,
      repeatedLines: 1,
    });
    const intervals = createIntervals(sink, fileName);
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        if (line === '') return;
        parser ??= aggregate.test(line) ? 'intervals' : 'transactions';
        const whole = isWhole && isPrintableLine(line) ? line : '';
        if (parser === 'intervals') {
          intervals.take(whole, number);
          return;
        }
        const work = workOf(whole);
        if (work) transactions.add(work, line, number);
        else transactions.bad();
      },
      () => {
        if (parser === 'intervals') intervals.end();
        else if (transactions.count > 0) transactions.end();
        if (parser === null || (parser === 'transactions' && transactions.count === 0))
          throw fail(
            'invalidInput',
            `${fileName}: no whole line of pgbench's log.`,
            'Choose a file that pgbench --log wrote.',
          );
        sink.note(perThread);
      },
    );
  },
};

interface Interval {
  atS: number;
  done: number;
  sumUs: number;
  maxUs: number;
  failed: number;
}

function intervalOf(line: string): Interval | null {
  if (!aggregate.test(line)) return null;
  const [atS = 0, done = 0, sumUs = 0, squares = 0, minUs = 0, maxUs = 0, ...rest] = line
    .split(' ')
    .map(Number);
  // What it says of them must agree; squares are of doubles, cut to whole numbers.
  const isSum = sumUs >= minUs * done && sumUs <= maxUs * done;
  const most = squares * 1.000_001 + 1;
  if (!isSum || maxUs ** 2 > most || sumUs ** 2 > done * most) return null;
  const [, , , , skipped = 0, , , serialization = 0, deadlock = 0] = rest;
  return { atS, done, sumUs, maxUs, failed: skipped + serialization + deadlock };
}

/** More than eleven days of seconds are not one run. */
const mostIntervals = 1_000_000;

/**
 * Each interval is as long as the shortest step between two, and told at its end; pgbench does not
 * write the one it was ended in.
 */
function createIntervals(
  sink: ImportSink,
  fileName: string,
): { take(line: string, number: number): void; end(): void } {
  const found: Interval[] = [];
  let bad = 0;
  return {
    take(line, number) {
      const interval = intervalOf(line);
      const last = found.at(-1);
      if (!interval || interval.atS === last?.atS || found.length === mostIntervals) bad += 1;
      else if (last && interval.atS < last.atS)
        throw fail(
          'invalidInput',
          `${fileName}: line ${number} goes back in time. Two logs are two runs, not one curve.`,
          'Cut the file there, and import each part.',
        );
      else found.push(interval);
    },
    end() {
      const steps = found.slice(1).map(({ atS }, i) => atS - found[i]!.atS);
      const everyS = Math.min(...steps);
      if (!Number.isFinite(everyS))
        throw fail(
          'invalidInput',
          `${fileName}: fewer than two whole intervals of pgbench's log, of which no length can be told.`,
          'Choose a log of --aggregate-interval with two lines or more.',
        );
      const put = createSeries(sink, 'pgbench');
      const periodMs = everyS * 1_000;
      for (const { atS, done, sumUs, maxUs, failed } of found) {
        const tMs = (atS + everyS) * 1_000;
        put({ metric: 'throughput', unit: 'tps', periodMs }, tMs, done / everyS);
        put({ metric: 'errorRate', unit: 'errors/s', periodMs }, tMs, failed / everyS);
        if (done === 0) continue;
        put({ metric: 'latencyMeanMs', unit: 'ms', periodMs }, tMs, sumUs / done / 1_000);
        put({ metric: 'latencyMaxMs', unit: 'ms', periodMs }, tMs, maxUs / 1_000);
      }
      bad += steps.reduce((sum, step) => sum + Math.round(step / everyS) - 1, 0);
      if (bad > 0) sink.leaveOut(bad, 'line');
      sink.note(
        `${counted(found.length, 'interval')} of ${everyS} s of ${fileName}. pgbench cuts ` +
          'their starts to whole seconds.',
      );
    },
  };
}
