import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { createClient } from '../src/wire/channel.ts';
import { createDemoHost, type DemoHost } from './demo.ts';

let dir: string;
let host: DemoHost | null = null;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-demo-'));
});
afterEach(async () => {
  await host?.close();
  host = null;
  rmSync(dir, { recursive: true, force: true });
});

const made = (threadFile: string, dataDir = join(dir, 'demo')): DemoHost =>
  (host = createDemoHost({
    threadFile,
    dataDir,
    resourcesDir: resolve('resources'),
    version: '0.0.0-test',
    host: 'cli',
  }));
const thread = resolve('workers/demoThread.ts');

test('the simulated workspace answers from its thread, is kept between connections, and ends in order', async () => {
  const demo = made(thread);
  const one = createClient(await demo.connect());
  expect(await one.call('app.info', {})).toMatchObject({
    workspace: 'simulated',
    dataDir: join(dir, 'demo'),
  });
  await one.call('lab.pace', { speed: 600, paused: true });
  one.close();
  const two = createClient(await demo.connect());
  expect(await two.call('lab.status', {})).toMatchObject({ speed: 600, paused: true });
  await demo.close();
  expect(readdirSync(join(dir, 'demo'))).not.toContain('engine.lock');
});

test('a folder that cannot be made is told on the first call, and a later start is tried again', async () => {
  writeFileSync(join(dir, 'demo'), 'in the way');
  const demo = made(thread);
  await expect(createClient(await demo.connect()).call('app.info', {})).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('cannot be made'),
  });
  rmSync(join(dir, 'demo'));
  expect(await createClient(await demo.connect()).call('app.info', {})).toMatchObject({
    workspace: 'simulated',
  });
});

test('a thread that fails while it starts is told, never a hang', async () => {
  const broken = join(dir, 'broken.mjs');
  writeFileSync(broken, 'throw new Error("no such luck");');
  await expect(
    createClient(await made(broken).connect()).call('lab.status', {}),
  ).rejects.toMatchObject({ kind: 'internal', message: expect.stringContaining('no such luck') });
});
