import * as z from 'zod';

import type { Driver } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { quote } from './shell.ts';
import { num } from './tools.ts';

const params = z.object({
  target: z
    .string()
    .regex(/^[A-Za-z0-9._:-]*$/, 'a host name or address')
    .default('')
    .describe('Address to ping from the client; empty = the client itself lives'),
});

/** `beat 1700000000 1` and, with a target, its round trip in milliseconds, or `lost`. */
const beat = /^beat (\d+) (\d+)(?: ([\d.]+|lost))?$/;

/**
 * The standby VM: a beat a second, with the round trip to the VM where it has an address. Never
 * scored.
 */
export const heartbeat: Driver<z.infer<typeof params>> = {
  id: 'heartbeat',
  title: 'heartbeat',
  role: 'standby',
  params,
  target: ({ target }) => target,
  series: ({ target }) => [
    { metric: 'throughput', unit: 'beats/s', decimals: 2 },
    ...(target ? [{ metric: 'latencyMeanMs' as const, unit: 'ms', decimals: 3 }] : []),
  ],
  async check(host, { target }, signal) {
    if (!target) return { ok: true, version: 'sh' };
    const ping = await host.exec(
      `command -v ping >/dev/null || exit 127; ping -c 1 -W 2 ${quote(target)} 2>&1`,
      { timeoutMs: 10_000, ...(signal ? { signal } : {}) },
    );
    if (ping.code === 127)
      return {
        ok: false,
        version: null,
        problem: 'ping is not installed',
        fix: 'On the client: apt-get install iputils-ping, or leave the target empty.',
      };
    return ping.code === 0
      ? { ok: true, version: 'ping' }
      : {
          ok: false,
          version: 'ping',
          problem: `${target} does not answer a ping`,
          blames: 'target',
          fix: 'Power on the VM, or correct its address.',
        };
  },
  prepare: async () => undefined,
  command({ target }, { durationS, intervalS }) {
    const every = Math.max(1, Math.round(intervalS));
    const trip = target
      ? ` "$(ping -c 1 -W 1 ${quote(target)} 2>/dev/null | sed -n ` +
        "'s/.*time[=<]\\([0-9.]*\\).*/\\1/p' | grep . || echo lost)\""
      : '';
    return (
      `n=0; end=$(( $(date +%s) + ${durationS} )); while [ "$(date +%s)" -lt "$end" ]; do ` +
      `sleep ${every}; n=$((n+1)); echo beat "$(date +%s)" "$n"${trip}; done`
    );
  },
  parser(_params, options) {
    let last = options.resume?.state
      ? Number(options.resume.state)
      : Math.floor(options.startMs / 1_000);
    return createLineParser(
      options.resume,
      (text) => {
        const match = beat.exec(text);
        if (!match) return 'bad';
        const [, seconds, , trip] = match;
        const now = num(seconds);
        // A clock that was set back gives no negative rate.
        options.emit('throughput', now * 1_000, trip === 'lost' ? 0 : 1 / Math.max(1, now - last));
        if (trip !== undefined && trip !== 'lost')
          options.emit('latencyMeanMs', now * 1_000, num(trip));
        last = now;
        return 'taken';
      },
      () => String(last),
    );
  },
  finalReport: () => null,
  cleanup: async () => undefined,
};
