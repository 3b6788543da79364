import * as z from 'zod';

import { decodeHdr, hdrMean, hdrPercentile } from '../kit/hdr.ts';
import type { DriverParser, DriverSeries, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';

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
  latency: z.string().optional(),
});
const end = z.object({
  end: z.literal(true),
  reason: z.string(),
  seconds: z.number().positive(),
  done: z.number().nonnegative(),
  saturatedSeconds: z.number().nonnegative(),
  latency: z.string(),
});
const whole = '"op":"*"';

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

/**
 * Reads the lines of all operations together; throughput counts in so many seconds (60 = a minute).
 */
export function tilekitParser(options: ParserOptions, perS = 1): DriverParser {
  return createLineParser(options.resume, (text) => {
    if (!text.startsWith('{') || !text.endsWith('}')) return 'bad';
    if (!text.includes(whole)) return /^\{"(?:kit|end|t)":/.test(text) ? 'known' : 'bad';
    const line = parse(second, text);
    if (!line) return 'bad';
    // What is left of a second at the end gives no rate.
    if (line.lengthS * 2_000 < Math.min(1_000, options.intervalMs)) return 'known';
    const tMs = options.startMs + (line.t + line.lengthS) * 1_000;
    options.emit('throughput', tMs, (line.done / line.lengthS) * perS);
    const histogram = line.latency === undefined ? null : decodeHdr(line.latency);
    if (histogram && histogram.count > 0) {
      options.emit('latencyMeanMs', tMs, hdrMean(histogram) / 1_000);
      options.emit('latencyP95Ms', tMs, hdrPercentile(histogram, 95) / 1_000);
      options.emit('latencyP99Ms', tMs, hdrPercentile(histogram, 99) / 1_000);
    }
    options.emit('clientLateMs', tMs, line.lateP99Us / 1_000);
    options.emit('clientSaturatedPct', tMs, line.saturated ? 100 : 0);
    const failed = Object.values(line.failed).reduce((sum, n) => sum + n, line.shed);
    options.emit('errorRate', tMs, failed / line.lengthS);
    return line.latency !== undefined && !histogram ? 'bad' : 'taken';
  });
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
    text: text.slice(0, 4_000),
  };
}
