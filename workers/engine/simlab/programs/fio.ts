import type { LoadReport } from '../model/types.ts';
import type { Format } from './types.ts';

interface Side {
  ios: number;
  latencyNs: number;
  bins: Map<number, number>;
}
interface Totals {
  runtimeMs: number;
  clientMs: number;
  read: Side;
  write: Side;
  /** Part of an I/O that is not whole yet. */ rest: number;
}
export interface FioShape {
  name: string;
  blockBytes: number;
  readShare: number;
}

/**
 * Where the I/Os of an interval lie: shares up to and including a latency, as factors on the 95th
 * percentile or as points between it, the 99th and the maximum.
 */
const below95: readonly (readonly [factor: number, share: number])[] = [
  [0.2, 0.1],
  [0.35, 0.3],
  [0.5, 0.52],
  [0.65, 0.7],
  [0.82, 0.86],
  [1, 0.965],
];

/**
 * fio's histogram groups: 64 to a power of two, the value a group's middle (stat.c,
 * plat_idx_to_val).
 */
function group(ns: number): number {
  const value = Math.max(1, Math.round(ns));
  if (value < 128) return value;
  const shift = Math.floor(Math.log2(value)) - 6;
  return Math.floor(value / 2 ** shift) * 2 ** shift + 2 ** (shift - 1);
}

function spread(side: Side, ios: number, p95Ms: number, p99Ms: number, maxMs: number): void {
  const far = Math.max(p99Ms, p95Ms);
  const points: (readonly [number, number])[] = [
    ...below95.map(([factor, share]) => [p95Ms * factor, share] as const),
    [(p95Ms + far) / 2, 0.985],
    [far, 0.996],
    [Math.max(maxMs, far), 1],
  ];
  let given = 0;
  for (const [ms, share] of points) {
    const upTo = Math.round(ios * share);
    if (upTo > given) {
      const ns = group(ms * 1e6);
      side.bins.set(ns, (side.bins.get(ns) ?? 0) + upTo - given);
    }
    given = upTo;
  }
}

const direction = (side: Side, runtimeMs: number, blockBytes: number): object => ({
  io_bytes: side.ios * blockBytes,
  total_ios: side.ios,
  runtime: side.ios > 0 ? runtimeMs : 0,
  iops: runtimeMs > 0 ? Math.round((side.ios * 1e9) / runtimeMs) / 1e6 : 0,
  clat_ns: {
    N: side.ios,
    mean: side.ios > 0 ? Math.round((side.latencyNs / side.ios) * 1e6) / 1e6 : 0,
    bins: Object.fromEntries(
      [...side.bins].sort(([a], [b]) => a - b).map(([ns, count]) => [String(ns), count]),
    ),
  },
});

const document = (state: Totals, shape: FioShape): string =>
  `${JSON.stringify({
    'fio version': 'fio-3.33',
    timestamp: Math.floor(state.clientMs / 1_000),
    timestamp_ms: state.clientMs,
    jobs: [
      {
        jobname: shape.name,
        read: direction(state.read, state.runtimeMs, shape.blockBytes),
        write: direction(state.write, state.runtimeMs, shape.blockBytes),
      },
    ],
  })}\n`;

/**
 * fio with json+ and a status interval: what it counted since its start, a document an interval,
 * and the last once more at its end.
 */
export function fioFormat(shape: FioShape): Format<Totals> {
  const side = (): Side => ({ ios: 0, latencyNs: 0, bins: new Map() });
  return {
    header: '',
    fields: 5,
    take: (report: LoadReport | null) =>
      report === null
        ? [0, 0, 0, 0, 0]
        : [
            report.throughput,
            report.latencyMeanMs,
            report.latencyP95Ms,
            report.latencyP99Ms,
            report.latencyMaxMs,
          ],
    begin: () => ({ runtimeMs: 0, clientMs: 0, read: side(), write: side(), rest: 0 }),
    print(state, values, { lengthMs, clientMs }) {
      const iops = values[0]!,
        meanMs = values[1]!,
        p95Ms = values[2]!,
        p99Ms = values[3]!,
        maxMs = values[4]!;
      const wanted = (iops * lengthMs) / 1_000 + state.rest;
      const ios = Math.floor(wanted);
      state.rest = wanted - ios;
      state.runtimeMs += lengthMs;
      state.clientMs = clientMs;
      const reads = Math.round(ios * shape.readShare);
      for (const [one, count] of [
        [state.read, reads],
        [state.write, ios - reads],
      ] as const) {
        one.ios += count;
        one.latencyNs += count * meanMs * 1e6;
        spread(one, count, p95Ms, p99Ms, maxMs);
      }
      return document(state, shape);
    },
    trailer: (state) => document(state, shape),
  };
}
