import * as z from 'zod';

import { addressListParam } from './addressList.ts';
import { choice } from './parameterMeta.ts';
import { commonParams } from './tilekitScenario.ts';

const of3 = { member: 'version', is: ['3'] };
const pctOf3 = (pct: number, description: string) =>
  z.number().min(0).max(100).default(pct).meta({ description, when: of3 });
const seconds = (usual: number, least: number, most: number) =>
  z.number().min(least).max(most).default(usual);
const plainName = /^[A-Za-z0-9_.@-]{1,64}$/;
/** Defaults are DVD Store's own: docs/tilekit.md has their source. */
export const shopParams = z.object({
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
      'File on the client, and on web tiers that the run starts, mode 600, with the password as ' +
        'its first line; empty = none',
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
export type ShopParams = z.infer<typeof shopParams>;
