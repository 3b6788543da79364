import * as z from 'zod';

import { createDocumentReader, type DocumentReader } from './jsonDocuments.ts';

/**
 * fio's JSON, of driver and importer alike. `--status-interval` prints a document a time with what
 * was counted since the start of the job: an interval is the difference of two. Read since 2.99,
 * which gives latencies as `clat_ns`; before 3.18 without their count `N`. Source: axboe/fio,
 * stat.c, add_ddir_status_json and its history (`N` came with commit 56440e63); client.c for
 * `client_stats`.
 */
const latency = z.object({
  N: z.number().nonnegative().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  mean: z.number().default(0),
  bins: z.record(z.string().regex(/^\d{1,15}$/), z.number().nonnegative()).default({}),
  percentile: z.record(z.string(), z.number()).default({}),
});
const direction = z.object({
  iops: z.number().optional(),
  total_ios: z.number().nonnegative(),
  runtime: z.number().nonnegative().default(0),
  clat_ns: latency.optional(),
});
const job = z
  .object({
    jobname: z.string().max(300).default('fio'),
    /** Of all the jobs of a group together; since 3.7. */ job_runtime: z.number().optional(),
    read: direction.optional(),
    write: direction.optional(),
    trim: direction.optional(),
    /** All directions as one, in their stead: `unified_rw_reporting=1`. */
    mixed: direction.optional(),
  })
  .refine(({ read, write, mixed }) => mixed !== undefined || (read && write));
const jobs = z.array(job).min(1).max(10_000);
const fioDocument = z
  .object({
    timestamp: z.number().optional(),
    timestamp_ms: z.number().optional(),
    jobs: jobs.optional(),
    /** Of `fio --client`, in the stead of `jobs`; the last one sums up the others. */
    client_stats: jobs.optional(),
  })
  .transform(({ timestamp, timestamp_ms, jobs: own, client_stats: remote }, context) => {
    const found = own ?? remote?.filter(({ jobname }) => jobname !== 'All clients');
    const tMs = timestamp_ms ?? (timestamp === undefined ? NaN : timestamp * 1_000);
    if (found !== undefined && Number.isFinite(tMs)) return { timestamp, tMs, jobs: found };
    context.addIssue('no jobs, or no time');
    return z.NEVER;
  });
export type FioDocument = z.infer<typeof fioDocument>;
type Direction = z.infer<typeof direction>;
const sidesOf = ({ read, write, trim, mixed }: FioDocument['jobs'][number]): Direction[] =>
  [read, write, trim, mixed].flatMap((one) => (one === undefined ? [] : [one]));

/** fio's documents begin with this key. */
const fioFirstKey = 'fio version';

const near = (a: number, b: number, share: number, least: number): boolean =>
  Math.abs(a - b) <= Math.max(least, share * Math.max(Math.abs(a), Math.abs(b)));

/** What fio says twice must agree: a document that was damaged and is still JSON is found by it. */
function agrees({ iops, total_ios: ios, runtime, clat_ns: clat }: Direction): boolean {
  const binned = Object.values(clat?.bins ?? {}).reduce((a, b) => a + b, 0);
  return (
    (iops === undefined || runtime < 100 || near(iops * runtime, ios * 1_000, 0.02, 2_000)) &&
    (binned === 0 || clat?.N === undefined || near(binned, clat.N, 0.001, 1)) &&
    (clat?.min === undefined || clat.min <= clat.mean + 1) &&
    (clat?.max === undefined || clat.mean <= clat.max + 1)
  );
}

/** A document, or null where it is none, or contradicts itself. */
function parseFioDocument(text: string): FioDocument | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
  const { success, data } = fioDocument.safeParse(value);
  if (!success) return null;
  const whole =
    (data.timestamp === undefined || near(data.timestamp * 1_000, data.tMs, 0, 1_000)) &&
    data.jobs.every((one) =>
      sidesOf(one).every(
        (side) => agrees(side) && side.runtime <= (one.job_runtime ?? Infinity) + 100,
      ),
    );
  return whole ? data : null;
}

/**
 * Whether a line outside of documents is what a damaged one left. fio may print text beside its
 * JSON (`--output-format=json,normal`, terse lines, progress, warnings): nothing of it holds a
 * quote or a brace, or what does not print.
 */
const isOfDocument = (line: string): boolean =>
  /["{}]|^\s*\]|[\u0000-\u0008\u000e-\u001f\u0080-\u00ff]/.test(line) ||
  line.startsWith('(a document');

/**
 * Reads fio's output in pieces; `onBad` gets what was left out, and reading goes on at the next
 * document.
 */
export function createFioReader(
  fromOffset: number,
  onDocument: (document: FioDocument) => void,
  onBad: (text: string) => void,
  maxBytes?: number,
): DocumentReader {
  return createDocumentReader(fromOffset, {
    firstKey: fioFirstKey,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    onDocument: (text) => {
      const document = parseFioDocument(text);
      if (document) onDocument(document);
      else onBad(text.slice(0, 120));
    },
    onJunk: (junk) => {
      if (isOfDocument(junk)) onBad(junk);
    },
  });
}

/** What jobs have counted since they began, side by side. */
export interface FioTotals {
  tMs: number;
  /** fio's own time under load: its start-up is no load. */ runtimeMs: number;
  reads: number;
  writes: number;
  trims: number;
  /** Of jobs that tell no direction. */ mixed: number;
  latencyNsSum: number;
  latencyCount: number;
  bins: ReadonlyMap<number, number>;
  /**
   * As printed, since the start; of jobs of one direction only: percentiles of two cannot be
   * joined.
   */
  percentiles: Readonly<Record<string, number>> | null;
}
export const noFioTotals = (tMs: number): FioTotals => ({
  tMs,
  runtimeMs: 0,
  reads: 0,
  writes: 0,
  trims: 0,
  mixed: 0,
  latencyNsSum: 0,
  latencyCount: 0,
  bins: new Map(),
  percentiles: null,
});

/** Jobs of one document together: several of one name, or all. */
export function fioTotals(jobs: FioDocument['jobs'], tMs: number): FioTotals {
  const bins = new Map<number, number>();
  const totals = { ...noFioTotals(tMs), bins };
  const loaded: Direction[] = [];
  for (const job of jobs) {
    totals.reads += job.read?.total_ios ?? 0;
    totals.writes += job.write?.total_ios ?? 0;
    totals.trims += job.trim?.total_ios ?? 0;
    totals.mixed += job.mixed?.total_ios ?? 0;
    for (const one of sidesOf(job)) {
      totals.runtimeMs = Math.max(totals.runtimeMs, one.runtime);
      const clat = one.clat_ns;
      if (!clat) continue;
      const binned = Object.values(clat.bins).reduce((a, b) => a + b, 0);
      // Before 3.18 there is no N: every I/O that ended has a latency, unless none was taken
      // (`gtod_reduce`).
      const count = clat.N ?? (binned > 0 ? binned : clat.mean > 0 ? one.total_ios : 0);
      if (count === 0) continue;
      loaded.push(one);
      totals.latencyCount += count;
      totals.latencyNsSum += count * clat.mean;
      for (const [ns, n] of Object.entries(clat.bins))
        bins.set(Number(ns), (bins.get(Number(ns)) ?? 0) + n);
    }
  }
  totals.percentiles = loaded.length === 1 ? loaded[0]!.clat_ns!.percentile : null;
  return totals;
}

/** I/Os of every direction. */
export const fioIos = ({ reads, writes, trims, mixed }: FioTotals): number =>
  reads + writes + trims + mixed;

/** What came between two totals; reads and writes are null where the jobs told no direction. */
export interface FioInterval {
  tMs: number;
  spanMs: number;
  iops: number;
  readIops: number | null;
  writeIops: number | null;
  latencyMeanMs: number | null;
  latencyP95Ms: number | null;
  latencyP99Ms: number | null;
}

/** The last interval after the end is often a few milliseconds long: too short for a rate. */
const shortestMs = 400;

/**
 * Whether `now` counts from another start than `before`: counts went back, or the whole of its time
 * under load fits between the two.
 */
export const isAnotherFioRun = (before: FioTotals, now: FioTotals): boolean =>
  now.runtimeMs < before.runtimeMs ||
  now.reads < before.reads ||
  now.writes < before.writes ||
  fioIos(now) < fioIos(before) ||
  (before.runtimeMs > 0 && now.tMs - before.tMs >= now.runtimeMs && now.runtimeMs > 0);

/** null where less than `leastMs` of load lies between the two, or counts went back. */
export function fioInterval(
  before: FioTotals,
  now: FioTotals,
  leastMs = shortestMs,
): FioInterval | null {
  const spanMs = now.runtimeMs - before.runtimeMs;
  const reads = now.reads - before.reads;
  const writes = now.writes - before.writes;
  const ios = fioIos(now) - fioIos(before);
  if (spanMs < leastMs || reads < 0 || writes < 0 || ios < 0) return null;
  const rate = (count: number): number => (count * 1_000) / spanMs;
  const count = now.latencyCount - before.latencyCount;
  const percentile = (share: number, key: string): number | null => {
    const ns =
      now.bins.size > 0
        ? binPercentile(before.bins, now.bins, share)
        : before.latencyCount === 0
          ? (now.percentiles?.[key] ?? null)
          : null;
    return ns === null ? null : ns / 1e6;
  };
  const mean = (now.latencyNsSum - before.latencyNsSum) / count / 1e6;
  return {
    tMs: now.tMs,
    spanMs,
    iops: rate(ios),
    readIops: now.mixed > 0 ? null : rate(reads),
    writeIops: now.mixed > 0 ? null : rate(writes),
    // Means are printed with six decimals: over few I/Os after many their difference may fall below
    // nothing.
    latencyMeanMs: count > 0 && mean >= 0 ? mean : null,
    latencyP95Ms: percentile(0.95, '95.000000'),
    latencyP99Ms: percentile(0.99, '99.000000'),
  };
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
