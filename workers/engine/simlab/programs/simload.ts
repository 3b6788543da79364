import type { LoadReport } from '../model/types.ts';
import type { Format } from './types.ts';

interface Totals {
  intervals: number;
  throughput: number;
  latency: number;
  p95: number;
  weight: number;
}

const number3 = (value: number): string => value.toFixed(3);

/**
 * `load 12 tp=… mean=… p95=… p99=… err=…` an interval, and `# total …` at the end, as the
 * simulated-load driver reads them.
 */
export const simloadFormat: Format<Totals> = {
  header: '# tilebench-simload 1\n',
  fields: 5,
  take: (report: LoadReport | null) =>
    report === null
      ? [0, 0, 0, 0, 0]
      : [
          report.throughput,
          report.latencyMeanMs,
          report.latencyP95Ms,
          report.latencyP99Ms,
          report.errorsPerS,
        ],
  begin: () => ({ intervals: 0, throughput: 0, latency: 0, p95: 0, weight: 0 }),
  print(state, values, { elapsedMs }) {
    const throughput = values[0]!,
      mean = values[1]!,
      p95 = values[2]!,
      p99 = values[3]!,
      errors = values[4]!;
    state.intervals += 1;
    state.throughput += throughput;
    // Latencies are means over operations: an interval counts by how many it had.
    state.latency += mean * throughput;
    state.p95 += p95 * throughput;
    state.weight += throughput;
    return (
      `load ${elapsedMs / 1_000} tp=${number3(throughput)} mean=${number3(mean)} ` +
      `p95=${number3(p95)} p99=${number3(p99)} err=${Math.max(0, errors).toFixed(4)}\n`
    );
  },
  trailer: ({ intervals, throughput, latency, p95, weight }) =>
    `# total tp=${number3(intervals > 0 ? throughput / intervals : 0)} ` +
    `mean=${number3(weight > 0 ? latency / weight : 0)} ` +
    `p95=${number3(weight > 0 ? p95 / weight : 0)}\n`,
};
