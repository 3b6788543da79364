import * as z from 'zod';

import type { DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { ask, calibrate } from './tilekitClient.ts';
import type { TilekitEnd, TilekitReading } from './tilekitFormat.ts';
import { commonParams, jobHead, tilekitDriver } from './tilekitScenario.ts';

const packetsOnly = { member: 'kind', is: ['packets'] };
const bytes = z.number().int().min(32).max(1_048_576).default(125);
const params = z.object({
  host: commonParams.host('machine where tilekit serve runs'),
  port: z.number().int().min(1).max(65_535).default(5202).describe('Port of tilekit serve'),
  kind: z
    .enum(['packets', 'requests', 'streams'])
    .default('packets')
    .meta(
      choice('What is sent', {
        packets: 'Packets one way, counted where they arrive',
        requests: 'Requests, each answered',
        streams: 'Streams of bytes',
      }),
    ),
  protocol: z
    .enum(['udp', 'tcp'])
    .default('udp')
    .meta({
      ...choice('Protocol', { udp: 'UDP', tcp: 'TCP' }),
      when: { member: 'kind', is: ['packets', 'requests'] },
    }),
  sendBytes: bytes.meta({
    description: 'Bytes of a packet or request, without headers; with UDP at most 65,507',
    when: { member: 'kind', is: ['packets', 'requests'] },
  }),
  receiveBytes: bytes.meta({
    description: 'Bytes of an answer',
    when: { member: 'kind', is: ['requests'] },
  }),
  direction: z
    .enum(['send', 'receive'])
    .default('send')
    .meta({
      ...choice('Direction', { send: 'The client sends', receive: 'The client receives' }),
      when: { member: 'kind', is: ['streams'] },
    }),
  pace: z
    .enum(['fixed', 'found'])
    .default('fixed')
    .meta({
      ...choice('How many packets per second', {
        fixed: 'A rate',
        found: 'The highest rate whose loss stays below a bound',
      }),
      when: packetsOnly,
    }),
  rate: z
    .number()
    .min(1)
    .max(500_000)
    .default(1_000)
    .meta({
      description: 'Packets or requests per second to offer; the search begins there',
      when: { member: 'kind', is: ['packets', 'requests'] },
    }),
  maxRate: z
    .number()
    .min(1)
    .max(500_000)
    .default(100_000)
    .meta({
      description: 'The search ends there',
      when: { member: 'pace', is: ['found'] },
    }),
  lossBoundPct: z
    .number()
    .min(0)
    .max(100)
    .default(0.1)
    .meta({
      description: 'Loss above which a rate has failed',
      when: { member: 'pace', is: ['found'] },
    }),
  stepS: z
    .number()
    .int()
    .min(1)
    .max(600)
    .default(2)
    .meta({
      description: 'Seconds for which the search tries a rate',
      when: { member: 'pace', is: ['found'] },
    }),
  arrivals: commonParams.arrivals.default('constant').meta({
    ...choice('How they lie in time', { poisson: 'At random (Poisson)', constant: 'Evenly' }),
    when: { member: 'kind', is: ['packets', 'requests'] },
  }),
  bitrateMbps: z
    .number()
    .min(0)
    .max(1_000_000)
    .default(0)
    .meta({
      description: 'Mb/s of all streams to offer; 0 = as fast as it goes',
      when: { member: 'kind', is: ['streams'] },
    }),
  users: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(4)
    .describe('Connections, or senders of datagrams'),
  timeoutMs: commonParams.timeoutMs('A request or a write'),
  latenessLimitMs: commonParams.latenessLimitMs('packets'),
});
type Params = z.infer<typeof params>;

/** Of one operation of a stream, as tilekit has it. */
const blockBytes = 131_072;
const mbit = 8 / 1e6;

const isSearched = ({ kind, pace }: Params): boolean => kind === 'packets' && pace === 'found';

/** What tilekit is told of the other side. */
const netOf = (one: Params) => ({
  host: one.host,
  port: one.port,
  kind: one.kind,
  protocol: one.kind === 'streams' ? 'tcp' : one.protocol,
  sendBytes: one.sendBytes,
  receiveBytes: one.receiveBytes,
  direction: one.direction,
  ...(isSearched(one)
    ? {
        search: {
          lossPct: one.lossBoundPct,
          stepS: one.stepS,
          fromPerS: one.rate,
          maxPerS: Math.max(one.rate, one.maxRate),
        },
      }
    : {}),
});

/** Operations a second of the open loop; 0 = a closed one, as fast as it goes. */
const rateOf = (one: Params): number =>
  one.kind === 'streams' ? one.bitrateMbps / mbit / blockBytes : one.rate;

/** What is on its way at the end is awaited so long. */
const drainS = 2;

const runJob = (one: Params, timing: DriverTiming) => ({
  ...jobHead('net', one, timing),
  durationS: timing.durationS,
  drainS,
  users: one.users,
  ...(rateOf(one) > 0
    ? {
        mode: 'open',
        arrivals: {
          kind: one.kind === 'streams' ? 'constant' : one.arrivals,
          rate: [{ atS: 0, perS: rateOf(one) }],
        },
      }
    : { mode: 'closed' }),
  net: netOf(one),
});

const limits: Readonly<Record<string, string>> = {
  time: 'The load ended before the search for a rate did: give the ramp-up more time',
  client:
    'The search for a rate ended at what the client can send, not at a loss: give the tile a client of its own',
  ceiling: 'The search for a rate reached its own end without a loss above the bound: raise it',
};

/** What the end says of a search, of an order that was not kept, or of a count that is not known. */
function warningOf({ shown, found }: TilekitEnd): string | null {
  const said = [
    ...(found && limits[found.limitedBy] !== undefined
      ? [`${limits[found.limitedBy]}. The rate held last is ${Math.round(found.perS)} packets/s.`]
      : []),
    ...(shown?.notCounted === true
      ? [
          'at the end the other side could not be asked what it received: what was lost is not known.',
        ]
      : []),
    ...(['reordered', 'duplicates', 'damaged'] as const).flatMap((name) => {
      const n = shown?.counts[name] ?? 0;
      const words = {
        reordered: 'came out of order',
        duplicates: 'came twice',
        damaged: 'did not come as they were sent',
      };
      return n > 0 ? [`of ${shown!.expected} packets sent, ${n} ${words[name]}.`] : [];
    }),
    ...((shown?.counts['socketDrops'] ?? 0) > 0
      ? [
          `${shown!.counts['socketDrops']} datagrams reached the other machine and were ` +
            'dropped there, because tilekit serve did not take them in time.',
        ]
      : []),
  ];
  return said.length > 0 ? said.join(' ') : null;
}

/** What is sent one way counts where it arrives, and its time says nothing of the network. */
function readingOf({ kind, direction }: Params): TilekitReading {
  if (kind === 'requests') return {};
  if (kind === 'packets')
    return {
      latency: false,
      received: { op: 'received', lagS: 1, loss: true },
      warning: warningOf,
    };
  return direction === 'receive'
    ? { latency: false, throughput: 'bytes', perUnit: mbit }
    : {
        latency: false,
        perUnit: mbit,
        received: { op: 'received', lagS: 0.5, loss: false },
        warning: warningOf,
      };
}

const units = { packets: 'packets/s', requests: 'requests/s', streams: 'Mb/s' } as const;
const isParameter = (name: string): name is keyof Params => Object.hasOwn(params.shape, name);

/** Packets, requests and streams between a client and a VM, by the program of `kit/` on both sides. */
export const tilekitNet = tilekitDriver<Params>({
  id: 'tilekit-net',
  title: 'tilekit Network',
  role: 'network',
  params,
  unit: ({ kind }) => units[kind],
  more: ({ kind }) => (kind === 'packets' ? [{ metric: 'lossPct', unit: '%', decimals: 4 }] : []),
  reading: readingOf,
  unnamed: {
    server: 'tilekit serve',
    fix: 'Start VMware Tools in the guest, or give its address in the parameters.',
  },
  async check(host, kit, one, signal) {
    const net = netOf(one);
    const said = await ask(host, kit, 'verify', { schema: 1, net }, signal);
    const version = `tilekit ${String(said['kit'])}`;
    const blamed = String(said['blames']);
    if (said['ok'] !== true)
      return {
        ok: false,
        version,
        problem: String(said['problem']),
        blames: isParameter(blamed) ? blamed : 'host',
        fix: 'In the VM: tilekit serve (docs/tilekit.md, Scenario net); let UDP and TCP of its port through.',
      };
    // How fast a stream or a search may become is not known before.
    if (one.kind === 'streams' || isSearched(one)) return { ok: true, version };
    const load = { perS: one.rate, users: one.users, latenessLimitMs: one.latenessLimitMs, net };
    if ((await calibrate(host, kit, load, signal)).ready) return { ok: true, version };
    return {
      ok: false,
      version,
      problem:
        `this client cannot send ${one.rate} ${one.kind} per second in time: it fell behind ` +
        'against a server of its own',
      blames: 'rate',
      fix: 'Lower the rate of this client, or give the tile a client of its own.',
    };
  },
  job: runJob,
});
