import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WebSocket } from 'ws';

import { createClient, memoryPorts, type Port, serve } from '../src/shared/channel.ts';
import { pageFile } from '../src/shared/pageFiles.ts';
import { portFromWebSocket } from '../src/shared/webSocketPort.ts';
import { type ConsoleServer, startServer } from './server.ts';
import { contractHandlers } from './testing/contractHandlers.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-server-'));
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const start = (more: Partial<Parameters<typeof startServer>[0]> = {}) =>
  startServer({
    handlers: contractHandlers(),
    subscribe: () => () => undefined,
    log: silent,
    uiDir: join(dir, 'ui'),
    ...more,
  });
let server: ConsoleServer;

beforeAll(async () => {
  mkdirSync(join(dir, 'ui', 'assets'), { recursive: true });
  writeFileSync(join(dir, 'ui', 'index.html'), '<!doctype html><title>Tilebench</title>');
  writeFileSync(join(dir, 'ui', 'assets', 'a.js'), '1');
  writeFileSync(join(dir, 'secret.json'), '{}');
  server = await start();
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((done, failed) => {
    request({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('end', () =>
          done({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
    })
      .on('error', failed)
      .end();
  });
}
async function upgrade(
  path: string,
  headers: Record<string, string> = {},
): Promise<number | 'open'> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
  socket.on('error', () => undefined);
  const result = await Promise.race([
    once(socket, 'open').then(() => 'open' as const),
    once(socket, 'unexpected-response').then(
      ([, response]) => (response as { statusCode: number }).statusCode,
    ),
  ]);
  socket.terminate();
  return result;
}

test('serves the interface with a policy that forbids inline script', async () => {
  const page = await get('/runs/r1');
  expect([page.status, page.text]).toEqual([200, '<!doctype html><title>Tilebench</title>']);
  expect(page.headers['content-security-policy']).toMatch(/script-src 'self';/);
  expect(page.headers['x-content-type-options']).toBe('nosniff');
  expect((await get('/assets/a.js')).headers['content-type']).toMatch(/^text\/javascript/);
});

test.each([
  '/../secret.json',
  '/%2e%2e/secret.json',
  '/..%2fsecret.json',
  '/assets/..%5c..%5csecret.json',
  '/.env.json',
  '/%00.js',
  '/%zz.js',
  '//etc/passwd.txt',
])('does not leave its folder for %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});
test('a path resolves below the folder or not at all', () => {
  expect(pageFile('/assets/a.js')?.path).toBe('assets/a.js');
  expect(pageFile('/runs/1')?.path).toBe('index.html');
  expect(pageFile('/a.sh')).toBeNull();
});
test('only reads', async () => expect((await get('/', {}, 'POST')).status).toBe(405));
test('another host name is refused: DNS rebinding', async () =>
  expect((await get('/', { host: 'evil.example:80' })).status).toBe(421));

test('the channel takes the token from the page itself, and from a program', async () => {
  expect(await upgrade(`/channel?token=${server.token}`, { origin: server.origin })).toBe('open');
  expect(await upgrade(`/channel?token=${server.token}`)).toBe('open');
});
test.each([
  ['no token', () => '/channel', {}, 401],
  ['a wrong token', () => '/channel?token=abc', {}, 401],
  [
    'another origin',
    () => `/channel?token=${server.token}`,
    { origin: 'http://evil.example' },
    403,
  ],
  ['the origin null', () => `/channel?token=${server.token}`, { origin: 'null' }, 403],
  [
    'the origin of another local port',
    () => `/channel?token=${server.token}`,
    { origin: 'http://127.0.0.1:1' },
    403,
  ],
  ['another host', () => `/channel?token=${server.token}`, { host: 'evil.example' }, 421],
  ['another path', () => `/other?token=${server.token}`, {}, 404],
])('the channel refuses %s', async (_what, path, headers, status) =>
  expect(await upgrade(path(), headers as Record<string, string>)).toBe(status),
);

test.each(['0.0.0.0', '::', '192.168.1.2', 'example.org'])(
  'does not listen on %s',
  async (host) => {
    await expect(start({ host })).rejects.toMatchObject({
      kind: 'invalidInput',
      message: expect.stringContaining(host) as string,
    });
  },
);
test('a port in use is said', async () => {
  await expect(start({ port: server.port })).rejects.toMatchObject({
    kind: 'conflict',
    message: `Port ${server.port} is in use.`,
  });
});

test('each start has its own token', async () => {
  const other = await start();
  expect(other.token).toHaveLength(43);
  expect(other.token).not.toBe(server.token);
  await other.close();
});

test('garbage ends the connection, not the server', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/channel?token=${server.token}`);
  await once(socket, 'open');
  socket.send('text');
  expect((await once(socket, 'close'))[0]).toBe(1003);
  const client = createClient(
    portFromWebSocket(new WebSocket(`ws://127.0.0.1:${server.port}/channel?token=${server.token}`)),
  );
  expect((await client.call('app.info', {})).version).toBe('1');
  client.close();
});

test('a page that asks for the simulated workspace is connected to it, one that does not to the real one; what it says early is kept', async () => {
  const simulated = (): Port => {
    const [near, far] = memoryPorts();
    const handlers = contractHandlers();
    serve(
      far,
      {
        ...handlers,
        'app.info': async (input, signal) => ({
          ...(await handlers['app.info'](input, signal)),
          workspace: 'simulated' as const,
        }),
      },
      () => () => undefined,
    );
    return near;
  };
  let ready = (): void => undefined;
  const started = new Promise<void>((done) => {
    ready = done;
  });
  const both = await start({ demo: { connect: () => started.then(simulated) } });
  const clientOf = (query: string): ReturnType<typeof createClient> =>
    createClient(
      portFromWebSocket(
        new WebSocket(`ws://127.0.0.1:${both.port}/channel?token=${both.token}${query}`),
      ),
    );
  const demo = clientOf('&workspace=simulated');
  const asked = demo.call('app.info', {});
  expect((await clientOf('').call('app.info', {})).workspace).toBe('real');
  ready();
  expect((await asked).workspace).toBe('simulated');
  await both.close();
});
