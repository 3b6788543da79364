import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startSshd } from '../e2e/lab/sshd.ts';
import type { Clock, Log } from '../workers/engine/deps.ts';
import type { JobHandle, SshHost } from '../workers/engine/deps/ssh.ts';
import { createSshEdge } from '../workers/engine/ssh/edge.ts';
import { createLineReader } from '../workers/engine/workloads/lines.ts';
import type { BenchRow } from './row.ts';

const totalLines = 2_400_000;
const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
};
const nothing = (): void => undefined;
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Lines a second of all jobs together, from the first byte asked for to the last one consumed. */
async function rate(
  host: SshHost,
  jobs: readonly JobHandle[],
  lines: number,
  consumer: () => (chunk: Uint8Array, offset: number) => void,
): Promise<number> {
  const startedMs = performance.now();
  await Promise.all(
    jobs.map((job) => host.followJob(job, 0, consumer(), nothing, new AbortController().signal)),
  );
  return lines / ((performance.now() - startedMs) / 1_000);
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function throughput(host: SshHost, count: number): Promise<BenchRow[]> {
  const line =
    '[ 4s ] thds: 4 tps: 1057.78 qps: 21155.60 (r/w/o: 14808.92/4231.12/2115.56) lat (ms,95%): 6.09 err/s: 0.00';
  const command = `awk 'BEGIN { for (i = 0; i < ${totalLines / count}; i++) print "${line}" }'`;
  const jobs = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      host.startJob({ runId: `rate${count}`, jobId: `j${i}`, command, timeLimitS: 120 }),
    ),
  );
  // Read once to its end, so that what is measured does not wait for awk.
  await rate(host, jobs, totalLines, () => nothing);
  const unparsed: number[] = [],
    split: number[] = [];
  // Alternating, so that both meet the same machine.
  for (let round = 0; round < 5; round += 1) {
    unparsed.push(await rate(host, jobs, totalLines, () => nothing));
    split.push(
      await rate(host, jobs, totalLines, () => {
        const reader = createLineReader(0, nothing, nothing);
        return (chunk) => reader.push(chunk);
      }),
    );
  }
  await host.cleanRun(`rate${count}`);
  const [anchor, ours] = [median(unparsed), median(split)];
  return [
    { label: `${count} jobs, bytes only`, value: Math.round(anchor), unit: 'lines/s' },
    {
      label: `${count} jobs, split into lines (times slower)`,
      value: Math.round(ours),
      unit: 'lines/s',
      ratio: anchor / ours,
      budget: 2,
    },
  ];
}

/** CPU of this process while 120 jobs print a line a second, in percent of one core. */
async function idle(host: SshHost): Promise<BenchRow> {
  const jobs = await Promise.all(
    Array.from({ length: 120 }, (_, i) =>
      host.startJob({
        runId: 'idle',
        jobId: `j${i}`,
        command:
          'while :; do echo "4 90944 999.36 MB/sec execute 1 sec latency 8.579 ms"; sleep 1; done',
        timeLimitS: 120,
      }),
    ),
  );
  const stop = new AbortController();
  const ends = jobs.map((job) =>
    host.followJob(job, 0, nothing, nothing, stop.signal).catch(nothing),
  );
  await delay(3_000);
  const before = process.cpuUsage();
  const startedMs = performance.now();
  await delay(10_000);
  const used = process.cpuUsage(before);
  const percent = (used.user + used.system) / 10 / (performance.now() - startedMs);
  stop.abort();
  await Promise.all(ends);
  await host.cleanRun('idle');
  return {
    label: 'following 120 jobs at a line a second',
    value: Math.round(percent * 100) / 100,
    unit: '% of one core',
    budget: 5,
  };
}

/**
 * Output of remote jobs through SSH, followed against followed and split into lines; needs sshd.
 */
export async function run(): Promise<{ name: string; rows: BenchRow[] }[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tilebench-streams-'));
  const sshd = await startSshd({
    name: 'bench',
    dir,
    keysDir: new URL('../e2e/lab/keys', import.meta.url).pathname,
  });
  const edge = createSshEdge({
    clock,
    log,
    trust: { get: () => null, save: nothing },
    readKnownHosts: () => Promise.resolve(''),
  });
  const host = edge.host({
    id: 'bench',
    name: 'bench',
    hops: [
      {
        host: sshd.host,
        port: sshd.port,
        user: sshd.user,
        auth: { method: 'key', privateKey: readFileSync(sshd.privateKeyPath, 'utf8') },
        hostKeySha256: sshd.hostKeySha256,
      },
    ],
  });
  try {
    return [
      {
        name: 'streams',
        rows: [...(await throughput(host, 20)), ...(await throughput(host, 120)), await idle(host)],
      },
    ];
  } finally {
    host.close();
    await sshd.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
