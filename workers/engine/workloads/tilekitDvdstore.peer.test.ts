import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from '../../../e2e/lab/poll.ts';
import { listProcesses, readProc } from '../../../e2e/lab/processes.ts';
import type { LabSshd } from '../../../e2e/lab/sshd.ts';
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
import { parseAll } from './testing/parse.ts';
import { mariadbShop, postgresShop, type Shop, shopPassword } from './testing/shops.ts';

const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const driver = getDriver('tilekit-dvdstore');
const bench = createBench();

let dir: string;
let sshd: LabSshd;
let host: SshHost;
let kits: string;
let secret: string;
const shops = new Map<string, Shop>();
const shop = (kind: string): Shop => shops.get(kind)!;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-shop-'));
  sshd = await bench.sshd();
  kits = join(sshd.home, '.tilebench-kit');
  secret = join(dir, 'secret');
  writeFileSync(secret, `${shopPassword}\n`, { mode: 0o600 });
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    findKit: (platform) => findKit(places, platform),
  });
  host = bench.host(targetOf(hopOf(sshd)), edge);
  shops.set('mysql', await mariadbShop(dir));
  shops.set('postgres', await postgresShop('scram-sha-256'));
});
afterAll(async () => {
  await bench.cleanUp();
  for (const one of shops.values()) await one.stop();
  rmSync(dir, { recursive: true, force: true });
});

const at = (kind: string, more: Record<string, unknown> = {}) =>
  driver.params.parse({
    kind: shop(kind).kind,
    port: shop(kind).port,
    host: '127.0.0.1',
    user: 'ds2',
    database: 'ds2',
    passwordFile: secret,
    users: 4,
    // Others may load this machine for seconds.
    latenessLimitMs: 60_000,
    ...more,
  });
const left = (): string[] => (existsSync(kits) ? readdirSync(kits) : []);
const counted = (kind: string): { orders: number; orderLines: number; newCustomers: number } => {
  const count = (sql: string): number => Number(shop(kind).ask(`SELECT COUNT(*) FROM ${sql}`));
  return {
    orders: count('orders') - 12_000,
    orderLines: count('orderlines WHERE orderid > 12000'),
    newCustomers: count('customers') - 20_000,
  };
};
interface End {
  offered: number;
  done: number;
  failed?: Record<string, number>;
  unfinished: number;
  counts: { orders: number; orderLines: number; newCustomers: number; rollbacks?: number };
}
const endOf = (stdout: Buffer): End =>
  JSON.parse(stdout.toString().trim().split('\n').at(-1)!) as End;

/** Runs the load for some seconds and gives what its program said. */
async function run(
  kind: string,
  durationS: number,
  meanwhile: () => Promise<void>,
  more: Record<string, unknown> = {},
): Promise<{ stdout: Buffer; startMs: number }> {
  const parsed = at(kind, more);
  const job = await host.startJob({
    runId: kind,
    jobId: 't0.shop',
    command: driver.command(parsed, { durationS, intervalS: 1 }),
    timeLimitS: 120,
  });
  const followed = follow(host, job);
  await poll('the first second', () => followed.bytes().toString().includes('"op":"*"'));
  await meanwhile();
  expect(await followed.end).toMatchObject({ exitCode: 0 });
  await host.cleanRun(kind);
  return { stdout: followed.bytes(), startMs: job.startMs };
}

describe.each(['mysql', 'postgres'])('%s', (kind) => {
  test('the check logs in as the load will and says what is wrong; nothing is left on the client', async () => {
    const open = join(dir, 'open');
    writeFileSync(open, 'x\n', { mode: 0o644 });
    const wrong = join(dir, 'wrong');
    writeFileSync(wrong, 'wrong\n', { mode: 0o600 });
    const check = (more: Record<string, unknown>) => driver.check(host, at(kind, more));
    expect(await check({})).toMatchObject({
      ok: true,
      version: kitVersion,
      warning: expect.stringContaining('has no data set of tilekit'),
    });
    expect(await check({ load: false })).toMatchObject({ ok: false, blames: 'size' });
    expect(await check({ passwordFile: wrong })).toMatchObject({
      ok: false,
      blames: 'passwordFile',
      problem: expect.stringMatching(/lets ds2 not into ds2: .*(denied|authentication failed)/i),
    });
    expect(await check({ passwordFile: open })).toMatchObject({
      blames: 'passwordFile',
      problem: expect.stringContaining('chmod 600'),
    });
    expect(await check({ passwordFile: join(dir, 'none') })).toMatchObject({
      blames: 'passwordFile',
    });
    expect(await check({ database: 'nowhere' })).toMatchObject({ ok: false, blames: 'database' });
    expect(await check({ port: 1 })).toMatchObject({
      blames: 'port',
      problem: expect.stringContaining('refused'),
    });
    // The other kind of database answers there.
    const other = kind === 'mysql' ? 'postgres' : 'mysql';
    expect(await check({ port: shop(other).port })).toMatchObject({ ok: false });
    expect(await check({ host: '' })).toMatchObject({
      problem: expect.stringContaining('no database address'),
    });
    expect(left()).toEqual([]);
  });

  test('tables that are not of tilekit are left alone', async () => {
    shop(kind).ask('CREATE TABLE orders (mine INT)');
    await expect(driver.prepare(host, at(kind))).rejects.toMatchObject({
      message: expect.stringContaining('has a table orders that is not of tilekit'),
    });
    await driver.cleanup(host, at(kind, { unload: true }));
    shop(kind).ask('INSERT INTO orders VALUES (1)');
    shop(kind).ask('DROP TABLE orders');
  });

  test('orders and lines in the tables are those that the generator counts, and the next run begins anew', async () => {
    await driver.prepare(host, at(kind));
    expect(counted(kind)).toEqual({ orders: 0, orderLines: 0, newCustomers: 0 });
    expect(await driver.check(host, at(kind, { load: false }))).not.toHaveProperty('warning');
    await driver.prepare(host, at(kind));
    const commands: string[] = [];
    const { stdout, startMs } = await run(kind, 4, async () => {
      for (const { pid } of listProcesses()) commands.push(readProc(`/proc/${pid}/cmdline`));
      // The session over which it is read is cut: the load goes on.
      await sshd.restart();
    });
    expect(commands.some((line) => line.includes('tilekit'))).toBe(true);
    expect([...commands, stdout.toString()].join('\n')).not.toContain(shopPassword);
    const end = endOf(stdout);
    expect(end).toMatchObject({ done: end.offered, unfinished: 0 });
    expect(end.done).toBeGreaterThan(50);
    expect(counted(kind)).toEqual({
      orders: end.counts.orders,
      orderLines: end.counts.orderLines,
      newCustomers: end.counts.newCustomers,
    });
    expect(end.counts.orders + (end.counts.rollbacks ?? 0)).toBe(end.done);
    // 1 to 9 items, 5 on average; one of five is a new customer.
    expect(end.counts.orderLines / end.counts.orders).toBeGreaterThan(4);
    expect(end.counts.orderLines / end.counts.orders).toBeLessThan(6);
    const { samples, parser } = parseAll(driver, at(kind), stdout, { startMs });
    expect(parser.badExamples).toEqual([]);
    const perMin = samples.filter(({ metric }) => metric === 'throughput');
    const orders = perMin.reduce((all, { value }) => all + value / 60, 0);
    expect(Math.abs(orders - end.done)).toBeLessThanOrEqual(0.1 * end.done);
    // As it was loaded: runs of the same plan begin with the same tables.
    await driver.prepare(host, at(kind));
    expect(counted(kind)).toEqual({ orders: 0, orderLines: 0, newCustomers: 0 });
  });

  test('sessions that are cut while they buy fail, are counted, and leave no half order', async () => {
    await driver.prepare(host, at(kind));
    // Long enough that a machine under load cuts before the end.
    const { stdout } = await run(kind, 15, async () => {
      await poll('sessions that are cut', () => shop(kind).cut() > 0);
      const before = counted(kind).orders;
      await poll('orders after the cut', () => counted(kind).orders > before + 8);
    });
    const end = endOf(stdout);
    const failed = Object.values(end.failed ?? {}).reduce((sum, n) => sum + n, 0);
    expect(failed).toBeGreaterThan(0);
    expect(end.done + failed).toBe(end.offered);
    const { orders, orderLines } = counted(kind);
    // A session that is cut while it commits does not know whether it did.
    expect(orders - end.counts.orders).toBeGreaterThanOrEqual(0);
    expect(orders - end.counts.orders).toBeLessThanOrEqual(failed);
    expect(orderLines - end.counts.orderLines).toBeLessThanOrEqual(9 * failed);
    expect(
      shop(kind).ask(
        'SELECT COUNT(*) FROM orders o LEFT JOIN orderlines l ON l.orderid = o.orderid WHERE l.orderid IS NULL',
      ),
    ).toBe('0');
  });

  test('hot products run out: the purchase is rolled back, and is an order all the same', async () => {
    await driver.prepare(host, at(kind));
    shop(kind).ask('UPDATE inventory SET quan_in_stock = 0, sales = 1');
    const { stdout } = await run(kind, 2, () => Promise.resolve(), { mode: 'open', rate: 40 });
    const end = endOf(stdout);
    expect(end.done).toBe(end.offered);
    expect(end.counts.rollbacks).toBe(end.done);
    expect(counted(kind)).toMatchObject({ orders: 0, orderLines: 0 });
  });

  test('loading that is given up ends on the client, and the rest is told as half loaded', async () => {
    const { ask } = shop(kind);
    await driver.cleanup(host, at(kind, { unload: true }));
    const given = new AbortController();
    const made = driver.prepare(host, at(kind, { size: '1000' }), given.signal);
    const refused = expect(made).rejects.toMatchObject({ kind: 'aborted' });
    await poll('the first customers', () => {
      try {
        return Number(ask('SELECT COUNT(*) FROM customers')) > 0;
      } catch {
        return false;
      }
    });
    const loaders = () =>
      listProcesses().filter(({ pid }) => readProc(`/proc/${pid}/cmdline`).includes(`${kits}/`));
    expect(loaders()).not.toEqual([]);
    given.abort();
    await refused;
    await poll('no loader on the client', () => loaders().length === 0);
    expect(await driver.check(host, at(kind, { load: false }))).toMatchObject({
      blames: 'size',
      problem: expect.stringContaining('half loaded'),
    });
    await driver.prepare(host, at(kind));
    expect(counted(kind)).toEqual({ orders: 0, orderLines: 0, newCustomers: 0 });
  });

  test('a data set that is half loaded, of another size or changed is said in words; dropped is what the marker names', async () => {
    const { ask } = shop(kind);
    expect(await driver.check(host, at(kind, { load: false, size: '1' }))).toMatchObject({
      blames: 'size',
      problem: expect.stringContaining('is another'),
    });
    ask("UPDATE tilekit_dvdstore SET value = 'loading' WHERE name = 'state'");
    expect(await driver.check(host, at(kind, { load: false }))).toMatchObject({
      blames: 'size',
      problem: expect.stringContaining('half loaded'),
    });
    await driver.prepare(host, at(kind, { size: '1' }));
    expect(ask('SELECT COUNT(*) FROM customers')).toBe('2000');
    ask('DELETE FROM products WHERE prod_id = 17');
    await expect(driver.prepare(host, at(kind, { size: '1' }))).rejects.toMatchObject({
      message: expect.stringContaining('table products is not as it was loaded'),
    });
    ask('CREATE TABLE mine (n INT)');
    await driver.cleanup(host, at(kind, { unload: true }));
    const schema = kind === 'mysql' ? 'database()' : 'current_schema()';
    expect(
      ask(`SELECT table_name FROM information_schema.tables WHERE table_schema = ${schema}`),
    ).toBe('mine');
    ask('DROP TABLE mine');
    expect(left()).toEqual([]);
  });
});

test('PostgreSQL that asks by MD5 lets in too', async () => {
  const old = await postgresShop('md5');
  try {
    shops.set('old', old);
    expect(await driver.check(host, at('old'))).toMatchObject({ ok: true });
    expect(old.ask("SELECT left(rolpassword, 3) FROM pg_authid WHERE rolname = 'ds2'")).toBe('md5');
  } finally {
    shops.delete('old');
    await old.stop();
  }
});
