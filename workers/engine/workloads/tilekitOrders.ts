import * as z from 'zod';

import type { DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { ask, calibrate } from './tilekitClient.ts';
import { commonParams, jobHead, tilekitDriver } from './tilekitScenario.ts';

const operation = '(?:order|payment|status|delivery|stock) [0-9]+(?:\\.[0-9]+)?';
const params = z.object({
  host: commonParams.host('order server'),
  port: z.number().int().min(1).max(65_535).default(8_090).describe('Port of the order server'),
  mode: z
    .enum(['open', 'closed'])
    .default('open')
    .meta(
      choice('How the load is offered', {
        open: 'Open: at a rate, whatever the answers',
        closed: 'Closed: users who wait and pause',
      }),
    ),
  arrivals: commonParams.arrivals,
  rate: z
    .number()
    .min(0.1)
    .max(100_000)
    .default(50)
    .meta({
      description: 'Operations per second to offer',
      when: { member: 'mode', is: ['open'] },
    }),
  users: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(16)
    .describe('Users, each with a connection of its own'),
  thinkS: z
    .number()
    .min(0)
    .max(3_600)
    .default(0)
    .meta({
      description: 'Mean pause of a user between two operations',
      when: { member: 'mode', is: ['closed'] },
    }),
  items: z.number().int().min(1).max(100).default(10).describe('Items of an order, on average'),
  weights: z
    .string()
    .regex(
      new RegExp(`^(?:${operation}(?:, ?${operation})*)?$`),
      'operations with weights, as order 50, payment 50',
    )
    .default('')
    .describe(
      'Mix, as order 45, payment 43; also status, delivery, stock. Empty = the least shares of ' +
        'TPC-C (clause 5.2.3): 45, 43, 4, 4, 4',
    ),
  timeoutMs: commonParams.timeoutMs('An operation'),
  latenessLimitMs: commonParams.latenessLimitMs('arrivals'),
});
type Params = z.infer<typeof params>;

const weightsOf = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split(',')
      .map((one) => one.trim().split(' '))
      .flatMap(([name = '', weight]) => (name === '' ? [] : [[name, Number(weight)]])),
  );

const ordersOf = (one: Params) => ({
  target: `http://${one.host}:${one.port}`,
  items: one.items,
  ...(one.weights === '' ? {} : { weights: weightsOf(one.weights) }),
});

const runJob = (one: Params, timing: DriverTiming) => ({
  ...jobHead('orders', one, timing),
  durationS: timing.durationS,
  drainS: 2,
  users: one.users,
  mode: one.mode,
  ...(one.mode === 'open'
    ? { arrivals: { kind: one.arrivals, rate: [{ atS: 0, perS: one.rate }] } }
    : { thinkS: one.thinkS }),
  orders: ordersOf(one),
});

const isParameter = (name: string): name is keyof Params => Object.hasOwn(params.shape, name);

/** Clients of the order server in a JVM, by the program of `kit/`. */
export const tilekitOrders = tilekitDriver<Params>({
  id: 'tilekit-orders',
  title: 'tilekit Orders',
  role: 'java',
  params,
  unit: 'operations/s',
  unnamed: {
    server: 'order server',
    fix: 'Start VMware Tools in the guest, or give its address in the parameters.',
  },
  async check(host, kit, one, signal) {
    const said = await ask(host, kit, 'verify', { schema: 1, orders: ordersOf(one) }, signal);
    const version = `tilekit ${String(said['kit'])}`;
    const blamed = String(said['blames']);
    if (said['ok'] !== true)
      return {
        ok: false,
        version,
        problem: String(said['problem']),
        blames: isParameter(blamed) ? blamed : 'host',
        fix:
          'Prepare the VM with the role Java, and in it: java ' +
          '/srv/tilebench-orders/Orders.java (docs/tilekit.md, Scenario orders).',
      };
    if (one.mode === 'closed') return { ok: true, version };
    const load = { perS: one.rate, users: one.users, latenessLimitMs: one.latenessLimitMs };
    if ((await calibrate(host, kit, load, signal)).ready) return { ok: true, version };
    return {
      ok: false,
      version,
      problem:
        `this client cannot offer ${one.rate} operations per second in time: it fell behind ` +
        'against a server that does nothing',
      blames: 'rate',
      fix: 'Lower the rate of this client, give it more users, or give the tile a client of its own.',
    };
  },
  job: runJob,
});
