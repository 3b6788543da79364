import * as z from 'zod';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck } from './driver.ts';
import { noTarget, targetParam, withGuest } from './guestTarget.ts';
import { iperf3Final, iperf3Parser } from './iperf3Format.ts';
import { choice } from './parameterMeta.ts';
import { quote } from './shell.ts';
import { checkProgram } from './tools.ts';

const params = z.object({
  target: targetParam("Address where iperf3's server runs"),
  port: z.number().int().min(1).max(65_535).default(5201).describe("Port of iperf3's server"),
  protocol: z
    .enum(['tcp', 'udp'])
    .default('tcp')
    .meta(choice('Protocol', { tcp: 'TCP', udp: 'UDP' })),
  direction: z
    .enum(['send', 'receive'])
    .default('send')
    .meta(choice('Direction', { send: 'The client sends', receive: 'The client receives' })),
  streams: z.number().int().min(1).max(128).default(1).describe('Streams side by side'),
  bitrateMbps: z
    .number()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('Mb/s of all streams to hold; 0 = as fast as it goes'),
  lengthBytes: z
    .number()
    .int()
    .min(0)
    .max(1_048_576)
    .default(0)
    .describe("Bytes of a write, and of a UDP datagram; 0 = iperf3's own choice"),
  windowKb: z
    .number()
    .int()
    .min(0)
    .max(1_048_576)
    .default(0)
    .describe("Socket buffer in KB; 0 = the operating system's own"),
});
type Params = z.infer<typeof params>;

/** Where to, by what, which way: what the look before a run and the run have in common. */
const connection = (p: Params): string =>
  `iperf3 -c ${quote(p.target)} -p ${p.port}${p.protocol === 'udp' ? ' -u' : ''}` +
  (p.direction === 'receive' ? ' -R' : '');

/** How long a server may take: iperf3's own limit for connecting does not hold in 3.12. */
const answerS = 8;

/** What a refusal means, by iperf3's own words, and the parameter it is about. */
const refusals: readonly {
  says: RegExp;
  problem: (p: Params) => string;
  blames: keyof Params;
  fix: string;
}[] = [
  {
    says: /name or service not known|name resolution|nodename nor servname/i,
    problem: ({ target }) => `the name ${target} is not known to the client`,
    blames: 'target',
    fix: 'Give an address, or a name that the client resolves.',
  },
  {
    says: /connection refused/i,
    problem: ({ target, port }) => `no iperf3 server listens on ${target} port ${port}`,
    blames: 'port',
    fix: 'In the VM: iperf3 -s -D (with -p where the port is another).',
  },
  {
    says: /busy running a test/i,
    problem: ({ target, port }) =>
      `the iperf3 server on ${target} port ${port} is busy with another test`,
    blames: 'port',
    fix: 'A server takes one test at a time: end the other, or start one more server on another port.',
  },
  {
    says: /no route to host|network is unreachable/i,
    problem: ({ target }) => `the client has no route to ${target}`,
    blames: 'target',
    fix: 'Power on the VM, or correct its address.',
  },
];

async function refusalOf(
  host: SshHost,
  p: Params,
  signal?: AbortSignal,
): Promise<Pick<DriverCheck<Params>, 'problem' | 'blames' | 'fix'> | null> {
  const silent = {
    problem: `${p.target} port ${p.port} did not answer as an iperf3 server within ${answerS} s`,
    blames: 'target' as const,
    fix:
      'Look whether the VM is on, whether iperf3 -s runs there, and whether a firewall lets ' +
      'TCP and UDP of this port through.',
  };
  try {
    const { code, stdout } = await host.exec(`timeout ${answerS} ${connection(p)} -n 1K 2>&1`, {
      timeoutMs: (answerS + 7) * 1_000,
      ...(signal ? { signal } : {}),
    });
    if (code === 0) return null;
    const known = refusals.find(({ says }) => says.test(stdout));
    if (known) return { problem: known.problem(p), blames: known.blames, fix: known.fix };
    const said = /iperf3: error - (.*)/.exec(stdout)?.[1];
    return said === undefined
      ? silent
      : { ...silent, problem: `the iperf3 server on ${p.target} port ${p.port} refuses: ${said}` };
  } catch (error) {
    if (toAppError(error).kind !== 'timedOut') throw error;
    return silent;
  }
}

/** iperf3: the network role, with the original tool against a server in the VM. */
export const iperf3: Driver<Params> = {
  id: 'iperf3',
  title: 'iperf3',
  role: 'network',
  params,
  minimumVersion: {
    version: '3.1',
    reason: 'older ones keep their intervals in a buffer until they end',
  },
  target: ({ target }) => target,
  withTarget: withGuest,
  series: ({ protocol, direction }) => [
    { metric: 'throughput', unit: 'Mb/s', decimals: 3 },
    ...(protocol === 'tcp'
      ? direction === 'send'
        ? [{ metric: 'retransmitRate' as const, unit: 'segments/s', decimals: 3 }]
        : []
      : direction === 'receive'
        ? [
            { metric: 'lossPct' as const, unit: '%', decimals: 4 },
            { metric: 'jitterMs' as const, unit: 'ms', decimals: 3 },
          ]
        : []),
  ],
  async check(host, p, signal) {
    const found = await checkProgram(host, 'iperf3', 'iperf3 --version', 'iperf3', signal);
    if (!found.ok) return found;
    if (p.target === '') return { ...found, ...noTarget };
    const refusal = await refusalOf(host, p, signal);
    if (refusal) return { ...found, ok: false, ...refusal };
    return p.protocol === 'udp' && p.direction === 'send'
      ? {
          ...found,
          warning:
            'of what it sends by UDP iperf3 tells loss and jitter only at its end: the rate of ' +
            'each second is what was sent. The direction "receive" tells both every second',
        }
      : found;
  },
  prepare: async () => undefined,
  command: (p, { durationS, intervalS }) =>
    `exec ${connection(p)} -t ${durationS} -i ${Math.max(1, Math.round(intervalS))} -f k ` +
    `--forceflush -P ${p.streams}` +
    // iperf3 holds the rate of each stream; 0 is no limit, where UDP would else send 1 Mb/s.
    (p.bitrateMbps > 0 || p.protocol === 'udp'
      ? ` -b ${Math.round((p.bitrateMbps * 1e6) / p.streams)}`
      : '') +
    (p.lengthBytes > 0 ? ` -l ${p.lengthBytes}` : '') +
    (p.windowKb > 0 ? ` -w ${p.windowKb}K` : ''),
  parser: (p, options) => iperf3Parser(p, options),
  finalReport: (p, stdout) => iperf3Final(p, stdout),
  cleanup: async () => undefined,
};
