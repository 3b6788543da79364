import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabMariadb, startMariadb } from '../../../e2e/lab/mariadb.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { type LabPostgres, startPostgres } from '../../../e2e/lab/postgres.ts';
import { getDriver } from './index.ts';
import { againstReport, expectResumable, repeats } from './testing/againstReport.ts';
import { localHost } from './testing/localHost.ts';
import { parseAll } from './testing/parse.ts';
import { runTool } from './testing/runTool.ts';

const driver = getDriver('go-tpc');
const missing = spawnSync('go-tpc', ['version']).error !== undefined;

/** New orders of the intervals, or of the report, by the tool's words and not by the parser. */
const ordersOf = (kind: 'Current' | 'Summary', stdout: string): number[] =>
  [...stdout.matchAll(new RegExp(`\\[${kind}\\] NEW_ORDER - .*?Count: (\\d+)`, 'g'))].map(
    ([, count]) => Number(count),
  );

if (missing)
  test.skip('go-tpc against its own report: it is not installed, and building it takes minutes', () =>
    undefined);
else
  describe('go-tpc', () => {
    let dir: string;
    let mariadb: LabMariadb;
    let postgres: LabPostgres;
    const at = (engine: 'mysql' | 'postgres', more: Record<string, unknown> = {}) => ({
      ...(engine === 'mysql'
        ? { port: mariadb.port, user: mariadb.user, database: mariadb.databases[0] }
        : {
            port: postgres.port,
            user: postgres.user,
            database: postgres.database,
            passFile: join(dir, 'pass'),
          }),
      engine,
      host: '127.0.0.1',
      warehouses: 1,
      threads: 2,
      ...more,
    });
    const parse = (engine: 'mysql' | 'postgres', more: Record<string, unknown> = {}) =>
      driver.params.parse(at(engine, more));
    const checked = (engine: 'mysql' | 'postgres', more: Record<string, unknown> = {}) =>
      driver.check(localHost(), parse(engine, more));
    const sql = (text: string): string =>
      execFileSync(
        'mariadb',
        ['--no-defaults', `--socket=${mariadb.socket}`, '-uroot', '-N', '-e', text],
        { encoding: 'utf8' },
      ).trim();
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'tb-gotpc-'));
      writeFileSync(join(dir, 'pass'), '*:*:*:*:secret\n', { mode: 0o600 });
      mariadb = await startMariadb({ dir });
      postgres = await startPostgres({ password: 'secret' });
    });
    afterAll(async () => {
      await mariadb.stop();
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    test.each(['mysql', 'postgres'] as const)(
      "%s: tables are made once, the sum of the intervals is the tool's own count within 1 %, and a fresh parser goes on from any byte",
      async (engine) => {
        expect(await checked(engine)).toMatchObject({ ok: true });
        await driver.prepare(localHost(), parse(engine));
        await driver.prepare(localHost(), parse(engine));
        for (let i = 0; i < repeats; i += 1) {
          const ran = await againstReport('go-tpc', at(engine), dir, undefined, 5);
          const text = ran.stdout.toString();
          expect(ran.badLines).toEqual([]);
          const told = ran.samples.filter(({ metric }) => metric === 'throughput');
          expect(told.map(({ value }) => value).filter((value) => value > 0)).toEqual(
            ordersOf('Current', text).map((count) => count * 60),
          );
          // What ended after the last tick stands in the report alone.
          const [all = 0] = ordersOf('Summary', text);
          const counted = ordersOf('Current', text).reduce((sum, count) => sum + count, 0);
          // Its report counts until the last transaction has ended; a tick may be late.
          const report = driver.finalReport(parse(engine), text)!;
          const times = told.map(({ tMs }) => tMs);
          const lateMs = Math.max(
            0,
            ...times.slice(1).map((tMs, n) => Math.abs(tMs - times[n]! - 1_000)),
          );
          const untilS = Math.max(5, (all * 60) / report.throughput!);
          const leftS = Math.max(0, untilS - told.length) + lateMs / 1_000;
          const most = Math.max(...told.map(({ value }) => value)) / 60;
          expect(counted).toBeLessThanOrEqual(all);
          expect(all - counted).toBeLessThanOrEqual(all * 0.01 + most * leftS * 2);
          if (i === 0) expectResumable('go-tpc', at(engine), ran);
        }
      },
    );

    test('while the database stands still its intervals say 0', async () => {
      const parsed = parse('mysql');
      const server = Number(readFileSync(join(dir, 'mariadb', 'pid'), 'utf8'));
      const running = runTool(driver.command(parsed, { durationS: 8, intervalS: 1 }), dir);
      setTimeout(() => process.kill(server, 'SIGSTOP'), 2_500);
      setTimeout(() => process.kill(server, 'SIGCONT'), 5_700);
      const { stdout, startMs } = await running;
      const { samples } = parseAll(driver, parsed, stdout, { startMs });
      expect(samples.filter((s) => s.metric === 'throughput').map((s) => s.value)).toContain(0);
    });

    test('what stands in the way of a run is said in words, and no database is made by the check', async () => {
      expect(await checked('mysql', { port: await freePort() })).toMatchObject({
        ok: false,
        blames: 'port',
      });
      expect(await checked('mysql', { user: 'nobody' })).toMatchObject({
        ok: false,
        blames: 'user',
      });
      expect(await checked('mysql', { host: '' })).toMatchObject({ ok: false, blames: 'host' });
      for (const engine of ['mysql', 'postgres'] as const)
        expect(await checked(engine, { database: 'nowhere' })).toMatchObject({
          ok: false,
          problem: expect.stringContaining('no database nowhere'),
          blames: 'database',
        });
      expect(sql('SHOW DATABASES')).not.toContain('nowhere');
      expect(await checked('postgres', { passFile: '' })).toMatchObject({
        ok: false,
        blames: 'passFile',
      });
      expect(await checked('mysql', { warehouses: 2 })).toMatchObject({
        ok: false,
        problem: expect.stringContaining('not those of 2 warehouses'),
        blames: 'warehouses',
      });
    });

    test("another's tables are left alone; clean-up leaves none of its own", async () => {
      const other = mariadb.databases[1]!;
      sql(`CREATE TABLE ${other}.customer (name TEXT); INSERT INTO ${other}.customer VALUES ('a')`);
      await expect(
        driver.prepare(localHost(), parse('mysql', { database: other })),
      ).rejects.toMatchObject({
        kind: 'conflict',
        hint: expect.stringContaining('replaceTables'),
      });
      expect(sql(`SELECT name FROM ${other}.customer`)).toBe('a');
      await driver.cleanup(localHost(), parse('mysql'));
      await driver.cleanup(localHost(), parse('mysql'));
      expect(sql(`SHOW TABLES FROM ${mariadb.databases[0]!}`)).toBe('');
    });
  });
