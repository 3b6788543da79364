import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { createDemoDeps, type DemoDeps } from './demoDeps.ts';
import { smallLab } from './engine/simlab/testing/smallLab.ts';

let dataDir: string;
let open: DemoDeps[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tilebench-demo-'));
  open = [];
});
afterEach(() => {
  for (const one of open) one.clock.close();
  rmSync(dataDir, { recursive: true, force: true });
});
const start = (): DemoDeps => {
  const made = createDemoDeps({
    host: 'test',
    dataDir,
    resourcesDir: resolve('resources'),
    version: '0',
    pace: { speed: null, paused: false },
  });
  open.push(made);
  return made;
};
const dayMs = 86_400_000;

test('a fresh workspace begins on the same morning everywhere; an end in order goes on where it stopped, ids too', async () => {
  const one = start();
  expect(one.clock.now()).toBe(Date.UTC(2026, 0, 5, 8));
  expect(one.deps.ids.next('run')).toBe('run-sim-00001');
  await one.clock.sleep(3_600_000);
  one.close();
  const two = start();
  expect(two.clock.now()).toBe(Date.UTC(2026, 0, 5, 9));
  expect(two.deps.ids.next('run')).toBe('run-sim-00002');
});

test('without an end in order it begins a day later: nothing overlaps what may have been stored', () => {
  start();
  const two = start();
  expect(two.clock.now()).toBe(Date.UTC(2026, 0, 5, 8) + dayMs);
  expect(two.deps.ids.next('run')).toBe('run-sim-01001');
});

test.each(['', '{', '{"nowMs":"late"}'])('a clock file that says %j counts as none', (text) => {
  writeFileSync(join(dataDir, 'clock.json'), text);
  expect(start().clock.now()).toBe(Date.UTC(2026, 0, 5, 8));
});

test('loaded labs are there again; a file that is none of them is left out', () => {
  const one = start();
  one.deps.lab!.load(smallLab);
  one.close();
  writeFileSync(
    join(dataDir, 'labs', 'torn.json'),
    readFileSync(join(dataDir, 'labs', 'small.json'), 'utf8').slice(0, 100),
  );
  writeFileSync(join(dataDir, 'labs', 'old.json'), '{"schemaVersion":0}');
  expect(
    start()
      .deps.lab!.status()
      .labs.map((lab) => lab.id),
  ).toEqual(['small']);
});

test('time goes on when it cannot be kept', async () => {
  const one = start();
  rmSync(dataDir, { recursive: true });
  await one.clock.sleep(5_000);
  one.clock.setPace({ speed: 10, paused: true });
  expect(one.clock.now()).toBe(Date.UTC(2026, 0, 5, 8) + 5_000);
});
