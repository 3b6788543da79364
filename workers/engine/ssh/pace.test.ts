import { setTimeout as delay } from 'node:timers/promises';

import { silentLog } from '../deps.ts';
import type { JobHandle } from '../deps/ssh.ts';
import { followJob } from './follow.ts';
import { createPace } from './pace.ts';
import type { Pool } from './pool.ts';
import type { RemoteFiles } from './sftpLane.ts';
import { defaultLimits } from './types.ts';

test.each([
  [1, 400],
  [120, 400],
  [480, 400],
  [600, 500],
  [1_200, 1_000],
  [5_000, 1_000],
])('of %d followed jobs each is looked at every %d ms', (count, pauseMs) => {
  const pace = createPace(400);
  for (let i = 0; i < count; i += 1) pace.join();
  expect(pace.pauseMs()).toBe(pauseMs);
});

test('a job that is followed no more counts no more, however often that is said', () => {
  const pace = createPace(400);
  const leave = Array.from({ length: 1_200 }, () => pace.join());
  for (const one of leave) {
    one();
    one();
  }
  expect(pace.pauseMs()).toBe(400);
  pace.join();
  expect(pace.pauseMs()).toBe(400);
});

const job: JobHandle = { runId: 'r', jobId: 'j', dir: '/job', pgid: 1, startMs: 0 };
const line = Buffer.from('ops 10.5\n');
const seconds = 60;

test('a job that prints a line per second costs one look per second, and its end is asked for once it is silent', async () => {
  const asked = { reads: 0, exits: 0 };
  let nowMs = 0;
  // Whole lines of the seconds that are over; the exit file comes a second after the last.
  const written = (): number => Math.min(seconds, Math.floor(nowMs / 1_000)) * line.length;
  const files: RemoteFiles = {
    open: async () => Buffer.from('h'),
    read: async (_handle, into, offset) => {
      asked.reads += 1;
      const text = Buffer.concat(Array.from({ length: seconds }, () => line));
      return text.copy(into, 0, offset, written());
    },
    close: () => undefined,
    async tail(path) {
      if (!path.endsWith('/exit')) return Buffer.alloc(0);
      asked.exits += 1;
      return nowMs > (seconds + 1) * 1_000 ? Buffer.from('0 61000 done 60000') : null;
    },
    size: async () => written(),
  };
  const pace = createPace(1_000);
  const host = {
    env: {
      clock: {
        now: () => nowMs,
        sleep: async (ms: number) => {
          nowMs += ms;
          await delay(0);
        },
      },
      log: silentLog,
      limits: defaultLimits,
      trust: { get: () => null, save: () => undefined },
      readKnownHosts: async () => '',
      gateFor: () => ({ run: <T>(work: () => Promise<T>) => work() }),
      pace,
    },
    target: { id: 'c', name: 'client', hops: [] },
    pool: {} as Pool,
  };
  let bytes = 0;
  const end = await followJob(
    host,
    { files: async () => files },
    { check: () => Promise.reject(new Error('a job that prints is alive')) },
    job,
    0,
    (chunk) => {
      bytes += chunk.length;
    },
    () => undefined,
    new AbortController().signal,
  );
  expect(end.exitCode).toBe(0);
  expect(bytes).toBe(seconds * line.length);
  expect(asked.reads).toBeLessThanOrEqual(seconds + 6);
  expect(asked.exits).toBeLessThanOrEqual(5);
});
