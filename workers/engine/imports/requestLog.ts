import { printableLine } from '../../../src/core/base/bounds.ts';
import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { createWindowSum, type LoggedWork, type WindowSum } from '../workloads/windowSum.ts';
import { createSeries } from './series.ts';
import type { ImportSink } from './types.ts';

/** Windows of a second. */
const intervalMs = 1_000;
/** More loads than this are summed in one: a log may name each request otherwise. */
const mostNames = 32;
const furtherNames = 'all further names';
const longestName = 200;
const longestPauseMs = 3_600_000;

export interface RequestLogOptions {
  source: string;
  fileName: string;
  /** Of the throughput. */
  unit: string;
  /** What a line tells of, for the note: `sample`, `request`. */
  what: string;
  /** False where what failed or was lost is not in the log; default: true. */
  tellsErrors?: boolean;
  /** How many seconds later than the latest line one may come. */
  lateS: number;
  /**
   * How many lines in a row must have stood there before to be the same part again: 1 where no two
   * lines are alike, more where two may be by chance.
   */
  repeatedLines: number;
}

export interface RequestLog {
  /** A request of the load of this name; `line` is what the file says, for what stands there twice. */
  add(work: LoggedWork, line: string, number: number, name?: string): void;
  /** Counts a damaged line. */
  bad(): void;
  /** Requests added so far. */
  readonly count: number;
  /** Tells what is open, what was left out and what a reader must know. */
  end(): void;
}

interface Request {
  work: LoggedWork;
  name: string;
  number: number;
}

/**
 * Adds the single requests of a log up in seconds that begin with its first one, each named load
 * for itself. A part that stands there twice is counted and left out, as is what comes too late; a
 * pause of more than an hour is where another run begins, which is refused.
 */
export function createRequestLog(sink: ImportSink, options: RequestLogOptions): RequestLog {
  const { source, fileName, unit, what, tellsErrors = true, lateS, repeatedLines } = options;
  const put = createSeries(sink, source);
  const sums = new Map<string, WindowSum>();
  const seen = createSeen(lateS);
  /** Lines that may be the beginning of a part that stands there twice. */
  let held: Request[] = [];
  let run = 0;
  let originMs: number | null = null;
  let latestMs: number | null = null;
  let count = 0;
  let left = 0;
  let told = false;

  /** A sum whose first second is that of `endMs`, on the grid that all loads of the file share. */
  const openSum = (name: string, endMs: number, fromMs: number): WindowSum => {
    const sum = createWindowSum({
      intervalMs,
      openAfter: lateS,
      place: { originMs: fromMs, next: Math.max(0, Math.floor((endMs - fromMs) / intervalMs)) },
      emit(metric, tMs, value) {
        if (metric === 'errorRate' && !tellsErrors) return;
        const unitOf = metric === 'throughput' ? unit : metric === 'errorRate' ? 'errors/s' : 'ms';
        told = true;
        put({ metric, unit: unitOf, periodMs: intervalMs, name }, tMs, value);
      },
    });
    sums.set(name, sum);
    return sum;
  };
  const addUp = ({ work, name, number }: Request): void => {
    originMs ??= Math.floor(work.endMs - (work.tookMs ?? 0));
    if (latestMs !== null && work.endMs - latestMs > longestPauseMs)
      throw fail(
        'invalidInput',
        `${fileName}: line ${number} lies more than an hour after those before it. Two ` +
          'logs are two runs, not one curve.',
        'Cut the file there, and import each part.',
      );
    const to = sums.has(name) || sums.size < mostNames ? name : furtherNames;
    let came = (sums.get(to) ?? openSum(to, work.endMs, originMs)).add(work);
    if (came === 'ahead') {
      // This load alone was silent so long: rates of 0 until the second in which it goes on.
      sums.get(to)?.end(work.endMs - ((work.endMs - originMs) % intervalMs));
      came = openSum(to, work.endMs, originMs).add(work);
    }
    if (came !== 'added') {
      left += 1;
      return;
    }
    count += 1;
    latestMs = Math.max(latestMs ?? work.endMs, work.endMs);
  };
  return {
    add(work, line, number, name = source) {
      const shown = printableLine(name).slice(0, longestName).trim() || '(no name)';
      const one = { work, number, name: shown };
      if (!seen(line, work.endMs)) {
        held.forEach(addUp);
        held = [];
        run = 0;
        addUp(one);
        return;
      }
      run += 1;
      if (run < repeatedLines) held.push(one);
      else {
        left += held.length + 1;
        held = [];
      }
    },
    bad: () => void (left += 1),
    get count() {
      return count;
    },
    end() {
      held.forEach(addUp);
      // All to the same end: a load that came to rest before has rates of 0 until then.
      for (const sum of sums.values()) sum.end(latestMs ?? undefined);
      if (!told)
        throw fail(
          'invalidInput',
          `${fileName}: its ${counted(count, what)} lie within less than half a second, which is too short for a rate.`,
          'Choose a log of a longer run.',
        );
      if (left > 0) sink.leaveOut(left, 'line');
      sink.note(
        `${counted(count, what)} of ${fileName}, added up in seconds; percentiles are within half a percent.`,
      );
      if (sums.has(furtherNames))
        sink.note(
          `${fileName} names more than ${mostNames} loads: those after the first ` +
            `${mostNames} are summed as "${furtherNames}".`,
        );
    },
  };
}

/** Whether a line stood there before, of those whose seconds are open still. */
function createSeen(lateS: number): (line: string, endMs: number) => boolean {
  const seconds = new Map<number, Set<string>>();
  let latest = -Infinity;
  return (line, endMs) => {
    const second = Math.floor(endMs / 1_000);
    const lines = seconds.get(second) ?? new Set();
    if (lines.has(line)) return true;
    lines.add(line);
    seconds.set(second, lines);
    if (second > latest) {
      latest = second;
      for (const one of seconds.keys()) if (one < latest - lateS - 1) seconds.delete(one);
    }
    return false;
  };
}
