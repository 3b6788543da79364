import * as z from 'zod';

import { fail } from '../../../src/shared/errors.ts';
import type { Driver, DriverParser, ParserOptions } from './driver.ts';
import { createDocumentReader } from './jsonDocuments.ts';
import { createBadLines } from './lines.ts';
import { quote } from './shell.ts';
import { checkProgram } from './tools.ts';

const params = z.object({
  directory: z
    .string()
    .default('')
    .describe("Directory on the disk under test; empty = the job's own"),
  fileName: z
    .string()
    .regex(/^[A-Za-z0-9._-]*$/, 'a plain file name')
    .default('tilebench.fio')
    .describe('Test file in that directory'),
  sizeMb: z
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(64)
    .describe('Size of the test file in MiB'),
  blockSizeKb: z.number().min(0.5).max(16_384).default(8).describe('Block size in KiB'),
  readPct: z.number().int().min(0).max(100).default(50).describe('Share of reads in %'),
  randomPct: z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(100)
    .describe('Share of random accesses in %'),
  outstanding: z.number().int().min(1).max(1_024).default(8).describe('Outstanding I/Os'),
  jobs: z
    .number()
    .int()
    .min(1)
    .max(256)
    .default(1)
    .describe('Jobs side by side, each with its outstanding I/Os: one a disk under test'),
  direct: z.boolean().default(true).describe('Go past the page cache'),
  rateIops: z.number().min(0).default(0).describe('I/Os a second to hold; 0 = as fast as it goes'),
});
type Params = z.infer<typeof params>;

const direction = z.object({
  total_ios: z.number(),
  runtime: z.number().default(0),
  clat_ns: z
    .object({
      N: z.number().default(0),
      mean: z.number().default(0),
      bins: z.record(z.string().regex(/^\d{1,15}$/), z.number()).default({}),
    })
    .default({ N: 0, mean: 0, bins: {} }),
});
const fioDocument = z.object({
  timestamp_ms: z.number(),
  jobs: z.array(z.object({ read: direction, write: direction })).min(1),
});

/** What fio has counted since it began. */
interface Totals {
  tMs: number;
  /** fio's own time under load: its start-up is no load. */ runtimeMs: number;
  ios: number;
  latencyNsSum: number;
  latencyCount: number;
  bins: Map<number, number>;
}
const nothing = (tMs: number): Totals => ({
  tMs,
  runtimeMs: 0,
  ios: 0,
  latencyNsSum: 0,
  latencyCount: 0,
  bins: new Map(),
});

/** The last interval after the end is often a few milliseconds long: too short for a rate. */
const shortestMs = 400;

function totalsOf(document: z.infer<typeof fioDocument>): Totals {
  const totals = nothing(document.timestamp_ms);
  for (const { read, write } of document.jobs) {
    for (const { total_ios, clat_ns, runtime } of [read, write]) {
      totals.runtimeMs = Math.max(totals.runtimeMs, runtime);
      totals.ios += total_ios;
      totals.latencyCount += clat_ns.N;
      totals.latencyNsSum += clat_ns.N * clat_ns.mean;
      for (const [ns, count] of Object.entries(clat_ns.bins))
        totals.bins.set(Number(ns), (totals.bins.get(Number(ns)) ?? 0) + count);
    }
  }
  return totals;
}

/**
 * Percentile in ns of what came between two totals, from the difference of fio's latency bins:
 * the value of the bin in which the wanted share is reached (nearest rank). null when nothing came.
 */
export function binPercentile(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  share: number,
): number | null {
  const bins = [...after]
    .map(([ns, count]) => [ns, count - (before.get(ns) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => a - b);
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [ns, count] of bins) {
    seen += count;
    if (seen >= share * total) return ns;
  }
  return bins.at(-1)![0];
}

/** fio prints what it counted since its start, a JSON document a second; an interval is the difference of two. */
function parser(options: ParserOptions): DriverParser {
  const bad = createBadLines();
  let before = nothing(options.startMs);
  let keepFrom: number | null = null;
  const take = (text: string): void => {
    const parsed = fioDocument.safeParse(safeJson(text));
    if (!parsed.success) {
      bad.add(text.slice(0, 120));
      return;
    }
    const now = totalsOf(parsed.data);
    const spanMs = now.runtimeMs - before.runtimeMs;
    if (spanMs < shortestMs || now.ios < before.ios) return;
    keepFrom = reader.lastStart;
    options.emit('throughput', now.tMs, round(((now.ios - before.ios) * 1_000) / spanMs, 100));
    const count = now.latencyCount - before.latencyCount;
    if (count > 0)
      options.emit(
        'latencyMeanMs',
        now.tMs,
        round((now.latencyNsSum - before.latencyNsSum) / count / 1e6, 1e6),
      );
    for (const [metric, share] of [
      ['latencyP95Ms', 0.95],
      ['latencyP99Ms', 0.99],
    ] as const) {
      const ns = binPercentile(before.bins, now.bins, share);
      if (ns !== null) options.emit(metric, now.tMs, ns / 1e6);
    }
    before = now;
  };
  const reader = createDocumentReader(options.resume?.offset ?? 0, take, (junk) => {
    if (!/^(fio: |Jobs: |note: )/.test(junk)) bad.add(junk);
  });
  return {
    push: (chunk) => reader.push(chunk),
    end: () => undefined,
    // A fresh parser takes the last measured document again, as the base of the next difference.
    resume: () => ({ offset: keepFrom ?? options.resume?.offset ?? 0 }),
    get badLines() {
      return bad.count;
    },
    get badExamples() {
      return bad.examples;
    },
  };
}

const round = (value: number, scale: number): number => Math.round(value * scale) / scale;
function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A torn or garbled document: the schema refuses undefined, the caller counts it.
    return undefined;
  }
}

const target = ({ directory, fileName }: Params): string =>
  `${directory ? `${directory.replace(/\/+$/, '')}/` : ''}${fileName}`;

/** fio: the Iometer role, block size, read and random share and outstanding I/Os as there. */
export const fio: Driver<Params> = {
  id: 'fio',
  title: 'fio',
  role: 'io',
  params,
  // fio's own HOWTO: clat_ns replaced clat (µs) in 3.0.
  minimumVersion: {
    version: '3.0',
    reason: 'older ones give their latencies in microseconds, without clat_ns',
  },
  series: () => [
    { metric: 'throughput', unit: 'IOPS', decimals: 2 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 6 },
    { metric: 'latencyP95Ms', unit: 'ms', decimals: 6 },
    { metric: 'latencyP99Ms', unit: 'ms', decimals: 6 },
  ],
  async check(host, p, signal) {
    const program = await checkProgram(host, 'fio', 'fio --version', 'fio', signal);
    if (!program.ok || !p.directory) return program;
    const room = await host.exec(`test -w ${quote(p.directory)}`, signal ? { signal } : {});
    return room.code === 0
      ? program
      : {
          ok: false,
          version: program.version,
          problem: `the directory ${p.directory} is not there or cannot be written`,
          fix: 'Create it on the client, or give another one.',
        };
  },
  async prepare(host, p, signal) {
    if (!p.directory) return;
    const made = await host.exec(
      `fio --name=prepare --filename=${quote(target(p))} --size=${p.sizeMb}m --rw=write --bs=1m --create_only=1 2>&1`,
      { timeoutMs: 30 * 60_000, ...(signal ? { signal } : {}) },
    );
    if (made.code !== 0)
      throw fail(
        'conflict',
        `fio cannot make its test file ${target(p)}: ${made.stdout.trim().split('\n').at(-1) ?? ''}`,
        'Check the space and the permissions of the directory.',
      );
  },
  command: (p, { durationS, intervalS }) => {
    const reads = Math.round((p.rateIops * p.readPct) / 100);
    const writes = Math.round(p.rateIops) - reads;
    const rate =
      p.rateIops > 0
        ? ` --rate_iops=${p.readPct === 0 ? writes : p.readPct === 100 ? reads : `${Math.max(1, reads)},${Math.max(1, writes)}`}`
        : '';
    const mode = p.readPct === 100 ? 'randread' : p.readPct === 0 ? 'randwrite' : 'randrw';
    return `exec fio --name=io --filename=${quote(target(p))} --size=${p.sizeMb}m --rw=${mode} --rwmixread=${p.readPct} --percentage_random=${p.randomPct} --bs=${p.blockSizeKb * 1024} --iodepth=${p.outstanding} --ioengine=libaio --direct=${p.direct ? 1 : 0}${p.jobs > 1 ? ` --numjobs=${p.jobs}` : ''}${rate} --runtime=${durationS} --time_based --output-format=json+ --status-interval=${Math.max(1, Math.round(intervalS))} --group_reporting`;
  },
  parser: (_params, options) => parser(options),
  finalReport(_params, stdout) {
    let last: z.infer<typeof fioDocument> | null = null;
    const reader = createDocumentReader(
      0,
      (text) => {
        const parsed = fioDocument.safeParse(safeJson(text));
        if (parsed.success) last = parsed.data;
      },
      () => undefined,
    );
    reader.push(new TextEncoder().encode(stdout));
    const document = last as z.infer<typeof fioDocument> | null;
    if (!document) return null;
    const totals = totalsOf(document);
    const { runtimeMs } = totals;
    const p95 = binPercentile(new Map(), totals.bins, 0.95);
    const throughput = runtimeMs > 0 ? (totals.ios * 1_000) / runtimeMs : null;
    return {
      throughput: throughput === null ? null : round(throughput, 100),
      latencyMeanMs:
        totals.latencyCount > 0 ? totals.latencyNsSum / totals.latencyCount / 1e6 : null,
      latencyP95Ms: p95 === null ? null : p95 / 1e6,
      text: `${totals.ios} I/Os in ${runtimeMs} ms`,
    };
  },
  async cleanup(host, p, signal) {
    if (p.directory) await host.exec(`rm -f ${quote(target(p))}`, signal ? { signal } : {});
  },
};
