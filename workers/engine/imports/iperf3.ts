import * as z from 'zod';

import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { lineImport } from './lines.ts';
import { createSeries } from './series.ts';
import type { ImportFormat, ImportSink } from './types.ts';

/** A day of seconds of eight streams is 200 MB; nobody keeps that in one document. */
const largestDocument = 64 * 1024 ** 2;

const figure = z.number().min(0).max(1e15);
/** All streams of one direction, of an interval or of the whole test. */
const sum = z.object({
  start: figure,
  end: figure,
  bits_per_second: figure,
  retransmits: figure.optional(),
  jitter_ms: figure.optional(),
  lost_percent: z.number().min(0).max(100).optional(),
  omitted: z.boolean().default(false),
  sender: z.boolean().optional(),
});
type Sum = z.infer<typeof sum>;
/** Both directions at once have two. */
const interval = z.object({ sum, sum_bidir_reverse: sum.optional() });
const start = z.object({
  version: z.string().max(200),
  timestamp: z.object({ timesecs: figure, timemillisecs: figure.optional() }).optional(),
  test_start: z.object({ protocol: z.string(), reverse: z.number().default(0) }).optional(),
});
type Start = z.infer<typeof start>;
const end = z.object({
  sum: sum.optional(),
  sum_sent: sum.optional(),
  sum_received: sum.optional(),
  sum_sent_bidir_reverse: sum.optional(),
  sum_received_bidir_reverse: sum.optional(),
});
const whole = z.object({
  start,
  intervals: z.array(z.unknown()).max(1_000_000),
  end: z.unknown(),
  error: z.string().optional(),
});
const event = z.object({ event: z.string().max(40), data: z.unknown() });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Below this part of an interval a rate is noise, as at iperf3Parser. */
const shortest = 0.4;
const unread =
  'Lines of --json-stream were read by their published form; not yet read from the program itself.';

/** What iperf3 prints with `-J`, or with `--json-stream`, which is an event a line. */
export const iperf3: ImportFormat = {
  matches: (beginning) =>
    /"version"\s{0,8}:\s{0,8}"iperf 3/.test(beginning) ||
    /^\{"event":"(?:start|interval|end)",/m.test(beginning),
  open(sink, { fileName, startMs }) {
    const test = createTest(sink, fileName, startMs);
    const document: string[] = [];
    let length = 0;
    let bad = 0;
    let streamed = false;
    const takeEvent = (line: string): void => {
      const { data: found } = event.safeParse(parsed(line));
      if (found?.event === 'start') test.start(found.data);
      else if (found?.event === 'interval') test.interval(found.data);
      else if (found?.event === 'end') test.end(found.data);
      else if (found?.event === 'error') test.error(String(found.data));
      else if (!found) bad += 1;
    };
    return lineImport(
      fileName,
      (line) => {
        if (line.startsWith('{"event":')) {
          streamed = true;
          takeEvent(line);
          return;
        }
        if (streamed) {
          if (line.trim() !== '') bad += 1;
          return;
        }
        length += line.length + 1;
        if (length > largestDocument)
          throw fail(
            'invalidInput',
            `${fileName}: a result of iperf3 of more than ${largestDocument / 1024 ** 2} MB.`,
            'Run iperf3 with --json-stream, or with a longer interval (-i 10).',
          );
        document.push(line);
      },
      () => {
        if (!streamed) {
          const text = document.join('\n');
          const { data: found } = whole.safeParse(parsed(text));
          if (!found)
            throw fail(
              'invalidInput',
              /\}\s*\{/.test(text) && /"intervals"[^]*"intervals"/.test(text)
                ? `${fileName} holds several results of iperf3. Two results are two runs, not one curve.`
                : `${fileName}: the result of iperf3 is cut short or damaged.`,
              'Choose one whole result of iperf3 -J; cut a file of several in its parts.',
            );
          test.start(found.start);
          for (const one of found.intervals) test.interval(one);
          test.end(found.end);
          if (found.error !== undefined) test.error(found.error);
        }
        test.close(bad);
        if (streamed) sink.note(unread);
      },
    );
  },
};

interface Test {
  start(data: unknown): void;
  interval(data: unknown): void;
  end(data: unknown): void;
  error(text: string): void;
  /** `bad`: parts that were damaged before they came here. */
  close(bad: number): void;
}

/** One test of iperf3, event by event. */
function createTest(sink: ImportSink, fileName: string, startMs: number): Test {
  const put = createSeries(sink, 'iperf3');
  let began: Start | null = null;
  let originMs = startMs;
  let periodMs: number | null = null;
  let intervals = 0;
  let omitted = 0;
  let bad = 0;
  let lastS = 0;
  let said: string | null = null;
  let ended = false;
  const isUdp = (): boolean => began?.test_start?.protocol.toUpperCase() === 'UDP';
  const putSum = (one: Sum, name: string, spanMs: number): void => {
    const tMs = originMs + Math.round(one.end * 1_000);
    const of = { name, periodMs: spanMs };
    put({ ...of, metric: 'throughput', unit: 'Mb/s' }, tMs, one.bits_per_second / 1e6);
    if (one.retransmits !== undefined && !isUdp()) {
      const perS = one.retransmits / (one.end - one.start);
      put({ ...of, metric: 'retransmitRate', unit: 'segments/s' }, tMs, perS);
    }
    put({ ...of, metric: 'lossPct', unit: '%', decimals: 4 }, tMs, one.lost_percent ?? null);
    put({ ...of, metric: 'jitterMs', unit: 'ms' }, tMs, one.jitter_ms ?? null);
  };
  const takeInterval = (data: unknown): void => {
    const { data: found } = interval.safeParse(data);
    if (!found || !(found.sum.end > found.sum.start) || found.sum.end <= lastS) {
      bad += 1;
      return;
    }
    if (found.sum.omitted) {
      omitted += 1;
      return;
    }
    const spanMs = (found.sum.end - found.sum.start) * 1_000;
    periodMs ??= Math.max(100, Math.round(spanMs / 100) * 100);
    // What is missing would look like one long interval.
    if (found.sum.start - lastS > periodMs / 2_000 && intervals > 0) bad += 1;
    lastS = found.sum.end;
    if (spanMs < periodMs * shortest) return;
    intervals += 1;
    const back = found.sum_bidir_reverse;
    putSum(found.sum, back ? 'iperf3, sent' : 'iperf3', periodMs);
    if (back) putSum(back, 'iperf3, received', periodMs);
  };
  return {
    start(data) {
      if (began)
        throw fail(
          'invalidInput',
          `${fileName} holds several results of iperf3. Two results are two runs, not one curve.`,
          'Cut the file there, and import each part.',
        );
      const { data: found } = start.safeParse(data);
      if (!found) {
        bad += 1;
        return;
      }
      began = found;
      const { timesecs, timemillisecs } = found.timestamp ?? {};
      originMs = timemillisecs ?? (timesecs === undefined ? startMs : timesecs * 1_000);
    },
    interval: takeInterval,
    end(data) {
      const { data: found } = end.safeParse(data);
      if (!found) return;
      ended = true;
      const { sum: one, sum_received: received, sum_sent: sent } = found;
      // Of what goes one way that side's figure counts which the intervals are of; what is sent by
      // UDP and lost was not moved.
      const last = one ?? (began?.test_start?.reverse ? received : (sent ?? received));
      if (intervals === 0 && last && last.end > last.start) {
        intervals = -1;
        putSum(last, 'iperf3', Math.max(1_000, Math.round(last.end - last.start) * 1_000));
        const back = found.sum_received_bidir_reverse;
        if (back) putSum(back, 'iperf3, received', Math.max(1_000, Math.round(back.end) * 1_000));
      } else if (one?.lost_percent !== undefined && isUdp())
        sink.note(
          'At its end iperf3 says of the whole test: ' +
            `${Math.round(one.lost_percent * 1e4) / 1e4} % of the datagrams lost.`,
        );
    },
    error: (text) => (said = text.slice(0, 300)),
    close(more) {
      if (intervals === 0)
        throw fail(
          'invalidInput',
          `${fileName}: no interval and no sum of iperf3${said === null ? '' : `, which says: ${said}`}.`,
          'Choose the output of a test that ran, of iperf3 -J or --json-stream.',
        );
      if (bad + more > 0) sink.leaveOut(bad + more, 'part');
      if (!ended) sink.leaveOut(1, 'part');
      if (said !== null) sink.note(`iperf3 ended with an error: ${said}`);
      if (omitted > 0)
        sink.note(`${counted(omitted, 'interval')} that iperf3 omitted (-O) left out.`);
      sink.note(endWords(fileName, intervals, originMs !== startMs));
    },
  };
}

/** `intervals` below 0: only the sum of the whole test was there. */
const endWords = (fileName: string, intervals: number, dated: boolean): string =>
  (intervals < 0
    ? `${fileName} has no intervals: one figure each, of its whole test.`
    : `${counted(intervals, 'interval')} of ${fileName}, all streams together.`) +
  (dated
    ? ' Times are those of the machine that ran it.'
    : ' It has no date: its time 0 was put where the import began.');
