import * as z from 'zod';

import { addressesOf, addressListParam } from './addressList.ts';
import type { DriverServer, DriverTiming } from './driver.ts';
import { choice } from './parameterMeta.ts';
import { kitCommand, removeKit } from './tilekitClient.ts';
import type { TilekitEnd } from './tilekitFormat.ts';
import { checkData, commonParams, jobHead, tilekitDriver } from './tilekitScenario.ts';

const of3 = { member: 'version', is: ['3'] };
const pctOf3 = (pct: number, description: string) =>
  z.number().min(0).max(100).default(pct).meta({ description, when: of3 });
const seconds = (usual: number, least: number, most: number) =>
  z.number().min(least).max(most).default(usual);
const plainName = /^[A-Za-z0-9_.@-]{1,64}$/;
/** Defaults are DVD Store's own: docs/tilekit.md has their source. */
const params = z.object({
  version: z
    .enum(['2', '3'])
    .default('2')
    .meta(
      choice('Steps and data set', {
        2: 'In the style of DVD Store 2',
        3: 'In the style of DVD Store 3: reviews and members too',
      }),
    ),
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
  moreNodes: addressListParam(3).describe(
    'Further nodes of the database, as 10.0.0.6, 10.0.0.7:3307; users are spread over all of them',
  ),
  user: z.string().regex(plainName, 'a user name').default('ds2user').describe('Database user'),
  passwordFile: z
    .string()
    .max(1_024)
    .default('')
    .describe(
      'File on the client, and on web tiers that the run starts, mode 600, with the password as its first line; empty = none',
    ),
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
  reviewsPerProduct: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(20)
    .meta({ description: 'Reviews of a product in the data set, on average', when: of3 }),
  load: z
    .boolean()
    .default(true)
    .describe('Make the data set where it is missing, and put it back to its start before a run'),
  unload: z.boolean().default(false).describe('Drop the data set after a run'),
  through: z
    .enum(['database', 'web'])
    .default('database')
    .meta(
      choice('How users reach the shop', {
        database: 'Straight on the database',
        web: 'Through web tiers',
      }),
    ),
  webTiers: addressListParam(8).meta({
    description: 'Web tiers by tilekit serve, as 10.0.0.8, 10.0.0.9:8081; port 8080 unless given',
    when: { member: 'through', is: ['web'] },
  }),
  tierStart: z
    .enum(['run', 'running'])
    .default('run')
    .meta({
      ...choice('Who starts the web tiers; the run does on client machines of their addresses', {
        run: 'The run, over SSH',
        running: 'They run already',
      }),
      when: { member: 'through', is: ['web'] },
    }),
  tierConnections: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(32)
    .meta({
      description: 'Most connections to each node of a web tier that the run starts',
      when: { member: 'through', is: ['web'] },
    }),
  tierPattern: z
    .enum(['together', 'steps', 'bursts'])
    .default('together')
    .meta({
      ...choice('When web tiers are loaded; the pattern of VMmark is not public', {
        together: 'All from the start',
        steps: 'One joins after the other',
        bursts: 'The first all the time, the others on and off',
      }),
      when: { member: 'through', is: ['web'] },
    }),
  joinAfterS: seconds(60, 0, 100_000).meta({
    description: 'From the start of the load, ramp-up included, until the second web tier joins',
    when: { member: 'tierPattern', is: ['steps', 'bursts'] },
  }),
  joinEveryS: seconds(60, 0, 100_000).meta({
    description: 'Until each further web tier joins, after the one before it',
    when: { member: 'tierPattern', is: ['steps', 'bursts'] },
  }),
  onS: seconds(60, 1, 100_000).meta({
    description: 'A web tier after the first is loaded so long at a time',
    when: { member: 'tierPattern', is: ['bursts'] },
  }),
  offS: seconds(60, 1, 100_000).meta({
    description: 'And left alone so long',
    when: { member: 'tierPattern', is: ['bursts'] },
  }),
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
  rampS: seconds(0, 0, 100_000).meta({
    description: 'The rate rises so long from nothing, of a web tier from when it joins',
    when: { member: 'mode', is: ['open'] },
  }),
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
  reviews: z.number().int().min(1).max(100).default(3).meta({
    description: 'Searches for reviews of an order, and as many readings of one product’s',
    when: of3,
  }),
  pctReview: pctOf3(5, 'Orders that write a review'),
  pctRating: pctOf3(10, 'Orders that rate the review of somebody'),
  pctMember: pctOf3(1, 'Orders that make a member of a customer'),
  timeoutMs: commonParams.timeoutMs('An order'),
  latenessLimitMs: commonParams.latenessLimitMs('orders'),
});
type Params = z.infer<typeof params>;

/** Chosen: no server of the shop has it by default. */
const tierPort = 8_080;
const usualPort = { mysql: 3_306, postgres: 5_432 } as const;

/** What tilekit is told of the database; the password stays in its file. */
const shopOf = (one: Params) => ({
  version: Number(one.version),
  database: one.kind,
  host: one.host,
  port: one.port,
  user: one.user,
  name: one.database,
  size: one.size,
  pctNew: one.pctNew,
  searches: one.searches,
  items: one.items,
  ...(one.moreNodes === ''
    ? {}
    : { nodes: addressesOf(one.moreNodes, one.port || usualPort[one.kind]) }),
  ...(one.version === '3'
    ? {
        reviews: one.reviews,
        pctReview: one.pctReview,
        pctRating: one.pctRating,
        pctMember: one.pctMember,
        reviewsPerProduct: one.reviewsPerProduct,
      }
    : {}),
  ...(one.passwordFile === '' ? {} : { passwordFile: one.passwordFile }),
});
/** Its data are made and dropped on the database itself, whichever way users take. */
const dataJob = (one: Params) => ({ schema: 1, dvdstore: shopOf(one) });
const isServed = ({ through, tierStart }: Params): boolean =>
  through === 'web' && tierStart === 'run';

/** The web tiers that a run starts and ends, each with what it is told. */
const serversOf = (one: Params): DriverServer[] =>
  isServed(one)
    ? addressesOf(one.webTiers, tierPort).map((tier) => {
        const [address = '', port = ''] = tier.split(':');
        return {
          name: 'The web tier',
          address,
          blames: 'webTiers',
          ready: '"listens"',
          prepare: async (host, signal) => {
            await host.putKit(signal);
          },
          command: kitCommand('serve', {
            ...dataJob(one),
            shopTier: { listen: `:${port}`, connections: one.tierConnections },
          }),
          cleanup: removeKit,
        };
      })
    : [];

/** The way that users take. */
const usersOf = (one: Params) => ({
  ...shopOf(one),
  ...(one.through === 'web' ? { tiers: addressesOf(one.webTiers, tierPort) } : {}),
});

const rateOf = ({ rate, rampS }: Params) =>
  rampS > 0
    ? [
        { atS: 0, perS: 0 },
        { atS: rampS, perS: rate },
      ]
    : [{ atS: 0, perS: rate }];

/** When the users of each web tier are there: user i is of part i, modulo their number. */
function partsOf(one: Params): { startS: number; onS?: number; offS?: number }[] {
  if (one.through === 'database' || one.tierPattern === 'together') return [{ startS: 0 }];
  return addressesOf(one.webTiers, tierPort).map((_, index) =>
    index === 0
      ? { startS: 0 }
      : {
          startS: one.joinAfterS + (index - 1) * one.joinEveryS,
          ...(one.tierPattern === 'bursts' ? { onS: one.onS, offS: one.offS } : {}),
        },
  );
}

function runJob(one: Params, timing: DriverTiming) {
  const parts = partsOf(one);
  return {
    ...jobHead('dvdstore', one, timing),
    durationS: timing.durationS,
    drainS: 2,
    users: one.users,
    mode: one.mode,
    ...(one.mode === 'open'
      ? { arrivals: { kind: one.arrivals, rate: rateOf(one) } }
      : {
          thinkS: one.thinkS,
          rampUpS: Math.min(one.users / parts.length / one.usersPerS, timing.durationS / 2),
        }),
    ...(parts.length > 1 ? { parts } : {}),
    dvdstore: usersOf(one),
  };
}

/** Which parameter each option of tilekit is. */
const parameters: Readonly<Record<string, keyof Params>> = {
  host: 'host',
  port: 'port',
  user: 'user',
  passwordFile: 'passwordFile',
  name: 'database',
  nodes: 'moreNodes',
  size: 'size',
  tiers: 'webTiers',
};

const classWords: Readonly<Record<string, string>> = {
  connect: 'no connection',
  reset: 'connection cut',
  timeout: 'no answer in time',
  status: 'refused by the server',
  content: 'an answer that cannot be',
  busy: 'every connection of the web tier taken',
};

/** Which node or web tier failed orders, and how; null = none, or there is only one. */
function failuresByPlace({ counts }: TilekitEnd): string | null {
  const places = new Map<string, string[]>();
  for (const [name, n] of Object.entries(counts)) {
    const [, place, kind] = /^failed (.+) ([a-z]+)$/.exec(name) ?? [];
    if (place === undefined || kind === undefined) continue;
    places.set(place, [...(places.get(place) ?? []), `${n} × ${classWords[kind] ?? kind}`]);
  }
  if (places.size === 0) return null;
  return `orders failed at ${[...places].map(([place, how]) => `${place} (${how.join(', ')})`).join('; ')}.`;
}

const wordsOf = (one: Params): Parameters<typeof checkData<Params>>[1] => ({
  parameter: (option) => parameters[option],
  dataIs: 'size',
  isMade: 'It is made before the run begins.',
  makeIt: 'Switch load on, or make it on the client: tilekit load.',
  repair:
    one.through === 'web' && !isServed(one)
      ? 'Start tilekit serve on each web tier (docs/tilekit.md, Scenario dvdstore), or correct the addresses; the database behind must let it in.'
      : `Start the database, or correct address, port, user and password file; the database ${one.database} must exist.`,
});

/** Orders in the style of DVD Store 2 and 3, on a database or through web tiers, by the program of `kit/`. */
export const tilekitDvdstore = tilekitDriver<Params>({
  id: 'tilekit-dvdstore',
  title: 'tilekit DVD Store',
  role: 'database',
  params,
  unit: 'orders/min',
  reading: () => ({ perUnit: 60, warning: failuresByPlace }),
  unnamed: {
    server: 'database',
    fix: "Start VMware Tools in the guest, or give the database's address in the parameters.",
  },
  async check(host, kit, one, signal) {
    if (one.through === 'web' && one.webTiers === '')
      return {
        ok: false,
        version: null,
        problem: 'users go through web tiers, and no web tier is named',
        blames: 'webTiers',
        fix: 'Enter their addresses, or let users go straight on the database.',
      };
    const tiers = one.through === 'web' ? addressesOf(one.webTiers, tierPort).length : 0;
    if (tiers > one.users)
      return {
        ok: false,
        version: null,
        problem: `${tiers} web tiers share ${one.users} users: one of them would have none`,
        blames: 'users',
        fix: 'Give each web tier a user at least.',
      };
    // Web tiers that the run starts are not there yet.
    const job = isServed(one) ? dataJob(one) : { schema: 1, dvdstore: usersOf(one) };
    return checkData({ host, kit, one, job }, wordsOf(one), signal);
  },
  servers: serversOf,
  data: {
    job: dataJob,
    loads: ({ load }) => load,
    unloads: ({ unload }) => unload,
    unloadMs: 600_000,
  },
  job: runJob,
});
