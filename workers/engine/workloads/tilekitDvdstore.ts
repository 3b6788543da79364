import * as z from 'zod';

import type { SshHost } from '../deps/ssh.ts';
import type { Driver, DriverCheck } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { ask, checkInTurn, removeKit, runCommand } from './tilekitClient.ts';
import { tilekitFinal, tilekitParser, tilekitSeries } from './tilekitFormat.ts';

const plainName = /^[A-Za-z0-9_.@-]{1,64}$/;
/** Defaults are DVD Store's own: docs/tilekit.md has their source. */
const params = z.object({
  kind: z
    .enum(['mysql', 'postgres'])
    .default('mysql')
    .meta(choice('Of the database', { mysql: 'MySQL or MariaDB', postgres: 'PostgreSQL' })),
  host: z
    .string()
    .regex(/^[A-Za-z0-9._-]*$/, 'a host name or address')
    .default('')
    .describe('Address of the database; empty = the guest address of the assigned VM'),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe('Port of the database; 0 = the usual one of its kind'),
  user: z.string().regex(plainName, 'a user name').default('ds2user').describe('Database user'),
  passwordFile: z
    .string()
    .max(1_024)
    .default('')
    .describe('File on the client, mode 600, with the password as its first line; empty = none'),
  database: z
    .string()
    .regex(plainName, 'a database name')
    .default('ds2')
    .describe('Database name; must exist and should be for this alone'),
  size: z
    .string()
    .regex(/^(small|medium|large|[1-9][0-9]{0,6})$/, 'small, medium, large or megabytes')
    .default('small')
    .describe('small = 10 MB, medium = 1 GB, large = 100 GB, or a number of megabytes'),
  load: z
    .boolean()
    .default(true)
    .describe('Make the data set where it is missing, and put it back to its start before a run'),
  unload: z.boolean().default(false).describe('Drop the data set after a run'),
  mode: z
    .enum(['closed', 'open'])
    .default('closed')
    .meta(
      choice('How the load is offered; closed is as published', {
        closed: 'Closed: users who wait',
        open: 'Open: orders at a rate',
      }),
    ),
  users: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe('Users (threads), each with a connection of its own'),
  usersPerS: z
    .number()
    .min(0.1)
    .max(10_000)
    .default(10)
    .meta({ description: 'Users who begin per second', when: { member: 'mode', is: ['closed'] } }),
  thinkS: z
    .number()
    .min(0)
    .max(3_600)
    .default(0)
    .meta({
      description: 'Mean pause of a user between two orders',
      when: { member: 'mode', is: ['closed'] },
    }),
  rate: z
    .number()
    .min(0.1)
    .max(100_000)
    .default(10)
    .meta({ description: 'Orders per second to offer', when: { member: 'mode', is: ['open'] } }),
  arrivals: z
    .enum(['poisson', 'constant'])
    .default('poisson')
    .meta({
      ...choice('How they lie in time', { poisson: 'At random (Poisson)', constant: 'Evenly' }),
      when: { member: 'mode', is: ['open'] },
    }),
  pctNew: z.number().min(0).max(100).default(20).describe('Orders by customers who are new'),
  searches: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Searches of an order, on average'),
  items: z.number().int().min(1).max(100).default(5).describe('Items of an order, on average'),
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .max(600_000)
    .default(30_000)
    .describe('An order that takes longer has failed'),
  latenessLimitMs: z
    .number()
    .min(0.1)
    .max(60_000)
    .default(25)
    .describe('A client that is later than this with a hundredth of its orders is too slow'),
});
type Params = z.infer<typeof params>;

/** What tilekit is told of the database; the password stays in its file. */
const shopOf = (one: Params) => ({
  database: one.kind,
  host: one.host,
  port: one.port,
  user: one.user,
  name: one.database,
  size: one.size,
  pctNew: one.pctNew,
  searches: one.searches,
  items: one.items,
  ...(one.passwordFile === '' ? {} : { passwordFile: one.passwordFile }),
});
const dataJob = (one: Params) => ({ schema: 1, dvdstore: shopOf(one) });

const runJob = (one: Params, timing: { durationS: number; intervalS: number }) => ({
  schema: 1,
  scenario: 'dvdstore',
  seed: 1,
  durationS: timing.durationS,
  drainS: 2,
  everyS: Math.max(1, Math.round(timing.intervalS)),
  users: one.users,
  mode: one.mode,
  timeoutMs: one.timeoutMs,
  latenessLimitMs: one.latenessLimitMs,
  ...(one.mode === 'open'
    ? { arrivals: { kind: one.arrivals, rate: [{ atS: 0, perS: one.rate }] } }
    : {
        thinkS: one.thinkS,
        rampUpS: Math.min(one.users / one.usersPerS, timing.durationS / 2),
      }),
  dvdstore: shopOf(one),
});

/** Which parameter each option of tilekit is. */
const parameters: Readonly<Record<string, keyof Params>> = {
  host: 'host',
  port: 'port',
  user: 'user',
  passwordFile: 'passwordFile',
  name: 'database',
  size: 'size',
};

/** A large data set is written for hours. */
const loadMs = 12 * 3_600_000;

async function checkOn(
  host: SshHost,
  one: Params,
  signal?: AbortSignal,
): Promise<DriverCheck<Params>> {
  const kit = await host.putKit(signal);
  const said = await ask(host, kit, 'verify', dataJob(one), signal);
  const version = `tilekit ${String(said['kit'])}`;
  if (said['ok'] === true) return { ok: true, version };
  const blames = parameters[String(said['blames'])] ?? 'host';
  const problem = String(said['problem']);
  if (blames === 'size' && one.load)
    return { ok: true, version, warning: `${problem}. It is made before the run begins.` };
  return {
    ok: false,
    version,
    problem,
    blames,
    fix:
      blames === 'size'
        ? 'Switch load on, or make it on the client: tilekit load.'
        : `Start the database, or correct address, port, user and password file; the database ${one.database} must exist.`,
  };
}

/**
 * Orders in the style of DVD Store 2 on a database, by the program of `kit/`. The password never
 * stands in a job or on a command line.
 */
export const tilekitDvdstore: Driver<Params> = {
  id: 'tilekit-dvdstore',
  title: 'tilekit DVD Store',
  role: 'database',
  params,
  latenessLimitMs: ({ latenessLimitMs }) => latenessLimitMs,
  target: ({ host }) => host,
  withTarget: (one, guest) => (one.host === '' && guest ? { ...one, host: guest } : one),
  series: () => tilekitSeries('orders/min'),
  async check(host, one, signal) {
    if (one.host === '')
      return {
        ok: false,
        version: null,
        problem: 'no database address is set, and the assigned VM has none',
        blames: 'host',
        fix: "Start VMware Tools in the guest, or give the database's address in the parameters.",
      };
    return checkInTurn(host, () => checkOn(host, one, signal));
  },
  async prepare(host, one, signal) {
    const kit = await host.putKit(signal);
    if (one.load) await ask(host, kit, 'load', dataJob(one), signal, loadMs);
  },
  command: (one, timing) => runCommand(runJob(one, timing)),
  parser: (_params, options) => tilekitParser(options, 60),
  finalReport: (_params, stdout) => tilekitFinal(stdout, 60),
  async cleanup(host, one, signal) {
    try {
      if (one.unload)
        await ask(host, await host.putKit(signal), 'unload', dataJob(one), signal, 600_000);
    } finally {
      await removeKit(host, signal);
    }
  },
};
