import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from '../../../e2e/lab/poll.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { startTcpProxy } from '../../../e2e/lab/tcpProxy.ts';
import { type LabShopTier, startShopTier } from '../../../e2e/lab/tilekitServe.ts';
import { silentLog } from '../deps.ts';
import type { SshHost } from '../deps/ssh.ts';
import { findKit } from '../kit/findKit.ts';
import { createSshEdge } from '../ssh/edge.ts';
import {
  createBench,
  follow,
  hopOf,
  memoryTrust,
  realClock,
  targetOf,
} from '../ssh/testing/peer.ts';
import { getDriver } from './index.ts';
import { kitVersion } from './testing/kitVersion.ts';
import { mariadbShop, postgresShop, type Shop, shopPassword } from './testing/shops.ts';

const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const driver = getDriver('tilekit-dvdstore');
const bench = createBench();

let dir: string;
let host: SshHost;
let kit: string;
let secret: string;
const shops = new Map<string, Shop>();
const tiers: LabShopTier[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-tiers-'));
  secret = join(dir, 'secret');
  writeFileSync(secret, `${shopPassword}\n`, { mode: 0o600 });
  kit = (await findKit(places)).path;
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    findKit: (platform) => findKit(places, platform),
  });
  host = bench.host(targetOf(hopOf(await bench.sshd())), edge);
  shops.set('mysql', await mariadbShop(dir));
  shops.set('postgres', await postgresShop('scram-sha-256'));
});
afterEach(async () => {
  for (const one of tiers.splice(0)) await one.stop();
});
afterAll(async () => {
  await bench.cleanUp();
  for (const one of shops.values()) await one.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A tenth of the small data set, one review a product: made in a moment. */
const at = (kind: string, more: Record<string, unknown> = {}) =>
  driver.params.parse({
    version: '3',
    kind,
    port: shops.get(kind)!.port,
    host: '127.0.0.1',
    user: 'ds2',
    database: 'ds2',
    passwordFile: secret,
    size: '1',
    reviewsPerProduct: 1,
    users: 4,
    // As published they would be one order of a hundred: too few in some seconds.
    pctMember: 20,
    pctReview: 50,
    pctRating: 60,
    // Others may load this machine for seconds.
    latenessLimitMs: 60_000,
    ...more,
  });
const loaded = { customers: 2_000, orders: 1_200, reviews: 3_162, members: 200 };

/** A web tier of the shop, or of what stands at these ports of the same database. */
async function tier(kind: string, nodes?: readonly number[]): Promise<LabShopTier> {
  const [first = shops.get(kind)!.port, ...others] = nodes ?? [];
  const one = await startShopTier(dir, kit, {
    name: `tier-${tiers.length}-${Math.random()}`,
    // Fewer than users: they wait for each other's connections.
    connections: 2,
    dvdstore: {
      version: 3,
      database: kind,
      host: '127.0.0.1',
      port: first,
      nodes: others.map((port) => `127.0.0.1:${port}`),
      user: 'ds2',
      name: 'ds2',
      passwordFile: secret,
      size: '1',
      reviewsPerProduct: 1,
    },
  });
  tiers.push(one);
  return one;
}
const through = (...some: readonly { port: number }[]) => ({
  through: 'web',
  tierStart: 'running',
  webTiers: some.map(({ port }) => `127.0.0.1:${port}`).join(', '),
});

const rows = (kind: string) => {
  const count = (sql: string): number =>
    Number(shops.get(kind)!.ask(`SELECT COUNT(*) FROM ${sql}`));
  return {
    orders: count('orders') - loaded.orders,
    orderLines: count(`orderlines WHERE orderid > ${loaded.orders}`),
    newCustomers: count('customers') - loaded.customers,
    newReviews: count('reviews') - loaded.reviews,
    newRatings: count(`reviews_helpfulness WHERE review_helpfulness_id > ${ratings}`),
    newMembers: count('membership') - loaded.members,
  };
};
/** Of the data set, by its own table after it was made. */
let ratings = 0;

interface End {
  offered: number;
  done: number;
  failed?: Record<string, number>;
  counts: Record<string, number>;
}
const sum = (numbers: Readonly<Record<string, number>> = {}): number =>
  Object.values(numbers).reduce((all, n) => all + n, 0);
const written = (end: End) =>
  Object.fromEntries(
    ['orders', 'orderLines', 'newCustomers', 'newReviews', 'newRatings', 'newMembers'].map(
      (name) => [name, end.counts[name] ?? 0],
    ),
  );

/** Runs the load for some seconds and gives what its program said. */
async function output(
  kind: string,
  durationS: number,
  more: Record<string, unknown> = {},
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const parsed = at(kind, more);
  const job = await host.startJob({
    runId: kind,
    jobId: 't0.shop',
    command: driver.command(parsed, { durationS, intervalS: 1 }),
    timeLimitS: 180,
  });
  const followed = follow(host, job);
  await poll('the first second', () => followed.bytes().toString().includes('"op":"*"'));
  await meanwhile();
  expect(await followed.end).toMatchObject({ exitCode: 0 });
  await host.cleanRun(kind);
  return followed.bytes().toString();
}

/** The last line of such a load, with what a run says of it. */
async function run(
  ...load: Parameters<typeof output>
): Promise<End & { warning: string | undefined }> {
  const [kind, , more] = load;
  const stdout = await output(...load);
  return {
    ...(JSON.parse(stdout.trim().split('\n').at(-1)!) as End),
    warning: driver.finalReport(at(kind, more), stdout)?.warning,
  };
}

describe.each(['mysql', 'postgres'])('%s', (kind) => {
  test('orders, reviews, ratings and members are in the tables as often as they are counted, straight and through a web tier with fewer connections than users; the next run begins anew', async () => {
    await driver.prepare(host, at(kind));
    const { ask } = shops.get(kind)!;
    ratings = Number(ask('SELECT COUNT(*) FROM reviews_helpfulness'));
    expect(ratings / loaded.reviews).toBeGreaterThan(19);
    expect(ratings / loaded.reviews).toBeLessThan(22);
    const nothing = rows(kind);
    expect(sum(nothing)).toBe(0);

    const straight = await run(kind, 3);
    expect(straight).toMatchObject({ done: straight.offered, warning: undefined });
    expect(rows(kind)).toEqual(written(straight));
    for (const n of Object.values(written(straight))) expect(n).toBeGreaterThan(0);
    await driver.prepare(host, at(kind));
    expect(rows(kind)).toEqual(nothing);

    const front = await tier(kind);
    const behind = await run(kind, 3, through(front));
    expect(behind).toMatchObject({ done: behind.offered, warning: undefined });
    expect(rows(kind)).toEqual(written(behind));
    for (const n of Object.values(written(behind))) expect(n).toBeGreaterThan(0);
    await front.stop();
    expect(front.served()).toMatchObject({ orders: behind.counts['orders'] });
    // Nothing of it is left at the database.
    await poll('no session of the tier', () => shops.get(kind)!.cut() === 0);
  });

  test('a node that goes away is counted by how it failed and named, and the others go on', async () => {
    const second = await startTcpProxy(shops.get(kind)!.port);
    try {
      const nodes = { moreNodes: `127.0.0.1:${second.port}` };
      // Both are the same database: made once, and found so at the other.
      await driver.prepare(host, at(kind, nodes));
      const end = await run(kind, 10, nodes, async () => {
        second.cut();
        const before = rows(kind).orders;
        await poll('orders after the cut', () => rows(kind).orders > before + 8);
      });
      expect(end.done + sum(end.failed)).toBe(end.offered);
      const named = Object.keys(end.counts).filter((name) => name.startsWith('failed '));
      expect(named.length).toBeGreaterThan(0);
      for (const name of named) expect(name).toContain(`127.0.0.1:${second.port} `);
      expect(named.reduce((all, name) => all + end.counts[name]!, 0)).toBe(sum(end.failed));
      expect(end.warning).toMatch(
        new RegExp(`^orders failed at 127.0.0.1:${second.port} \\(\\d+ × `),
      );
      expect(
        end.counts[`done 127.0.0.1:${second.port}`]! +
          end.counts[`done 127.0.0.1:${shops.get(kind)!.port}`]!,
      ).toBe(end.done);
      expect(await driver.check(host, at(kind, nodes))).toMatchObject({
        ok: false,
        problem: expect.stringContaining(`127.0.0.1:${second.port}`),
      });
    } finally {
      await second.stop();
    }
  });
});

test('sessions of a web tier that are cut while it buys fail at the node behind it, leave no half order, and are opened again', async () => {
  const { ask, cut, port } = shops.get('mysql')!;
  await driver.prepare(host, at('mysql'));
  const front = await tier('mysql');
  const end = await run('mysql', 12, through(front), async () => {
    await poll('sessions that are cut', () => cut() > 0);
    const before = rows('mysql').orders;
    await poll('orders after the cut', () => rows('mysql').orders > before + 8);
  });
  const failed = sum(end.failed);
  expect(failed).toBeGreaterThan(0);
  expect(end.failed).toEqual({ status: failed });
  expect(end.warning).toContain(`127.0.0.1:${port} behind 127.0.0.1:${front.port}`);
  expect(rows('mysql').orders - end.counts['orders']!).toBeGreaterThanOrEqual(0);
  expect(rows('mysql').orders - end.counts['orders']!).toBeLessThanOrEqual(failed);
  const half =
    'SELECT COUNT(*) FROM orders o LEFT JOIN orderlines l ON l.orderid = o.orderid WHERE l.orderid IS NULL';
  expect(ask(half)).toBe('0');
});

test('of two web tiers the one that is killed is named, and the other goes on', async () => {
  await driver.prepare(host, at('postgres'));
  const [one, other] = [await tier('postgres'), await tier('postgres')];
  const end = await run('postgres', 10, through(one, other), async () => {
    await one.kill();
    const before = rows('postgres').orders;
    await poll('orders after its end', () => rows('postgres').orders > before + 8);
  });
  expect(end.failed?.['connect']).toBeGreaterThan(0);
  expect(end.warning).toMatch(
    new RegExp(`^orders failed at 127.0.0.1:${one.port} \\([^;]*no connection[^;]*\\)\\.$`),
  );
  expect(end.counts[`done 127.0.0.1:${other.port}`]).toBeGreaterThan(0);
});

test('web tiers that join in steps and work in turns get their users then, and only then', async () => {
  await driver.prepare(host, at('mysql'));
  const three = [await tier('mysql'), await tier('mysql'), await tier('mysql')];
  const stdout = await output('mysql', 8, {
    ...through(...three),
    users: 3,
    thinkS: 0.05,
    tierPattern: 'bursts',
    joinAfterS: 2,
    joinEveryS: 2,
    onS: 1,
    offS: 3,
  });
  const seconds = stdout
    .split('\n')
    .filter((line) => line.includes('"op":"*"'))
    .map((line) => JSON.parse(line) as { t: number; counts?: Record<string, number> });
  const when = ({ port }: LabShopTier): number[] =>
    seconds.filter(({ counts }) => (counts?.[`done 127.0.0.1:${port}`] ?? 0) > 0).map(({ t }) => t);
  const [first, second, third] = three.map(when);
  expect(first!.length).toBeGreaterThan(3);
  // An order under way at the end of a turn is brought to its end, however long this machine takes.
  expect(second![0]).toBeGreaterThanOrEqual(2);
  expect(third![0]).toBeGreaterThanOrEqual(4);
});

test('a web tier that is none, is not there, serves another shop or has no database behind it is said before a run', async () => {
  await driver.prepare(host, at('mysql'));
  const front = await tier('mysql');
  const checked = (more: Record<string, unknown>) => driver.check(host, at('mysql', more));
  expect(await checked(through(front))).toEqual({ ok: true, version: kitVersion });
  expect(await checked({ ...through(), webTiers: '' })).toMatchObject({
    ok: false,
    blames: 'webTiers',
  });
  expect(await checked(through({ port: await freePort() }))).toMatchObject({
    blames: 'webTiers',
    problem: expect.stringContaining('no web tier answers at 127.0.0.1:'),
  });
  expect(await checked(through(shops.get('postgres')!))).toMatchObject({ blames: 'webTiers' });
  expect(await checked({ ...through(front), version: '2' })).toMatchObject({
    blames: 'webTiers',
    problem: expect.stringContaining('serves another shop'),
  });
  const lost = await tier('mysql', [await freePort()]);
  expect(await checked(through(lost))).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/the web tier at 127.0.0.1:\d+: no database to log in to at/),
  });
  await driver.cleanup(host, at('mysql', { unload: true }));
  expect(shops.get('mysql')!.ask('SHOW TABLES')).toBe('');
});
