import { threeFigures } from '../base/format.ts';
import type { QosHeadroom } from './headroom.ts';

const short: Readonly<Record<string, string>> = {
  latencyMeanMs: 'mean latency',
  latencyP95Ms: 'p95',
  latencyP99Ms: 'p99',
  latencyMaxMs: 'greatest latency',
  acceptedMeanMs: 'mean time until accepted',
  acceptedP95Ms: 'p95 until accepted',
  deliveredMeanMs: 'mean time until delivered',
  deliveredP95Ms: 'p95 until delivered',
  undelivered: 'mail not delivered',
  readMBps: 'data read',
  writeMBps: 'data written',
  throughput: 'throughput',
  errorRate: 'errors',
};

/** What a limit is on, short enough to stand behind a workload's name: `p95`, `p99 of login`. */
export function shortMetric({
  metric,
  measure,
  operation,
}: Pick<QosHeadroom, 'metric' | 'measure' | 'operation'>): string {
  const what = measure === 'failurePct' ? 'failures' : (short[metric] ?? metric);
  return operation === undefined ? what : `${what} of ${operation}`;
}

/** A measured value or a limit: `1.97 s` from a second on, `412 ms` below it, `24.3 MB/s`. */
export function limitValue(value: number, unit: string): string {
  if (unit === 'ms' && Math.abs(value) >= 1_000) return `${threeFigures(value / 1_000)} s`;
  return `${Number.isInteger(value) ? value : threeFigures(value)} ${unit}`;
}

/**
 * What is left of a limit for people: a share while it holds, and past it the ratio that says more
 * than a negative share. Both null = not measured.
 */
export function leftOfLimit({
  headroom,
  kind,
  value,
  limit,
}: Pick<QosHeadroom, 'headroom' | 'kind' | 'value' | 'limit'>): {
  figure: string;
  word: string;
} | null {
  if (headroom === null || value === null) return null;
  // More than all of a limit is never left: of one that is a least, the ratio says it.
  if (headroom > 1 && limit > 0)
    return { figure: `${Number((value / limit).toPrecision(2))}×`, word: 'the limit' };
  if (headroom >= 0) return { figure: `${Math.round(headroom * 100)} %`, word: 'left' };
  if (limit === 0) return { figure: 'over', word: 'a limit of 0' };
  // Just over the limit a ratio would read 1.00×.
  const ratio = value / limit;
  if (kind === 'max' && ratio >= 1.1)
    return { figure: `${Number(ratio.toPrecision(2))}×`, word: 'the limit' };
  const past = Math.max(1, Math.round(-headroom * 100));
  return { figure: `${past} %`, word: kind === 'max' ? 'over' : 'short' };
}
