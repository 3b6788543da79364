import * as z from 'zod';

import { type MetricName, metricName } from '../../../src/core/metric/metric.ts';
import { decodeHdr, hdrMean, hdrPercentile } from '../kit/hdr.ts';
import type { DriverParser, DriverSeries, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser, type LineVerdict } from './lineParser.ts';

/** docs/tilekit.md has what each field means; histograms are in microseconds. */
const second = z.object({
  t: z.number().nonnegative(),
  op: z.string(),
  lengthS: z.number().positive(),
  done: z.number().nonnegative(),
  failed: z.record(z.string(), z.number().nonnegative()).default({}),
  shed: z.number().nonnegative().default(0),
  lateP99Us: z.number().nonnegative().default(0),
  saturated: z.boolean().default(false),
  pending: z.number().nonnegative().default(0),
  latency: z.string().optional(),
});
const end = z.object({
  end: z.literal(true),
  reason: z.string(),
  seconds: z.number().positive(),
  done: z.number().nonnegative(),
  saturatedSeconds: z.number().nonnegative(),
  latency: z.string(),
  shown: z
    .object({ expected: z.number().nonnegative(), missing: z.number().nonnegative() })
    .optional(),
});
const opOf = /^\{"t":[\d.]+,"op":"([^"]*)"/;

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** What every scenario gives; `unit` is of its throughput. */
export const tilekitSeries = (unit: string): DriverSeries[] => [
  { metric: 'throughput', unit, decimals: 2 },
  { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
  { metric: 'latencyP95Ms', unit: 'ms', decimals: 3 },
  { metric: 'latencyP99Ms', unit: 'ms', decimals: 3 },
  { metric: 'errorRate', unit: 'errors/s', decimals: 2 },
  { metric: 'clientLateMs', unit: 'ms', decimals: 3 },
  { metric: 'clientSaturatedPct', unit: '%', decimals: 0 },
];

const heldSamples = z.array(z.tuple([metricName, z.number(), z.number()]));
const heldBefore = (state: string | undefined): z.infer<typeof heldSamples> =>
  (state === undefined ? null : parse(heldSamples, state)) ?? [];

/** What is told of one operation by itself: its times, and what of it is awaited still. */
export interface OperationMetrics {
  meanMs: MetricName;
  p95Ms: MetricName;
  pending?: MetricName;
}

/**
 * Reads the lines of all operations together, and of those that are named; throughput counts in so
 * many seconds (60 = a minute).
 */
export function tilekitParser(
  options: ParserOptions,
  perS = 1,
  operations: ReadonlyMap<string, OperationMetrics> = new Map(),
): DriverParser {
  // What operations told of a second is a sample with that second's last line: the engine keeps no
  // sample of a time it has stored before.
  const held = new Map(heldBefore(options.resume?.state).map((one) => [one[0], one]));
  const hold = (metric: MetricName, tMs: number, value: number): void => {
    held.set(metric, [metric, tMs, value]);
  };
  const onLine = (text: string): LineVerdict => {
    if (!text.startsWith('{') || !text.endsWith('}')) return 'bad';
    const op = opOf.exec(text)?.[1];
    const told = op === undefined ? undefined : operations.get(op);
    if (op !== '*' && !told) return /^\{"(?:kit|end|t)":/.test(text) ? 'known' : 'bad';
    const line = parse(second, text);
    if (!line) return 'bad';
    // What is left of a second at the end gives no rate.
    if (line.lengthS * 2_000 < Math.min(1_000, options.intervalMs)) return 'known';
    const tMs = options.startMs + (line.t + line.lengthS) * 1_000;
    const histogram = line.latency === undefined ? null : decodeHdr(line.latency);
    const state = line.latency !== undefined && !histogram ? 'bad' : 'taken';
    if (told) {
      if (histogram && histogram.count > 0) {
        hold(told.meanMs, tMs, hdrMean(histogram) / 1_000);
        hold(told.p95Ms, tMs, hdrPercentile(histogram, 95) / 1_000);
      }
      if (told.pending) hold(told.pending, tMs, line.pending);
      return state;
    }
    for (const one of held.values()) options.emit(...one);
    held.clear();
    options.emit('throughput', tMs, (line.done / line.lengthS) * perS);
    if (histogram && histogram.count > 0) {
      options.emit('latencyMeanMs', tMs, hdrMean(histogram) / 1_000);
      options.emit('latencyP95Ms', tMs, hdrPercentile(histogram, 95) / 1_000);
      options.emit('latencyP99Ms', tMs, hdrPercentile(histogram, 99) / 1_000);
    }
    options.emit('clientLateMs', tMs, line.lateP99Us / 1_000);
    options.emit('clientSaturatedPct', tMs, line.saturated ? 100 : 0);
    const failed = Object.values(line.failed).reduce((sum, n) => sum + n, line.shed);
    options.emit('errorRate', tMs, failed / line.lengthS);
    return state;
  };
  return operations.size === 0
    ? createLineParser(options.resume, onLine)
    : createLineParser(options.resume, onLine, () => JSON.stringify([...held.values()]));
}

/** The last line; null where the output has none. */
export function tilekitFinal(stdout: string, perS = 1): FinalReport | null {
  const text = stdout.trimEnd().split('\n').at(-1) ?? '';
  const last = parse(end, text);
  const histogram = last && decodeHdr(last.latency);
  if (!last || !histogram) return null;
  const ofSome = (value: number): number | null => (histogram.count > 0 ? value / 1_000 : null);
  return {
    throughput: (last.done / last.seconds) * perS,
    latencyMeanMs: ofSome(hdrMean(histogram)),
    latencyP95Ms: ofSome(hdrPercentile(histogram, 95)),
    ...(last.shown && last.shown.missing > 0
      ? {
          warning:
            `of ${last.shown.expected} messages that the server accepted, ${last.shown.missing} ` +
            'had not been delivered when the load ended. They count as not delivered.',
        }
      : {}),
    text: text.slice(0, 4_000),
  };
}
