import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WebSocket } from 'ws';

import { createClient } from '../src/wire/channel.ts';
import { readToPage, type ToPage } from '../src/wire/toPage.ts';
import { portFromWebSocket } from '../src/wire/webSocketPort.ts';
import { enterBy, type ServedConsole, startServe } from './testing/served.ts';

let dir: string;
let served: ServedConsole;
let cookie: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-host-'));
  served = await startServe(dir);
  cookie = await enterBy(served.file);
});
afterAll(async () => {
  await served.stop();
  rmSync(dir, { recursive: true, force: true });
});

const socketTo = (path: string, port = served.port): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { cookie } });
async function version(): Promise<string> {
  const client = createClient(portFromWebSocket(socketTo('/channel')));
  const info = await client.call('app.info', {});
  client.close();
  return info.version;
}
/** Waits for the next that holds of what a page hears; in order, and none is missed. */
type Heard = (holds: (said: ToPage) => boolean) => Promise<ToPage>;
function listen(page: WebSocket): Heard {
  const said: ToPage[] = [];
  let more = (): void => undefined;
  page.on('message', (data: Buffer) => {
    said.push(readToPage(data.toString()));
    more();
  });
  return async (holds) => {
    for (;;) {
      for (let next = said.shift(); next !== undefined; next = said.shift())
        if (holds(next)) return next;
      await new Promise<void>((done) => {
        more = done;
      });
    }
  };
}

test('an engine that hangs is told to the page, which has it started again; what it was told is taken back', async () => {
  // One that starts yet is given longer.
  await version();
  const page = socketTo('/host');
  const heard = listen(page);
  await heard(({ notice }) => notice === null);
  const before = served.enginePid()!;
  process.kill(before, 'SIGSTOP');
  const { notice } = await heard((said) => said.notice !== null);
  expect(notice).toMatchObject({
    message: 'The engine does not answer',
    detail: expect.stringContaining('started again when it stays silent for 60 s') as string,
    choices: [
      { label: 'Wait', act: 'nothing' },
      { label: 'Start it again', act: 'retry' },
    ],
  });
  page.send(JSON.stringify({ act: 'retry' }));
  await heard((said) => said.notice === null);
  for (let answer = null; answer === null;) answer = await version().catch(() => null);
  expect(served.enginePid()).not.toBe(before);
  page.terminate();
});

test.each(['stopped', 'killed'] as const)(
  'a console that is %s and started again on its port knows the browsers it let in',
  async (how) => {
    const { port } = served;
    await (how === 'stopped' ? served.stop() : served.kill());
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    served = await startUntilFree(port);
    expect(served.port).toBe(port);
    expect(await version()).toMatch(/^\d/);
    // One that was not let in is not let in now.
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' })).status).toBe(401);
    const path = join(dir, 'sessions.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).not.toContain(cookie.split('=')[1]);
  },
);

test('without what it knew, it lets nobody in by an old cookie, and anybody with a new ticket', async () => {
  const { port } = served;
  await served.stop();
  rmSync(join(dir, 'sessions.json'));
  served = await startServe(dir, port);
  const head = () => fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD', headers: { cookie } });
  expect((await head()).status).toBe(401);
  cookie = await enterBy(served.file);
  expect((await head()).status).toBe(200);
  expect(await version()).toMatch(/^\d/);
});

/** After a kill the engine ends by itself, and lets go of the folder then. */
async function startUntilFree(port: number): Promise<ServedConsole> {
  for (;;) {
    const started = await startServe(dir, port).catch(() => null);
    if (started !== null) return started;
  }
}
