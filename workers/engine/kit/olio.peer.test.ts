import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { poll } from '../../../e2e/lab/poll.ts';
import { type LabSite, startSite } from '../../../e2e/lab/tilekitServe.ts';
import { mariadbShop, postgresShop, type Shop, shopPassword } from '../workloads/testing/shops.ts';
import { findKit } from './findKit.ts';

const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const people = 200;
const events = 60;

let dir: string;
let kit: string;
let secret: string;
const shops = new Map<string, Shop>();
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-olio-'));
  kit = (await findKit(places)).path;
  secret = join(dir, 'secret');
  writeFileSync(secret, `${shopPassword}\n`, { mode: 0o600 });
  shops.set('mysql', await mariadbShop(dir));
  shops.set('postgres', await postgresShop('scram-sha-256'));
});
afterAll(async () => {
  for (const one of shops.values()) await one.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A site whose people and events are rows of this database. */
const siteOf = (kind: string) => ({
  schema: 1,
  dir: join(dir, `site-${kind}`),
  listen: '127.0.0.1:0',
  people,
  events,
  downloadMb: 0,
  database: {
    kind,
    address: `127.0.0.1:${shops.get(kind)!.port}`,
    user: 'ds2',
    name: 'ds2',
    passwordFile: secret,
    connections: 2,
  },
});
const rows = (kind: string) => {
  const count = (table: string): number =>
    Number(shops.get(kind)!.ask(`SELECT COUNT(*) FROM tilekit_${table}`));
  return { people: count('people'), events: count('events') };
};

interface Line {
  op: string;
  done: number;
  failed?: Record<string, number>;
}
/** Loads the site for some seconds; gives what was done and failed by operation. */
async function load(site: LabSite, durationS: number, meanwhile?: () => Promise<void>) {
  const job = join(dir, `job-${site.port}.json`);
  writeFileSync(
    job,
    JSON.stringify({
      ...{ schema: 1, scenario: 'web', seed: 3, durationS, drainS: 60, users: 8 },
      ...{ mode: 'open', arrivals: { kind: 'constant', rate: [{ atS: 0, perS: 100 }] } },
      web: { target: `http://127.0.0.1:${site.port}`, pages: 'olio', people, events, assets: 1 },
    }),
  );
  const out = promisify(execFile)(kit, ['run', '--job', job], { maxBuffer: 64 << 20 });
  await meanwhile?.();
  const { stdout } = await out;
  const lines = stdout
    .split('\n')
    .filter((line) => line.includes('"op"'))
    .map((line) => JSON.parse(line) as Line);
  const done = (op: string): number =>
    lines.filter((line) => line.op === op).reduce((sum, line) => sum + line.done, 0);
  const failed = lines
    .filter(({ op }) => op === '*')
    .flatMap((line) => Object.entries(line.failed ?? {}));
  return { done, failed };
}

test.each(['mysql', 'postgres'])(
  'pages in the style of Olio are made of rows of %s, and what users add is there as often as it is counted',
  async (kind) => {
    shops.get(kind)!.ask('CREATE TABLE mine (n INT)');
    const site = await startSite(dir, kit, siteOf(kind));
    expect(rows(kind)).toEqual({ people, events });
    const { done, failed } = await load(site, 5);
    expect(failed).toEqual([]);
    expect(done('AddPerson') + done('AddEvent')).toBeGreaterThan(0);
    expect(rows(kind)).toEqual({
      people: people + done('AddPerson'),
      events: events + done('AddEvent'),
    });
    // Two connections serve eight users; they end with it.
    await site.stop();
    await poll('no session of the site', () => shops.get(kind)!.cut() === 0);
    // Loaded again it is as it was; unloaded, nothing of it is left, and what is not its own stays.
    const job = join(dir, `again-${kind}.json`);
    writeFileSync(job, JSON.stringify(siteOf(kind)));
    execFileSync(kit, ['load', '--job', job]);
    expect(rows(kind)).toEqual({ people, events });
    execFileSync(kit, ['unload', '--job', job]);
    const schema = kind === 'mysql' ? 'database()' : 'current_schema()';
    const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = ${schema}`;
    expect(shops.get(kind)!.ask(tables)).toBe('mine');
    expect(spawnSync(kit, ['serve', '--job', job]).status).not.toBe(0);
    shops.get(kind)!.ask('DROP TABLE mine');
  },
);

test('sessions that are cut are failures of their pages alone: the site opens others', async () => {
  mkdirSync(join(dir, 'cut'), { recursive: true });
  const { cut } = shops.get('postgres')!;
  const site = await startSite(join(dir, 'cut'), kit, siteOf('postgres'));
  const { done, failed } = await load(site, 5, async () => {
    await poll('sessions that are cut', () => cut() > 0);
    await poll('sessions after the cut', () => cut() > 0);
  });
  await site.stop();
  expect(failed.length).toBeGreaterThan(0);
  expect(new Set(failed.map(([kind]) => kind))).toEqual(new Set(['status']));
  expect(done('HomePage')).toBeGreaterThan(10);
});
