import * as z from 'zod';

import type { DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { checkData, commonParams, jobHead, tilekitDriver } from './tilekitScenario.ts';

const plainName = /^[A-Za-z0-9_.@-]{1,64}$/;
/** Defaults are DVD Store's own: docs/tilekit.md has their source. */
const params = z.object({
  kind: z
    .enum(['mysql', 'postgres'])
    .default('mysql')
    .meta(choice('Of the database', { mysql: 'MySQL or MariaDB', postgres: 'PostgreSQL' })),
  host: commonParams.host('database'),
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
  arrivals: commonParams.arrivals,
  pctNew: z.number().min(0).max(100).default(20).describe('Orders by customers who are new'),
  searches: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Searches of an order, on average'),
  items: z.number().int().min(1).max(100).default(5).describe('Items of an order, on average'),
  timeoutMs: commonParams.timeoutMs('An order'),
  latenessLimitMs: commonParams.latenessLimitMs('orders'),
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

const runJob = (one: Params, timing: DriverTiming) => ({
  ...jobHead('dvdstore', one, timing),
  durationS: timing.durationS,
  drainS: 2,
  users: one.users,
  mode: one.mode,
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

/** Orders in the style of DVD Store 2 on a database, by the program of `kit/`. */
export const tilekitDvdstore = tilekitDriver<Params>({
  id: 'tilekit-dvdstore',
  title: 'tilekit DVD Store',
  role: 'database',
  params,
  unit: 'orders/min',
  reading: () => ({ perUnit: 60 }),
  unnamed: {
    server: 'database',
    fix: "Start VMware Tools in the guest, or give the database's address in the parameters.",
  },
  check: (host, kit, one, signal) =>
    checkData(
      { host, kit, one, job: dataJob(one) },
      {
        parameter: (option) => parameters[option],
        dataIs: 'size',
        isMade: 'It is made before the run begins.',
        makeIt: 'Switch load on, or make it on the client: tilekit load.',
        repair: `Start the database, or correct address, port, user and password file; the database ${one.database} must exist.`,
      },
      signal,
    ),
  data: {
    job: dataJob,
    loads: ({ load }) => load,
    unloads: ({ unload }) => unload,
    unloadMs: 600_000,
  },
  job: runJob,
});
