import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type EngineOnLab,
  faultPlan,
  faultProfile,
  startEngineOnLab,
} from '../../../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../../../e2e/lab/lab.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { listProcesses, readProc } from '../../../e2e/lab/processes.ts';
import type { PlanFile } from '../../../src/core/plan/plan.ts';
import { mariadbShop, type Shop, shopPassword } from '../workloads/testing/shops.ts';

let dir: string;
let lab: Lab;
let shop: Shop;
let on: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-web-'));
  lab = await startLab({ dir: join(dir, 'lab'), tiles: 1, clients: 2 });
  shop = await mariadbShop(dir);
  on = await engine();
});
const engine = (): Promise<EngineOnLab> =>
  startEngineOnLab({ dataDir: join(dir, 'data'), limits: { silentMs: 60_000 } });

afterAll(async () => {
  await on.close();
  await shop.stop();
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** One tile whose shoppers go through web tiers that the run starts. */
function shopPlan(webTiers: string): PlanFile {
  const passwordFile = join(dir, 'secret');
  writeFileSync(passwordFile, `${shopPassword}\n`, { mode: 0o600 });
  const file = faultPlan(lab.plan, { phases: { steadyS: 60, rampDownS: 5 } });
  const params = {
    ...{ version: '3', reviewsPerProduct: 1, size: '1', users: 4, thinkS: 0.1 },
    ...{ host: '127.0.0.1', port: shop.port, user: 'ds2', database: 'ds2', passwordFile },
    ...{ through: 'web', webTiers, unload: true, latenessLimitMs: 60_000 },
  };
  const [java, ...rest] = faultProfile.workloads;
  const store = { ...java!, id: 'shop', role: 'database', name: 'Shop' };
  return {
    ...file,
    profile: {
      ...faultProfile,
      workloads: [{ ...store, driver: 'tilekit-dvdstore', params, unit: 'orders/min' }, ...rest],
    },
    testbed: {
      ...file.testbed,
      tiles: file.testbed.tiles.map((tile) => ({
        ...tile,
        workloads: tile.workloads.map((one) =>
          one.workloadId === 'java' ? { ...one, workloadId: 'shop' } : one,
        ),
      })),
    },
  };
}
const serving = (): number =>
  listProcesses().filter(
    ({ pid }) =>
      / serve --job /.test(readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')) &&
      lab.clients.some(({ home }) => readProc(`/proc/${pid}/environ`).includes(home)),
  ).length;
const left = (): string[] =>
  lab.clients.flatMap(({ home }) =>
    ['.tilebench', '.tilebench-kit']
      .map((folder) => join(home, folder))
      .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : [])),
  );

test('a run starts the web tiers of its shop where a login is, sells through them, and leaves none when it is aborted, by another engine than began it', async () => {
  const [one, other] = [await freePort(), await freePort()];
  const id = await on.launch(shopPlan(`127.0.0.1:${one}, 127.0.0.1:${other}`));
  await on.untilSteady(id);
  expect(serving()).toBe(2);
  await poll('orders', () => Number(shop.ask('SELECT COUNT(*) FROM orders')) > 1_220);
  // Another engine takes the run up, and knows what is to be taken away.
  await on.close();
  on = await engine();
  await on.untilSteady(id);
  expect(serving()).toBe(2);
  await on.call('run.abort', { id });
  const { findings } = await on.untilEnd(id);
  expect(findings.filter(({ severity }) => severity === 'block')).toEqual([]);
  expect(serving()).toBe(0);
  expect(left()).toEqual([]);
  expect(shop.ask('SHOW TABLES')).toBe('');
});

test('a web tier whose port is taken ends the run before its load, one whose machine nobody logs in to is found before, both in words', async () => {
  const taken = await on.launch(shopPlan(`127.0.0.1:${shop.port}`));
  const first = await on.untilEnd(taken);
  expect(first.findings.find(({ id }) => id === 'run')?.text).toMatch(
    /^The web tier of Tile 1 Shop on 127\.0\.0\.1 ended at its start: .*address already in use/,
  );
  await expect(on.launch(shopPlan('10.255.255.1'))).rejects.toThrow(
    'shall run on 10.255.255.1, and no client machine with that address is known',
  );
  expect(serving()).toBe(0);
  expect(left()).toEqual([]);
});
