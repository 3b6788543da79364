import type { LoadReport } from '../model/types.ts';
import type { Format } from './types.ts';

interface Totals {
  intervals: number;
  seconds: number;
  events: number;
  latency: number;
  p95: number;
  errors: number;
  maxMs: number;
}
const two = (value: number): string => value.toFixed(2);
/**
 * Queries of one transaction by script: reads, writes, others (begin, commit), as sysbench 1.0 runs
 * them.
 */
const queriesOf: Readonly<Record<string, readonly [number, number, number]>> = {
  oltp_read_write: [14, 4, 2],
  oltp_read_only: [14, 0, 2],
  oltp_write_only: [0, 4, 2],
  oltp_point_select: [1, 0, 0],
  oltp_update_index: [0, 1, 0],
};

const header = (threads: number, intervalS: number): string =>
  [
    'sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)',
    '',
    'Running the test with following options:',
    `Number of threads: ${threads}`,
    `Report intermediate results every ${intervalS} second(s)`,
    'Initializing random number generator from current time',
    '',
    '',
    'Initializing worker threads...',
    '',
    'Threads started!',
    '',
    '',
  ].join('\n');

const take = (report: LoadReport | null): readonly number[] =>
  report === null
    ? [0, 0, 0, 0, 0]
    : [
        report.throughput,
        report.latencyMeanMs,
        report.latencyP95Ms,
        report.latencyMaxMs,
        report.errorsPerS,
      ];
const begin = (): Totals => ({
  intervals: 0,
  seconds: 0,
  events: 0,
  latency: 0,
  p95: 0,
  errors: 0,
  maxMs: 0,
});
function count(state: Totals, values: Float32Array, lengthMs: number): void {
  const throughput = values[0]!,
    mean = values[1]!,
    p95 = values[2]!,
    max = values[3]!,
    errors = values[4]!;
  const events = (throughput * lengthMs) / 1_000;
  state.intervals += 1;
  state.seconds += lengthMs / 1_000;
  state.events += events;
  state.latency += mean * events;
  state.p95 += p95 * events;
  state.errors += (errors * lengthMs) / 1_000;
  state.maxMs = Math.max(state.maxMs, max);
}
const latencies = (state: Totals): string[] => {
  const mean = state.events > 0 ? state.latency / state.events : 0;
  const p95 = state.events > 0 ? state.p95 / state.events : 0;
  return [
    'Latency (ms):',
    `         min:                                  ${two(mean * 0.3)}`,
    `         avg:                                  ${two(mean)}`,
    `         max:                                  ${two(state.maxMs)}`,
    `         95th percentile:                      ${two(p95)}`,
    `         sum:                                  ${two(state.latency)}`,
    '',
  ];
};

/** sysbench 1.0 OLTP: a line an interval, `SQL statistics` and the latencies at the end. */
export function sysbenchOltpFormat(
  script: string,
  threads: number,
  intervalS: number,
): Format<Totals> {
  const [reads, writes, others] = queriesOf[script] ?? [14, 4, 2];
  const all = reads + writes + others;
  return {
    header: header(threads, intervalS),
    fields: 5,
    take,
    begin,
    print(state, values, { elapsedMs, lengthMs }) {
      count(state, values, lengthMs);
      const tps = values[0]!,
        p95 = values[2]!,
        errors = values[4]!;
      return (
        `[ ${Math.round(elapsedMs / 1_000)}s ] thds: ${threads} tps: ${two(tps)} qps: ` +
        `${two(tps * all)} (r/w/o: ` +
        `${two(tps * reads)}/${two(tps * writes)}/${two(tps * others)}) lat (ms,95%): ` +
        `${two(p95)} err/s: ${two(errors)} reconn/s: 0.00\n`
      );
    },
    trailer(state) {
      const events = Math.round(state.events);
      const rate = state.seconds > 0 ? state.events / state.seconds : 0;
      return [
        'SQL statistics:',
        '    queries performed:',
        `        read:                            ${events * reads}`,
        `        write:                           ${events * writes}`,
        `        other:                           ${events * others}`,
        `        total:                           ${events * all}`,
        `    transactions:                        ${events}  (${two(rate)} per sec.)`,
        `    queries:                             ${events * all} (${two(rate * all)} per sec.)`,
        `    ignored errors:                      ${Math.round(state.errors)}      ` +
          `(${two(state.seconds > 0 ? state.errors / state.seconds : 0)} per sec.)`,
        '    reconnects:                          0      (0.00 per sec.)',
        '',
        'General statistics:',
        `    total time:                          ${state.seconds.toFixed(4)}s`,
        `    total number of events:              ${events}`,
        '',
        ...latencies(state),
        'Threads fairness:',
        `    events (avg/stddev):           ${(events / threads).toFixed(4)}/0.00`,
        `    execution time (avg/stddev):   ${state.seconds.toFixed(4)}/0.00`,
        '',
        '',
      ].join('\n');
    },
  };
}

/** sysbench 1.0 cpu. */
export function sysbenchCpuFormat(threads: number, intervalS: number): Format<Totals> {
  return {
    header: header(threads, intervalS),
    fields: 5,
    take,
    begin,
    print(state, values, { elapsedMs, lengthMs }) {
      count(state, values, lengthMs);
      const rate = values[0]!,
        p95 = values[2]!;
      return `[ ${Math.round(elapsedMs / 1_000)}s ] thds: ${threads} eps: ${two(rate)} lat (ms,95%): ${two(p95)}\n`;
    },
    trailer(state) {
      const rate = state.seconds > 0 ? state.events / state.seconds : 0;
      return [
        'CPU speed:',
        `    events per second: ${rate.toFixed(2).padStart(8)}`,
        '',
        'General statistics:',
        `    total time:                          ${state.seconds.toFixed(4)}s`,
        `    total number of events:              ${Math.round(state.events)}`,
        '',
        ...latencies(state),
        'Threads fairness:',
        `    events (avg/stddev):           ${(state.events / threads).toFixed(4)}/0.00`,
        `    execution time (avg/stddev):   ${state.seconds.toFixed(4)}/0.00`,
        '',
        '',
      ].join('\n');
    },
  };
}
