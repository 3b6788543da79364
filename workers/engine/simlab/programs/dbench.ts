import type { LoadReport } from '../model/types.ts';
import type { Format } from './types.ts';

interface Totals {
  phase: 'warmup' | 'execute';
  seconds: number;
  megabytes: number;
  operations: number;
  maxMs: number;
}

/** Operations dbench counts a megabyte: its client.txt moves about that much an operation. */
const operationsAMegabyte = 180;

/**
 * dbench: a line a second with the mean since its phase began, warm-up of a fifth of the time limit
 * first, each phase counting its seconds from one; the throughput of the whole execution at the
 * end.
 */
export function dbenchFormat(clients: number, limitS: number): Format<Totals> {
  const warmS = Math.floor(limitS / 5);
  const pad = (value: number, width: number): string => String(value).padStart(width);
  return {
    header:
      `dbench version 4.00 - Copyright Andrew Tridgell 1999-2004\n\nRunning for ${limitS} ` +
      `seconds with load '/usr/share/dbench/client.txt' and minimum warmup ${warmS} ` +
      `secs\n${clients} of ${clients} processes prepared for launch   0 sec\nreleasing ` +
      'clients\n',
    fields: 2,
    take: (report: LoadReport | null) =>
      report === null ? [0, 0] : [report.throughput, report.latencyMaxMs],
    begin: () => ({ phase: 'warmup', seconds: 0, megabytes: 0, operations: 0, maxMs: 0 }),
    print(state, values, { index, lengthMs }) {
      const rate = values[0]!,
        maxMs = values[1]!;
      const phase = index < warmS ? 'warmup' : 'execute';
      if (phase !== state.phase) {
        state.phase = phase;
        state.seconds = 0;
        state.megabytes = 0;
        state.maxMs = 0;
      }
      state.seconds += lengthMs / 1_000;
      state.megabytes += (rate * lengthMs) / 1_000;
      state.operations += Math.round(rate * operationsAMegabyte);
      state.maxMs = Math.max(state.maxMs, maxMs);
      return (
        `${pad(clients, 4)}  ${pad(state.operations, 8)}  ` +
        `${(state.megabytes / state.seconds).toFixed(2).padStart(7)} MB/sec  ${phase}  ` +
        `${pad(Math.round(state.seconds), 2)} sec  latency ${maxMs.toFixed(3)} ms\n`
      );
    },
    trailer: (state) =>
      `${pad(clients, 4)}  cleanup  ${pad(limitS, 2)} sec\n   0  cleanup  ${pad(limitS, 2)} ` +
      'sec\n\n Operation      Count    AvgLat    MaxLat\n ' +
      '----------------------------------------\n\nThroughput ' +
      `${(state.seconds > 0 ? state.megabytes / state.seconds : 0).toFixed(2)} MB/sec  ` +
      `${clients} clients  ${clients} procs  max_latency=${state.maxMs.toFixed(3)} ms\n`,
  };
}
