import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../e2e/lab/ports.ts';
import { type LabPostgres, startPostgres } from '../../../e2e/lab/postgres.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';

let dir: string;
let database: LabPostgres;
const driver = getDriver('pgbench');
const at = (more: Record<string, unknown> = {}) => ({
  host: database.host,
  port: database.port,
  user: database.user,
  database: database.database,
  passFile: join(dir, 'pass'),
  scale: 1,
  clients: 2,
  ...more,
});
const checked = (more: Record<string, unknown> = {}) =>
  driver.check(localHost(), driver.params.parse(at(more)));
const tables = (): number =>
  Number(database.sql("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'pgbench\\_%'"));

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-pgbench-'));
  writeFileSync(join(dir, 'pass'), '*:*:*:*:secret\n', { mode: 0o600 });
  database = await startPostgres({ password: 'secret' });
  expect(await checked()).toMatchObject({ ok: true, version: expect.stringContaining('pgbench') });
  await driver.prepare(localHost(), driver.params.parse(at()));
});
afterAll(async () => {
  await database.stop();
  rmSync(dir, { recursive: true, force: true });
});

interface Printed {
  tMs: number;
  tps: number;
}
const printedBy = (stdout: string): Printed[] =>
  [...stdout.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps/gm)].map(([, at, tps]) => ({
    tMs: Math.round(Number(at) * 1_000),
    tps: Number(tps),
  }));

test.each([
  { name: 'a load of updates', more: {} },
  { name: 'a load of reads', more: { script: 'select-only' } },
  { name: 'a load held to a rate', more: { script: 'select-only', rate: 200 } },
])(
  "$name: every interval is taken as printed, their sum is the tool's own count within 1 %, and a fresh parser goes on from any byte",
  async ({ more }) => {
    for (let i = 0; i < repeats; i += 1) {
      const ran = await againstReport('pgbench', at(more), dir, undefined, 3);
      const text = ran.stdout.toString();
      const printed = printedBy(text);
      expect(ran.badLines).toEqual([]);
      expect(printed.length).toBeGreaterThan(0);
      expect(
        ran.samples
          .filter((one) => one.metric === 'throughput')
          .map(({ tMs, value }) => ({ tMs, tps: value })),
      ).toEqual(printed);
      // pgbench prints neither when its first interval began nor, as a rule with a rate to hold,
      // its last line: what these can hold is the bound, 1 % of the count where the clock was kept.
      const done = Number(/transactions actually processed: (\d+)/.exec(text)?.[1]);
      const lengths = printed.map(({ tMs }, n) => tMs - (printed[n - 1]?.tMs ?? tMs - 1_000));
      const counted = printed.reduce((sum, { tps }, n) => sum + (tps * lengths[n]!) / 1_000, 0);
      const late = Math.max(...lengths.map((ms) => Math.abs(ms - 1_000)));
      const leftMs = Math.max(0, 3_000 - lengths.reduce((sum, ms) => sum + ms, 0)) + late;
      const most = Math.max(...printed.map(({ tps }) => tps), done / 3);
      expect(Math.abs(counted - done)).toBeLessThanOrEqual(
        done * 0.01 + (most * leftMs * 2) / 1_000,
      );
      expect(ran.samples.some(({ metric }) => metric.startsWith('latencyP'))).toBe(false);
      if (i === 0) expectResumable('pgbench', at(more), ran);
    }
  },
);

test('what stands in the way of a run is said in words, with the parameter it is about', async () => {
  const nobody = await freePort();
  expect(await checked({ port: nobody })).toMatchObject({
    ok: false,
    problem: expect.stringContaining(`127.0.0.1:${nobody}`),
    blames: 'port',
  });
  expect(await checked({ database: 'nowhere' })).toMatchObject({ ok: false, blames: 'database' });
  expect(await checked({ passFile: '' })).toMatchObject({ ok: false, blames: 'passFile' });
  expect(await checked({ host: '' })).toMatchObject({ ok: false, blames: 'host' });
  expect(await checked({ scale: 2 })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('have the scale 1, not 2'),
    blames: 'scale',
  });
});

test('tables of another scale are replaced only where the plan says so; clean-up leaves none', async () => {
  const parse = (more: Record<string, unknown>) => driver.params.parse(at(more));
  await expect(driver.prepare(localHost(), parse({ scale: 2 }))).rejects.toMatchObject({
    kind: 'conflict',
    hint: expect.stringContaining('replaceTables'),
  });
  await driver.prepare(localHost(), parse({ scale: 2, replaceTables: true }));
  expect(database.sql('SELECT count(*) FROM pgbench_branches')).toBe('2');
  expect(tables()).toBe(4);
  await driver.cleanup(localHost(), parse({}));
  await driver.cleanup(localHost(), parse({}));
  expect(tables()).toBe(0);
  expect(await checked()).toMatchObject({ ok: true });
});
