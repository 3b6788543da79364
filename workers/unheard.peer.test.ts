import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WebSocket } from 'ws';

import { poll } from '../e2e/lab/poll.ts';
import { createClient } from '../src/wire/channel.ts';
import { portFromWebSocket } from '../src/wire/webSocketPort.ts';
import { enterBy, type ServedConsole, startServe } from './testing/served.ts';

/**
 * Loaded before the programs themselves: promises that fail and that nobody hears, while the
 * supervisor starts its engine, when a process is told to, and as the simulated workspace's thread
 * is spoken to for the first time.
 */
const losing = `
  import { subscribe } from 'node:diagnostics_channel';
  import { isMainThread, parentPort } from 'node:worker_threads';
  const lose = (when) => { void Promise.reject(new Error('lost ' + when)); };
  if (isMainThread) {
    subscribe('child_process', () => lose('while the engine starts'));
    process.on('SIGUSR2', () => lose('on a signal'));
  } else parentPort.once('message', () => lose('in the thread'));
`;

let dir: string;
let served: ServedConsole;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-unheard-'));
  served = await startServe(dir, undefined, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(losing)}`,
  });
});
afterAll(async () => {
  await served.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A log is there with its first line, which is on its way when the process says that it runs. */
const logged = (file: string, words: string): Promise<unknown> =>
  poll(
    `${words} in ${file}`,
    () =>
      existsSync(join(dir, file)) &&
      readFileSync(join(dir, file), 'utf8')
        .split('\n')
        .some((line) => line.includes('nobody listened') && line.includes(words)),
  );
const connect = (cookie: string, query: string) =>
  createClient(
    portFromWebSocket(
      new WebSocket(`ws://127.0.0.1:${served.port}/channel${query}`, { headers: { cookie } }),
    ),
  );

test('promises that fail unheard end neither the supervisor, nor its engine, nor the simulated workspace: each is logged', async () => {
  await logged('logs/serve.log', 'lost while the engine starts');
  const cookie = await enterBy(served.file);
  // An engine that answers hears signals: one that only starts would be ended by them.
  const first = connect(cookie, '');
  expect(await first.call('app.info', {})).toMatchObject({ workspace: 'real' });
  first.close();
  const enginePid = served.enginePid();
  expect(enginePid).not.toBeNull();
  for (const pid of [served.pid, enginePid!]) process.kill(pid, 'SIGUSR2');
  await logged('logs/serve.log', 'lost on a signal');
  await logged('logs/tilebench.log', 'lost on a signal');

  const client = connect(cookie, '?workspace=simulated');
  expect(await client.call('app.info', {})).toMatchObject({ workspace: 'simulated' });
  await logged('demo/logs/tilebench.log', 'lost in the thread');
  // The same thread, over the same connection.
  expect(await client.call('app.info', {})).toMatchObject({ workspace: 'simulated' });
  client.close();
  expect(served.enginePid()).toBe(enginePid);
});
