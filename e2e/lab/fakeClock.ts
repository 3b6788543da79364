import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { poll } from './poll.ts';
import { processTree, signalAll } from './processes.ts';

export interface FakeClock {
  env: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * An environment in which every dynamically linked program sees a wall clock off by `offsetS`
 * seconds; intervals (monotonic clock) stay right. One faketime holds the shared memory that all of
 * them use: without it each leaves its own behind when it is killed. Needs the Debian package
 * faketime.
 */
export async function startFakeClock(offsetS: number): Promise<FakeClock> {
  if (!existsSync('/usr/bin/faketime'))
    throw new Error('faketime is missing: apt-get install -y --no-install-recommends faketime');
  const holder = spawn(
    '/usr/bin/faketime',
    ['-m', '-f', `${offsetS >= 0 ? '+' : ''}${offsetS}`, 'sleep', 'infinity'],
    {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        DONT_FAKE_MONOTONIC: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    },
  );
  let ended = false;
  holder.once('error', () => {
    ended = true;
  });
  holder.once('exit', () => {
    ended = true;
  });
  const env = await poll('faketime to start', () => {
    if (ended || holder.pid === undefined) throw new Error('faketime did not start.');
    const sleeper = processTree(holder.pid)[1];
    if (sleeper === undefined) return null;
    const entries = readFileSync(`/proc/${sleeper}/environ`, 'latin1')
      .split('\0')
      .filter((entry) => /^(LD_PRELOAD|FAKETIME|DONT_FAKE)/.test(entry));
    return entries.some((entry) => entry.startsWith('FAKETIME_SHARED='))
      ? Object.fromEntries(
          entries.map((entry) => [
            entry.slice(0, entry.indexOf('=')),
            entry.slice(entry.indexOf('=') + 1),
          ]),
        )
      : null;
  });
  holder.unref();
  return {
    env,
    async stop() {
      // The sleeper only: faketime itself then removes the shared memory.
      if (holder.pid !== undefined) signalAll(processTree(holder.pid).slice(1), 'SIGKILL');
      await poll('faketime to end', () => ended);
    },
  };
}
