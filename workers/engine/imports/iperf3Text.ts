import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { type Iperf3Line, isKnownIperf3Line, parseIperf3Line } from '../workloads/iperf3Format.ts';
import { isPrintableLine } from '../workloads/lines.ts';
import { lineImport } from './lines.ts';
import { createSeries, type PutValue } from './series.ts';
import type { ImportFormat } from './types.ts';

/** Where a line of iperf3 begins behind a time that `--timestamps` put before it. */
const prefixed = /^.{1,64}?(?=\[(?: {0,3}\d+|SUM| ID)\])/;
const shortest = 0.4;
const namesOf = { send: 'iperf3, sent', receive: 'iperf3, received' } as const;

/** What iperf3 prints for people, in any unit; of a client or a server. */
export const iperf3Text: ImportFormat = {
  matches: (beginning) =>
    /\[ ID\](?:\[Role\])? Interval {1,20}Transfer/.test(beginning) &&
    // That of iperf 2 has one decimal.
    /\[(?: {0,3}\d{1,4}|SUM)\](?:\[[TR]X-[CS]\])? {1,6}\d+\.\d\d-\d+\.\d\d {1,6}sec /.test(
      beginning,
    ),
  open(sink, { fileName, startMs }) {
    const intervals = createIntervals(createSeries(sink, 'iperf3'), startMs);
    let prefix = 0;
    let heads = 0;
    let bad = 0;
    const second = (number: number): never => {
      throw fail(
        'invalidInput',
        `${fileName}: line ${number} begins a second test of iperf3. Two tests are two runs, not one curve.`,
        'Cut the file there, and import each part.',
      );
    };
    const body = (line: string): string => {
      const found = prefixed.exec(line)?.[0].length;
      if (found !== undefined) prefix = found;
      return line.slice(found ?? (line.startsWith('[') ? 0 : prefix));
    };
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        if (/(?:Connecting to host |Accepted connection from )/.test(line) && ++heads > 1)
          second(number);
        const text = body(line);
        if (/^\[ ID\]/.test(text)) intervals.head(text);
        const omitted = text.endsWith('(omitted)');
        const found = parseIperf3Line(text.replace(/ {0,6}\(omitted\)$/, ''));
        if (!found || !isWhole) {
          if (!isPrintableLine(line) || (intervals.headed && !isOther(text))) bad += 1;
          return;
        }
        if (omitted) intervals.omitted += 1;
        else if (intervals.isBack(found)) second(number);
        else if (!intervals.take(found)) bad += 1;
      },
      () => {
        intervals.end();
        if (intervals.count === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no whole interval of iperf3, and no report.`,
            'Choose the output of a test that ran; iperf3 -J tells more.',
          );
        bad += intervals.missing;
        if (bad > 0) sink.leaveOut(bad, 'line');
        if (intervals.omitted > 0)
          sink.note(`${counted(intervals.omitted, 'line')} that iperf3 omitted (-O) left out.`);
        sink.note(
          (intervals.isReport
            ? `${fileName} holds the report at the end of iperf3 and no course of time: one ` +
              'figure each, of its whole test.'
            : `${counted(intervals.count, 'interval')} of ${fileName}, all streams together, in the digits that iperf3 prints (-J has all).`) +
            ' Its time 0 was put where the import began.',
        );
      },
    );
  },
};

/** Lines that iperf3 prints beside those of rates. */
const isOther = (text: string): boolean =>
  isKnownIperf3Line(text) ||
  /^(?:\[ ID\]|-{5,}|Server listening on |Accepted connection from |Test Complete|CPU Utilization: |(?:snd|rcv)_tcp_congestion |Time: |TCP MSS: |\s*Cookie: |Starting Test: )/.test(
    text,
  );

interface Intervals {
  /** A head of columns: says whether a number behind a rate is of segments sent again. */
  head(text: string): void;
  readonly headed: boolean;
  /** Whether the line goes back to where a test begins. */
  isBack(line: Iperf3Line): boolean;
  /** False where the line stands there twice. */
  take(line: Iperf3Line): boolean;
  end(): void;
  omitted: number;
  readonly count: number;
  readonly missing: number;
  readonly isReport: boolean;
}

/** Sums the streams where iperf3 sums them; a report counts only where there is no interval. */
function createIntervals(put: PutValue, startMs: number): Intervals {
  const report = new Map<string, Iperf3Line>();
  let held: Iperf3Line[] = [];
  let retransmits = false;
  let lastS = 0;
  let periodS: number | null = null;
  const state = { headed: false, omitted: 0, count: 0, missing: 0, isReport: false };
  const tell = (line: Iperf3Line, spanS: number): void => {
    const name = line.role === null ? 'iperf3' : namesOf[line.role];
    const of = { name, periodMs: Math.max(100, Math.round(spanS * 10) * 100) };
    const tMs = startMs + Math.round(line.toS * 1_000);
    put({ ...of, metric: 'throughput', unit: 'Mb/s' }, tMs, line.mbps);
    if (retransmits && line.retransmits !== null) {
      const perS = line.retransmits / (line.toS - line.fromS);
      put({ ...of, metric: 'retransmitRate', unit: 'segments/s' }, tMs, perS);
    }
    put({ ...of, metric: 'lossPct', unit: '%', decimals: 4 }, tMs, line.lostPct);
    put({ ...of, metric: 'jitterMs', unit: 'ms' }, tMs, line.jitterMs);
  };
  /** Of the lines of one interval, in each direction the sum, or the only stream. */
  const flush = (): void => {
    const lines = held;
    held = [];
    const first = lines[0];
    if (!first) return;
    const spanS = first.toS - first.fromS;
    periodS ??= spanS;
    if (first.fromS - lastS > periodS / 2 && state.count > 0) state.missing += 1;
    lastS = first.toS;
    if (spanS < periodS * shortest) return;
    state.count += 1;
    for (const role of new Set(lines.map((line) => line.role))) {
      const own = lines.filter((line) => line.role === role);
      const sum = own.find(({ stream }) => stream === 'SUM') ?? (own.length === 1 ? own[0] : null);
      if (sum) tell(sum, periodS);
      else state.missing += 1;
    }
  };
  return Object.assign(state, {
    head(text: string) {
      state.headed = true;
      retransmits = / Retr/.test(text);
    },
    isBack: ({ fromS, side }: Iperf3Line) =>
      side === null && fromS < 0.005 && (lastS > 0 || (held[0]?.fromS ?? 0) > 0),
    take(line: Iperf3Line): boolean {
      if (line.side !== null) {
        const better = line.side === (line.lostPct === null ? 'sender' : 'receiver');
        const key = String(line.role);
        if (better && (line.stream === 'SUM' || !report.has(key))) report.set(key, line);
        return true;
      }
      if (!(line.toS > line.fromS) || line.fromS < lastS - 0.005) return false;
      if (held[0] && line.fromS !== held[0].fromS) flush();
      if (held.some(({ stream, role }) => stream === line.stream && role === line.role))
        return false;
      held.push(line);
      return true;
    },
    end() {
      flush();
      if (state.count > 0) return;
      for (const line of report.values()) {
        state.isReport = true;
        state.count += 1;
        tell(line, line.toS - line.fromS);
      }
    },
  });
}
