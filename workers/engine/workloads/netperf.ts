import * as z from 'zod';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck } from './driver.ts';
import { noTarget, targetParam, withGuest } from './guestTarget.ts';
import { netperfFinal, netperfKeys, netperfParser } from './netperfFormat.ts';
import { choice } from './parameterMeta.ts';
import { quote } from './shell.ts';
import { checkProgram } from './tools.ts';

const transactions = ['TCP_RR', 'UDP_RR', 'TCP_CRR'] as const;
const streams = ['TCP_STREAM', 'TCP_MAERTS'] as const;

const params = z.object({
  test: z
    .enum([...transactions, ...streams])
    .default('TCP_RR')
    .meta(
      choice("netperf's test", {
        TCP_RR: 'Request and answer by TCP',
        UDP_RR: 'Request and answer by UDP',
        TCP_CRR: 'Connect, request, answer',
        TCP_STREAM: 'TCP stream, the client sends',
        TCP_MAERTS: 'TCP stream, the client receives',
      }),
    ),
  target: targetParam('Address where netserver runs'),
  port: z.number().int().min(1).max(65_535).default(12_865).describe('Port of netserver'),
  requestBytes: z
    .number()
    .int()
    .min(1)
    .max(65_000)
    .default(1)
    .meta({ description: 'Bytes of a request', when: { member: 'test', is: transactions } }),
  responseBytes: z
    .number()
    .int()
    .min(1)
    .max(65_000)
    .default(1)
    .meta({ description: 'Bytes of an answer', when: { member: 'test', is: transactions } }),
  writeBytes: z
    .number()
    .int()
    .min(0)
    .max(1_048_576)
    .default(0)
    .meta({
      description: "Bytes of one write into the stream; 0 = netperf's own choice",
      when: { member: 'test', is: streams },
    }),
});
type Params = z.infer<typeof params>;

const isStream = ({ test }: Params): boolean => streams.some((one) => one === test);

/** What only this test has: sizes, and how long a datagram that was lost is waited for. */
function shapeOf(p: Params): string {
  if (!isStream(p))
    return `-r ${p.requestBytes},${p.responseBytes}${p.test === 'UDP_RR' ? ' -e 1' : ''}`;
  if (p.writeBytes === 0) return '';
  // The side that sends: of TCP_MAERTS it is the other.
  return `-m ${p.test === 'TCP_MAERTS' ? ',' : ''}${p.writeBytes}`;
}

/** A negative interval has netperf look at the clock each time: by its guess one lasted 4 s. */
const netperf = (p: Params, seconds: number, intervalS: number): string =>
  `netperf -H ${quote(p.target)} -p ${p.port} -t ${p.test} -l ${seconds} -P 0 ` +
  `-D -${intervalS} -f ${isStream(p) ? 'm' : 'x'} -- ${shapeOf(p)} -k ${netperfKeys.join(',')}`;

/** How long a server may take to answer. */
const answerS = 10;

/** What a refusal means, by netperf's own words, and the parameter it is about. */
const refusals: readonly {
  says: RegExp;
  problem: (p: Params) => string;
  blames?: keyof Params;
  fix: string;
}[] = [
  {
    says: /demo mode not configured/i,
    problem: () => 'this netperf was built without interim results',
    fix: 'Build it with ./configure --enable-demo=yes, as packages of distributions are.',
  },
  {
    says: /could not resolve/i,
    problem: ({ target }) => `the name ${target} is not known to the client`,
    blames: 'target',
    fix: 'Give an address, or a name that the client resolves.',
  },
  {
    says: /are you sure there is a netserver|could not establish the control connection/i,
    problem: ({ target, port }) => `no netserver listens on ${target} port ${port}`,
    blames: 'port',
    fix: 'In the VM: netserver (with -p where the port is another).',
  },
];

async function refusalOf(
  host: SshHost,
  p: Params,
  signal?: AbortSignal,
): Promise<Pick<DriverCheck<Params>, 'problem' | 'blames' | 'fix'> | null> {
  const silent = {
    problem: `${p.target} port ${p.port} did not answer as a netserver within ${answerS} s`,
    blames: 'target' as const,
    fix:
      'Look whether the VM is on, whether netserver runs there, and whether a firewall lets its ' +
      'port and the ports of its data connections through.',
  };
  try {
    const { stdout } = await host.exec(`timeout ${answerS} ${netperf(p, 1, 1)} 2>&1`, {
      timeoutMs: (answerS + 7) * 1_000,
      ...(signal ? { signal } : {}),
    });
    if (netperfFinal(stdout) !== null) return null;
    const known = refusals.find(({ says }) => says.test(stdout));
    return known
      ? {
          problem: known.problem(p),
          fix: known.fix,
          ...(known.blames ? { blames: known.blames } : {}),
        }
      : silent;
  } catch (error) {
    if (toAppError(error).kind !== 'timedOut') throw error;
    return silent;
  }
}

/** netperf: the network role, one connection against netserver in the VM. */
export const netperfDriver: Driver<Params> = {
  id: 'netperf',
  title: 'netperf',
  role: 'network',
  params,
  minimumVersion: {
    version: '2.7',
    reason: 'older ones wait for ever for an answer by UDP that was lost',
  },
  target: ({ target }) => target,
  withTarget: withGuest,
  series: (p) =>
    isStream(p)
      ? [{ metric: 'throughput', unit: 'Mb/s', decimals: 2 }]
      : [
          { metric: 'throughput', unit: 'transactions/s', decimals: 2 },
          { metric: 'latencyMeanMs', unit: 'ms', decimals: 6 },
        ],
  async check(host, p, signal) {
    const found = await checkProgram(host, 'netperf', 'netperf -V', 'netperf', signal);
    if (!found.ok)
      return {
        ok: false,
        version: null,
        problem: 'netperf is not on the path of the client',
        fix:
          "Install netperf 2.7 on the client: it is in Ubuntu's multiverse and Debian's non-free, " +
          'or is built from its source with --enable-demo=yes; Tilebench brings none.',
      };
    if (p.target === '') return { ...found, ...noTarget };
    const refusal = await refusalOf(host, p, signal);
    return refusal ? { ...found, ok: false, ...refusal } : found;
  },
  prepare: async () => undefined,
  command: (p, { durationS, intervalS }) =>
    `exec ${netperf(p, durationS, Math.max(1, Math.round(intervalS)))} 2>&1`,
  parser: (_params, options) => netperfParser(options),
  finalReport: (_params, stdout) => netperfFinal(stdout),
  cleanup: async () => undefined,
};
