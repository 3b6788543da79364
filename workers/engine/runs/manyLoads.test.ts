import { setImmediate as turn } from 'node:timers/promises';

import type { PlanFile } from '../../../src/core/plan/plan.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let harness: Harness;
afterEach(async () => {
  await harness.close();
});

const tiles = 60;

/** Tiles that all begin at the same moment. */
function manyTiles(): PlanFile {
  const file = testPlanFile();
  const phases = { ...file.plan.phases, staggerS: 0 };
  return {
    ...file,
    testbed: {
      ...file.testbed,
      tiles: Array.from({ length: tiles }, (_, index) => ({
        index,
        workloads: file.testbed.tiles[0]!.workloads.map((one) => ({ ...one, vm: null })),
      })),
    },
    plan: { ...file.plan, tiles, phases },
  };
}

test('loads that start together are stored and told together: not the whole run once for each', async () => {
  harness = await createHarness();
  const id = await harness.launch(manyTiles());
  const running = (): number =>
    harness.overviews
      .findLast((one) => one.id === id)
      ?.workloads.filter(({ state }) => state === 'running').length ?? 0;
  await harness.clock.advanceUntil(() => running() === tiles * 2, 120_000);
  const own = harness.overviews.filter((one) => one.id === id && one.startedAtMs !== null);
  const counts = own.map(
    ({ workloads }) => workloads.filter(({ state }) => state === 'running').length,
  );
  const steps = new Set(counts.filter((count) => count > 0));
  expect(Math.max(...steps)).toBe(tiles * 2);
  // One at a time they would be told in as many steps as there are loads.
  expect(steps.size).toBeLessThan(10);
  expect(own.at(-1)!.events.filter(({ kind }) => kind === 'tileStarted')).toHaveLength(tiles);
});

test('what was gathered is stored when the engine goes away before it was told', async () => {
  harness = await createHarness();
  const id = await harness.launch(manyTiles());
  await harness.clock.advanceUntil(
    () => harness.overviews.some((one) => one.id === id && one.startedAtMs !== null),
    120_000,
  );
  await harness.restart();
  const { events } = await harness.overview(id);
  expect(events.filter(({ kind }) => kind === 'state').map(({ text }) => text)).toContain('rampUp');
});

test('logs of many clients are read side by side, and not of all clients at once', async () => {
  harness = await createHarness();
  const { ssh } = harness.lab.edges;
  const hostOf = ssh.host.bind(ssh);
  let now = 0;
  let most = 0;
  let read = 0;
  ssh.host = (target) => {
    const host = hostOf(target);
    return {
      ...host,
      async readJobFile(...what) {
        now += 1;
        read += 1;
        most = Math.max(most, now);
        await turn();
        now -= 1;
        return host.readJobFile(...what);
      },
    };
  };
  const file = manyTiles();
  const clients = file.testbed.tiles.map(({ index }) => `c${index + 1}`);
  const [client] = file.connections.filter(({ kind }) => kind === 'client');
  const id = await harness.launch({
    ...file,
    connections: [
      ...file.connections.filter(({ kind }) => kind !== 'client'),
      ...clients.map((name) => ({ ...client!, id: name, name })),
    ],
    testbed: {
      ...file.testbed,
      tiles: file.testbed.tiles.map((tile) => ({
        ...tile,
        workloads: tile.workloads.map((one) => ({ ...one, clientId: clients[tile.index]! })),
      })),
    },
    plan: { ...file.plan, phases: { ...file.plan.phases, steadyS: 30, periods: 1 } },
  });
  await harness.clock.advanceUntil(() => {
    const last = harness.overviews.findLast((one) => one.id === id);
    return last !== undefined && isEnd(last.state);
  }, 600_000);
  expect(read).toBe(tiles * 2 * 3);
  // One load of each of sixteen clients, three files of it.
  expect(most).toBe(48);
  const logs = await harness.call('run.log', { id });
  expect(logs).toHaveLength(tiles * 2);
});
