import * as z from 'zod';

import { type MetricName, metricName } from '../../../src/core/metric/metric.ts';
import { decodeHdr, hdrMean, hdrPercentile } from '../kit/hdr.ts';
import type { DriverParser, DriverSeries, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser, type LineVerdict } from './lineParser.ts';

/** docs/tilekit.md has what each field means; histograms are in microseconds. */
const second = z.object({
  t: z.number().nonnegative(),
  op: z.string(),
  // A last one of less than half a millisecond is told as 0.
  lengthS: z.number().nonnegative(),
  done: z.number().nonnegative(),
  failed: z.record(z.string(), z.number().nonnegative()).default({}),
  shed: z.number().nonnegative().default(0),
  lateP99Us: z.number().nonnegative().default(0),
  saturated: z.boolean().default(false),
  pending: z.number().nonnegative().default(0),
  expected: z.number().nonnegative().default(0),
  bytes: z.number().nonnegative().default(0),
  counts: z.record(z.string(), z.number()).default({}),
  latency: z.string().optional(),
});
type Second = z.infer<typeof second>;
const end = z.object({
  end: z.literal(true),
  reason: z.string(),
  seconds: z.number().positive(),
  done: z.number().nonnegative(),
  failed: z.record(z.string(), z.number().nonnegative()).default({}),
  saturatedSeconds: z.number().nonnegative(),
  latency: z.string(),
  bytes: z.number().nonnegative().default(0),
  counts: z.record(z.string(), z.number().nonnegative()).default({}),
  shown: z
    .object({
      expected: z.number().nonnegative(),
      done: z.number().nonnegative().default(0),
      missing: z.number(),
      notCounted: z.boolean().default(false),
      counts: z.record(z.string(), z.number().nonnegative()).default({}),
    })
    .optional(),
  found: z.object({ perS: z.number().nonnegative(), limitedBy: z.string() }).optional(),
});
/** The last line of an output that is whole. */
export type TilekitEnd = z.infer<typeof end>;
const opOf = /^\{"t":[\d.]+,"op":"([^"]*)"/;

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const latencySeries: readonly DriverSeries[] = [
  { metric: 'latencyMeanMs', unit: 'ms', decimals: 3 },
  { metric: 'latencyP95Ms', unit: 'ms', decimals: 3 },
  { metric: 'latencyP99Ms', unit: 'ms', decimals: 3 },
];
/** What every scenario gives; `unit` is of its throughput. */
export const tilekitSeries = (unit: string, withLatency = true): DriverSeries[] => [
  { metric: 'throughput', unit, decimals: 2 },
  ...(withLatency ? latencySeries : []),
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

/** How the lines of a load become samples, and its last line a report. */
export interface TilekitReading {
  /** Throughput is this of each second, times `perUnit`; default: operations done, 1. */
  throughput?: 'done' | 'bytes';
  perUnit?: number;
  /** Whether the time of an operation says something; default: it does. */
  latency?: boolean;
  /** What the scenario counts beside, by its name: so much of each second, times `perUnit`. */
  counts?: ReadonlyMap<string, { metric: MetricName; perUnit: number }>;
  /** What is told of some operations by themselves. */
  operations?: ReadonlyMap<string, OperationMetrics>;
  /**
   * Throughput is what the other side counted, in lines of this operation, which lag by so many
   * seconds: the first line is about fewer. With `loss`, what was sent of it and did not come.
   */
  received?: { op: string; lagS: number; loss: boolean };
  /** What the end says that somebody must know, in words behind the workload's name. */
  warning?: (last: TilekitEnd) => string | null;
}

type Tell = (metric: MetricName, value: number) => void;

/** What a line of an operation by itself tells; false where its histogram is damaged. */
function tellOperation(line: Second, told: OperationMetrics, tell: Tell): boolean {
  const histogram = line.latency === undefined ? null : decodeHdr(line.latency);
  if (histogram && histogram.count > 0) {
    tell(told.meanMs, hdrMean(histogram) / 1_000);
    tell(told.p95Ms, hdrPercentile(histogram, 95) / 1_000);
  }
  if (told.pending) tell(told.pending, line.pending);
  return line.latency === undefined || histogram !== null;
}

/** What the other side counted in these seconds. */
function tellReceived(line: Second, reading: TilekitReading, tell: Tell): void {
  const { received, perUnit = 1 } = reading;
  const lengthS = line.lengthS - (line.t === 0 ? (received?.lagS ?? 0) : 0);
  if (lengthS <= 0.1) return;
  tell('throughput', (line.done / lengthS) * perUnit);
  if (received?.loss === true && line.expected > 0)
    tell('lossPct', Math.max(0, 1 - line.done / line.expected) * 100);
}

/** What the line of all operations together tells; false where its histogram is damaged. */
function tellAll(line: Second, reading: TilekitReading, tell: Tell): boolean {
  const { throughput = 'done', perUnit = 1, latency = true, received } = reading;
  if (!received) tell('throughput', (line[throughput] / line.lengthS) * perUnit);
  const histogram = line.latency === undefined ? null : decodeHdr(line.latency);
  if (latency && histogram && histogram.count > 0) {
    tell('latencyMeanMs', hdrMean(histogram) / 1_000);
    tell('latencyP95Ms', hdrPercentile(histogram, 95) / 1_000);
    tell('latencyP99Ms', hdrPercentile(histogram, 99) / 1_000);
  }
  for (const [name, told] of reading.counts ?? [])
    tell(told.metric, ((line.counts[name] ?? 0) / line.lengthS) * told.perUnit);
  tell('clientLateMs', line.lateP99Us / 1_000);
  tell('clientSaturatedPct', line.saturated ? 100 : 0);
  const failed = Object.values(line.failed).reduce((sum, n) => sum + n, line.shed);
  tell('errorRate', failed / line.lengthS);
  return line.latency === undefined || histogram !== null;
}

/** Reads the lines of all operations together, and of those that are named. */
export function tilekitParser(options: ParserOptions, reading: TilekitReading = {}): DriverParser {
  const { operations = new Map<string, OperationMetrics>(), received } = reading;
  // What operations told of a second is a sample with that second's last line: the engine keeps no
  // sample of a time it has stored before.
  const held = new Map(heldBefore(options.resume?.state).map((one) => [one[0], one]));
  const onLine = (text: string): LineVerdict => {
    if (!text.startsWith('{') || !text.endsWith('}')) return 'bad';
    const op = opOf.exec(text)?.[1];
    const told = op === undefined ? undefined : operations.get(op);
    const isReceived = received !== undefined && op === received.op;
    if (op !== '*' && !told && !isReceived)
      return /^\{"(?:kit|end|t)":/.test(text) ? 'known' : 'bad';
    const line = parse(second, text);
    if (!line) return 'bad';
    // What is left of a second at the end gives no rate.
    if (line.lengthS * 2_000 < Math.min(1_000, options.intervalMs)) return 'known';
    const tMs = options.startMs + (line.t + line.lengthS) * 1_000;
    const hold: Tell = (metric, value) => held.set(metric, [metric, tMs, value]);
    if (isReceived) {
      // It is of whole seconds: a shorter line at the end would tell a rate that was not there.
      if (line.lengthS * 1_100 >= options.intervalMs) tellReceived(line, reading, hold);
      return 'taken';
    }
    if (told) return tellOperation(line, told, hold) ? 'taken' : 'bad';
    for (const one of held.values()) options.emit(...one);
    held.clear();
    return tellAll(line, reading, (metric, value) => options.emit(metric, tMs, value))
      ? 'taken'
      : 'bad';
  };
  return operations.size === 0 && !received
    ? createLineParser(options.resume, onLine)
    : createLineParser(options.resume, onLine, () => JSON.stringify([...held.values()]));
}

/** The last line; null where the output has none. */
export function tilekitFinal(stdout: string, reading: TilekitReading = {}): FinalReport | null {
  const { throughput = 'done', perUnit = 1, latency = true, received, warning } = reading;
  const text = stdout.trimEnd().split('\n').at(-1) ?? '';
  const last = parse(end, text);
  const histogram = last && decodeHdr(last.latency);
  if (!last || !histogram) return null;
  const ofSome = (value: number): number | null =>
    latency && histogram.count > 0 ? value / 1_000 : null;
  const count = received ? last.shown?.done : last[throughput];
  const warns = warning?.(last) ?? null;
  return {
    throughput: count === undefined ? null : (count / last.seconds) * perUnit,
    latencyMeanMs: ofSome(hdrMean(histogram)),
    latencyP95Ms: ofSome(hdrPercentile(histogram, 95)),
    ...(warns === null ? {} : { warning: warns }),
    text: text.slice(0, 4_000),
  };
}
