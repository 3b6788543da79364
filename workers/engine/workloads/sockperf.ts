import * as z from 'zod';

import type { Driver } from './driver.ts';
import { noTarget, targetParam, withGuest } from './guestTarget.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { choice } from './parameterMeta.ts';
import { quote } from './shell.ts';
import { checkProgram, num } from './tools.ts';

const params = z.object({
  target: targetParam("Address where sockperf's server runs"),
  port: z.number().int().min(1).max(65_535).default(11_111).describe("Port of sockperf's server"),
  protocol: z
    .enum(['udp', 'tcp'])
    .default('udp')
    .meta(choice('Protocol', { udp: 'UDP', tcp: 'TCP' })),
  messageBytes: z.number().int().min(14).max(65_000).default(64).describe('Bytes of a message'),
});
type Params = z.infer<typeof params>;

const sockperf = (p: Params, seconds: number): string =>
  `timeout ${seconds + 10} sockperf pp${p.protocol === 'tcp' ? ' --tcp' : ''} --full-rtt ` +
  `-i ${quote(p.target)} -p ${p.port} -m ${p.messageBytes} -t ${seconds} 2>&1`;

/** One figure of sockperf's report, by what stands around it. */
const pick = (before: string, after: string): string =>
  `$(printf '%s\\n' "$o" | sed -n 's/.*${before}\\([0-9.]*\\)${after}.*/\\1/p' | head -n 1)`;

/** `p EPOCH SECONDS ANSWERS MEAN P99 MAXIMUM`, round trips in µs; `p EPOCH lost` without an answer. */
const slice = /^p (\d+\.\d+) (?:lost|(\d+\.\d+) (\d+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+))$/;
const ms = (us: string | undefined): number => Math.round(num(us) * 1_000) / 1e6;

/**
 * sockperf ping-pong: one message at a time, there and back. It tells nothing before its end, so an
 * interval is one run of it; its first 0.4 s are a warm-up of its own and not counted.
 */
export const sockperfDriver: Driver<Params> = {
  id: 'sockperf',
  title: 'sockperf',
  role: 'network',
  params,
  minimumVersion: { version: '3.6', reason: 'older ones tell half a round trip only' },
  target: ({ target }) => target,
  withTarget: withGuest,
  series: () => [
    { metric: 'throughput', unit: 'messages/s', decimals: 3 },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 6 },
    { metric: 'latencyP99Ms', unit: 'ms', decimals: 6 },
    { metric: 'latencyMaxMs', unit: 'ms', decimals: 6 },
  ],
  async check(host, p, signal) {
    const found = await checkProgram(
      host,
      'sockperf',
      'sockperf --version | head -1',
      'sockperf',
      signal,
    );
    if (!found.ok) return found;
    if (p.target === '') return { ...found, ...noTarget };
    const { stdout } = await host.exec(sockperf(p, 1), {
      timeoutMs: 20_000,
      ...(signal ? { signal } : {}),
    });
    return /Round trip is/.test(stdout)
      ? found
      : {
          ...found,
          ok: false,
          problem: `no sockperf server answers on ${p.target} port ${p.port} by ${p.protocol.toUpperCase()}`,
          blames: 'target',
          fix:
            `In the VM: sockperf sr -p ${p.port}${p.protocol === 'tcp' ? ' --tcp' : ''}; ` +
            'then look at its address and its firewall.',
        };
  },
  prepare: async () => undefined,
  command(p, { durationS, intervalS }) {
    const seconds = Math.max(2, Math.round(intervalS));
    return (
      `end=$(( $(date +%s) + ${durationS} )); while [ $(( $(date +%s) + ${seconds} )) -le "$end" ]; do ` +
      `o=$(${sockperf(p, seconds)}); at=$(date +%s.%N); ` +
      `n=${pick('\\[Valid Duration\\].*ReceivedMessages=', '')}; ` +
      `s=${pick('\\[Valid Duration\\] RunTime=', ' sec')}; a=${pick('Round trip is ', ' usec')}; ` +
      `q=${pick('percentile 99\\.000 = *', '')}; m=${pick('<MAX> observation = *', '')}; ` +
      'if [ -n "$n" ] && [ -n "$a" ]; then echo "p $at $s $n $a $q $m"; else echo "p $at lost"; sleep 1; fi; done'
    );
  },
  parser: (_params, options) =>
    createLineParser(options.resume, (text) => {
      const found = slice.exec(text);
      if (!found) return !text.startsWith('p ') && isPrintableLine(text) ? 'known' : 'bad';
      const [, at, seconds, answers, mean, p99, max] = found;
      const tMs = Math.round(num(at) * 1_000);
      if (seconds === undefined) {
        options.emit('throughput', tMs, 0);
        return 'taken';
      }
      if (!(num(seconds) > 0)) return 'bad';
      options.emit('throughput', tMs, Math.round((num(answers) / num(seconds)) * 1_000) / 1_000);
      options.emit('latencyMeanMs', tMs, ms(mean));
      options.emit('latencyP99Ms', tMs, ms(p99));
      options.emit('latencyMaxMs', tMs, ms(max));
      return 'taken';
    }),
  finalReport: () => null,
  cleanup: async () => undefined,
};
