import * as z from 'zod';

import { fail } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck, DriverParser, ParserOptions } from './driver.ts';
import {
  binPercentile,
  createFioReader,
  type FioDocument,
  fioInterval,
  fioIos,
  fioTotals,
  noFioTotals,
} from './fioFormat.ts';
import { createBadLines } from './lines.ts';
import { markOwnFile, ownFile, removeOwnFile, testDirectory } from './ownFile.ts';
import { quote } from './shell.ts';
import { checkProgram, toolRefused } from './tools.ts';

const params = z.object({
  directory: testDirectory("Directory on the disk under test; empty = the job's own"),
  fileName: z
    .string()
    .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/, 'a plain file name')
    .default('tilebench.fio')
    .describe('Test file in that directory'),
  device: z
    .string()
    .regex(/^$|^\/dev\/(?!.*\.\.)[A-Za-z0-9/._-]{1,190}$/, 'a device under /dev')
    .default('')
    .describe(
      'Raw disk instead of a file, such as /dev/sdb: what is on it is lost; empty = a file',
    ),
  dataLossConfirmed: z
    .string()
    .max(200)
    .default('')
    .describe('The same device once more: the consent that the data on it will be lost'),
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
  rateIops: z
    .number()
    .min(0)
    .default(0)
    .describe('I/Os per second to hold; 0 = as fast as it goes'),
});
type Params = z.infer<typeof params>;

/**
 * An interval is the difference of two documents, whatever was damaged between them is counted and
 * left out.
 */
function parser(options: ParserOptions): DriverParser {
  const bad = createBadLines();
  let before = noFioTotals(options.startMs);
  let keepFrom: number | null = null;
  const reader = createFioReader(
    options.resume?.offset ?? 0,
    (document) => {
      const now = fioTotals(document.jobs, document.tMs);
      const interval = fioInterval(before, now);
      if (!interval) return;
      keepFrom = reader.lastStart;
      before = now;
      options.emit('throughput', now.tMs, round(interval.iops, 100));
      for (const [metric, value] of [
        ['latencyMeanMs', interval.latencyMeanMs],
        ['latencyP95Ms', interval.latencyP95Ms],
        ['latencyP99Ms', interval.latencyP99Ms],
      ] as const)
        if (value !== null) options.emit(metric, now.tMs, round(value, 1e6));
    },
    (text) => bad.add(text),
  );
  return {
    push: (chunk) => reader.push(chunk),
    end: () => reader.end(),
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

const target = ({ device, directory, fileName }: Params): string =>
  device || `${directory ? `${directory.replace(/\/+$/, '')}/` : ''}${fileName}`;

/** As fio reads it: a colon parts file names unless it is escaped. */
const fioFileName = (p: Params): string => quote(target(p).replaceAll(':', '\\:'));

const confirmed = ({ device, dataLossConfirmed }: Params): boolean =>
  device === '' || dataLossConfirmed === device;

const consentHint = ({ device }: Params): string =>
  `If that is meant, set dataLossConfirmed to ${device} in the plan.`;

/**
 * What the client says of a device, and what that means; a disk in use, or one of which that cannot
 * be said, is never loaded.
 */
const deviceProblems = {
  missing: 'is no disk of the client',
  unknown: 'cannot be looked into: the client has no lsblk',
  mounted: 'carries a mounted file system, or swap',
  readonly: 'cannot be written by this user',
} as const;

/** Why this device must not be loaded; null = nothing is in the way. */
async function deviceProblem(
  host: SshHost,
  { device }: Params,
  signal?: AbortSignal,
): Promise<string | null> {
  const looked = await host.exec(
    `d=${quote(device)}; test -b "$d" || { echo missing; exit 1; }
command -v lsblk >/dev/null || { echo unknown; exit 1; }
used=$(lsblk -nro MOUNTPOINT "$d") || { echo unknown; exit 1; }
[ -z "$(printf %s "$used" | tr -d '[:space:]')" ] || { echo mounted; exit 1; }
test -w "$d" || { echo readonly; exit 1; }`,
    signal ? { signal } : {},
  );
  if (looked.code === 0) return null;
  const said = looked.stdout.trim();
  return said in deviceProblems
    ? `${device} ${deviceProblems[said as keyof typeof deviceProblems]}`
    : `${device} cannot be looked into: ${said || looked.stderr.trim()}`;
}

const otherDevice = 'Give another device, or a directory.';

async function checkDevice(
  host: SshHost,
  p: Params,
  version: string | null,
  signal?: AbortSignal,
): Promise<DriverCheck<Params>> {
  const lost = `data on ${p.device} will be lost`;
  if (!confirmed(p))
    return {
      ok: false,
      version,
      problem: lost,
      blames: 'dataLossConfirmed',
      fix: consentHint(p),
    };
  const problem = await deviceProblem(host, p, signal);
  return problem === null
    ? { ok: true, version, warning: lost }
    : { ok: false, version, problem, blames: 'device', fix: otherDevice };
}

/** A device may have been mounted since it was checked. */
async function prepareDevice(host: SshHost, p: Params, signal?: AbortSignal): Promise<void> {
  if (!confirmed(p))
    throw fail('conflict', `Nobody agreed that the data on ${p.device} is lost.`, consentHint(p));
  const problem = await deviceProblem(host, p, signal);
  if (problem !== null) throw fail('conflict', `${problem}.`, otherDevice);
}

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
    if (!program.ok) return program;
    if (p.device) return checkDevice(host, p, program.version, signal);
    if (!p.directory) return program;
    const room = await host.exec(`test -w ${quote(p.directory)}`, signal ? { signal } : {});
    return room.code === 0
      ? program
      : {
          ok: false,
          version: program.version,
          problem: `the directory ${p.directory} is not there or cannot be written`,
          blames: 'directory',
          fix: 'Create it on the client, or give another one.',
        };
  },
  async prepare(host, p, signal) {
    if (p.device) return prepareDevice(host, p, signal);
    if (!p.directory) return;
    await ownFile(host, target(p), signal);
    // Of a file that is to be read fio writes every block: blocks that were only set aside are read
    // without the disk, many times too fast.
    const made = await host.exec(
      `fio --name=prepare --filename=${fioFileName(p)} --size=${p.sizeMb}m --rw=read ` +
        `--bs=1m --create_only=1 2>&1 && { ${markOwnFile(target(p))}; }`,
      { timeoutMs: 30 * 60_000, ...(signal ? { signal } : {}) },
    );
    if (made.code !== 0)
      throw toolRefused(
        `fio cannot make its test file ${target(p)}: ${made.stdout.trim().split('\n').at(-1) ?? ''}`,
        made.stdout,
        'Check the space and the permissions of the directory.',
      );
  },
  command: (p, { durationS, intervalS }) => {
    const reads = Math.round((p.rateIops * p.readPct) / 100);
    const writes = Math.round(p.rateIops) - reads;
    const rate =
      p.rateIops > 0
        ? ' ' +
          `--rate_iops=${p.readPct === 0 ? writes : p.readPct === 100 ? reads : `${Math.max(1, reads)},${Math.max(1, writes)}`}`
        : '';
    const mode = p.readPct === 100 ? 'randread' : p.readPct === 0 ? 'randwrite' : 'randrw';
    return (
      `exec fio --name=io --filename=${fioFileName(p)} --size=${p.sizeMb}m --rw=${mode} ` +
      `--rwmixread=${p.readPct} --percentage_random=${p.randomPct} ` +
      `--bs=${p.blockSizeKb * 1024} --iodepth=${p.outstanding} --ioengine=libaio ` +
      `--direct=${p.direct ? 1 : 0}${p.jobs > 1 ? ` --numjobs=${p.jobs}` : ''}${rate} ` +
      `--runtime=${durationS} --time_based --output-format=json+ ` +
      `--status-interval=${Math.max(1, Math.round(intervalS))} --group_reporting`
    );
  },
  parser: (_params, options) => parser(options),
  finalReport(_params, stdout) {
    const seen: FioDocument[] = [];
    const reader = createFioReader(
      0,
      (document) => seen.splice(0, 1, document),
      () => undefined,
    );
    reader.push(new TextEncoder().encode(stdout));
    const document = seen[0];
    if (!document) return null;
    const totals = fioTotals(document.jobs, document.tMs);
    const ios = fioIos(totals);
    const { runtimeMs } = totals;
    const p95 = binPercentile(new Map(), totals.bins, 0.95);
    const throughput = runtimeMs > 0 ? (ios * 1_000) / runtimeMs : null;
    return {
      throughput: throughput === null ? null : round(throughput, 100),
      latencyMeanMs:
        totals.latencyCount > 0 ? totals.latencyNsSum / totals.latencyCount / 1e6 : null,
      latencyP95Ms: p95 === null ? null : p95 / 1e6,
      text: `${ios} I/Os in ${runtimeMs} ms`,
    };
  },
  async cleanup(host, p, signal) {
    if (p.directory && !p.device) await removeOwnFile(host, target(p), signal);
  },
};
