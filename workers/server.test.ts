import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WebSocket } from 'ws';

import { createClient } from '../src/wire/channel.ts';
import { bornAt } from '../src/wire/engineLife.ts';
import { type EngineNotice, noticeForPage } from '../src/wire/engineNotice.ts';
import { portOfFrames } from '../src/wire/framedPort.ts';
import { pageFile } from '../src/wire/pageFiles.ts';
import { memoryPorts, type Port } from '../src/wire/ports.ts';
import { serve } from '../src/wire/serve.ts';
import { readToPage } from '../src/wire/toPage.ts';
import { portFromWebSocket } from '../src/wire/webSocketPort.ts';
import { silentLog } from './engine/deps.ts';
import { createEntry } from './entry.ts';
import { type ConsoleServer, startServer } from './server.ts';
import { contractHandlers } from './testing/contractHandlers.ts';

const dir = mkdtempSync(join(tmpdir(), 'tilebench-server-'));
const silent = silentLog;
/**
 * An engine of a few answers behind a port of frames, as the pipe to the engine's process is one.
 */
function engineOf(workspace: 'real' | 'simulated'): Port {
  const [near, far] = memoryPorts();
  const handlers = contractHandlers();
  serve(
    portOfFrames(far),
    {
      ...handlers,
      'app.info': async (input, signal) => ({
        ...(await handlers['app.info'](input, signal)),
        workspace,
      }),
    },
    () => () => undefined,
  );
  return near;
}
const start = (more: Partial<Parameters<typeof startServer>[0]> = {}) =>
  startServer({
    connect: () => engineOf('real'),
    log: silent,
    uiDir: join(dir, 'ui'),
    ...more,
  });
let server: ConsoleServer;
let cookie = '';

beforeAll(async () => {
  mkdirSync(join(dir, 'ui', 'assets'), { recursive: true });
  writeFileSync(join(dir, 'ui', 'index.html'), '<!doctype html><title>Tilebench</title>');
  writeFileSync(join(dir, 'ui', 'assets', 'a.js'), '1');
  writeFileSync(join(dir, 'secret.json'), '{}');
  server = await start();
  cookie = await enter(server);
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The cookie that a new ticket is exchanged for. */
async function enter(into: ConsoleServer): Promise<string> {
  const { headers } = await fetch(into.invite());
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}
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
/** What the server answers to a request written by hand. */
function raw(...lines: string[]): Promise<string> {
  return new Promise((done, failed) => {
    let text = '';
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(
        [...lines, `Host: 127.0.0.1:${server.port}`, 'Connection: close', '', ''].join('\r\n'),
      );
    });
    socket
      .on('data', (piece) => {
        text += piece.toString();
      })
      .on('close', () => done(text))
      .on('error', failed);
  });
}
async function upgrade(
  path: string,
  headers: Record<string, string> = {},
  port = server.port,
): Promise<number | 'open'> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
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
  const page = await get('/runs/r1', { cookie });
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

test('the channel takes the cookie from the page itself, and from a program', async () => {
  expect(await upgrade('/channel', { origin: server.origin, cookie })).toBe('open');
  expect(await upgrade('/channel', { cookie: `a=b; ${cookie}; c=d` })).toBe('open');
});
test.each([
  ['no cookie', '/channel', () => ({}), 401],
  ['a wrong cookie', '/channel', () => ({ cookie: `tilebench-${server.port}=abc` }), 401],
  ['a ticket', '/channel?ticket=', () => ({}), 401],
  ['another origin', '/channel', () => ({ cookie, origin: 'http://evil.example' }), 403],
  ['the origin null', '/channel', () => ({ cookie, origin: 'null' }), 403],
  [
    'the origin of another local port',
    '/channel',
    () => ({ cookie, origin: 'http://127.0.0.1:1' }),
    403,
  ],
  ['another host', '/channel', () => ({ cookie, host: 'evil.example' }), 421],
  ['another path', '/other', () => ({ cookie }), 404],
  ['no path at all', '//[', () => ({}), 404],
])('the channel refuses %s', async (_what, path, headers, status) =>
  expect(await upgrade(path, headers())).toBe(status),
);
test('without an engine the channel is refused, and taken again when there is one', async () => {
  let engine: Port | null = null;
  const alone = await start({ connect: () => engine });
  const own = await enter(alone);
  const opened = async (): Promise<number | 'open'> =>
    upgrade('/channel', { cookie: own }, alone.port);
  expect(await opened()).toBe(503);
  engine = engineOf('real');
  expect(await opened()).toBe('open');
  await alone.close();
});

test('a ticket lets in once, for a cookie of its own; no answer leads on to another place or tells the ticket', async () => {
  const ticket = new URL(server.invite());
  const path = `${ticket.pathname}${ticket.search}&workspace=simulated`;
  const first = await get(path);
  expect(first.headers['set-cookie']).toEqual([
    expect.stringMatching(
      new RegExp(`^tilebench-${server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    ),
  ]);
  expect(first.text).toContain('0;url=/?workspace=simulated');
  for (const { headers, text } of [first, await get(path)]) {
    expect(text).not.toContain(ticket.searchParams.get('ticket'));
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
  }
  expect((await get(path)).headers['set-cookie']).toBeUndefined();
});
test('who was not let in is told what to do; who comes from elsewhere, and may have the cookie, comes back to it', async () => {
  const page = await get('/');
  expect([page.status, page.text]).toEqual([401, expect.stringContaining('console.html')]);
  const back = await get('/runs/r1?workspace=simulated', { 'sec-fetch-site': 'cross-site' });
  expect([back.status, back.text]).toEqual([
    200,
    expect.stringContaining('content="0;url=/runs/r1?workspace=simulated"'),
  ]);
  for (const path of ['//evil.example/', '/"><script>', '/a b'])
    expect(
      (await raw(`GET ${path} HTTP/1.1`, 'Sec-Fetch-Site: cross-site')).split('\r\n\r\n')[1],
    ).not.toMatch(/evil|script|url=/);
});
test('tickets run out, and only so many are kept', () => {
  let nowMs = 0;
  const entry = createEntry(undefined, () => nowMs);
  const late = entry.issue(1_000);
  nowMs = 1_000;
  expect(entry.redeem(late)).toBe(false);
  const first = entry.issue(1_000);
  for (let i = 0; i < 64; i += 1) entry.issue(1_000);
  expect(entry.redeem(first)).toBe(false);
});

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

test('each browser has its own cookie, which holds where it was let in', async () => {
  const other = await start();
  expect(new Set([cookie, await enter(server), await enter(other)]).size).toBe(3);
  const elsewhere = cookie.replace(`${server.port}`, `${other.port}`);
  expect(await upgrade('/channel', { cookie: elsewhere }, other.port)).toBe(401);
  await other.close();
});

describe('what the host says of its engine', () => {
  const notice = noticeForPage({ ...bornAt(0), phase: 'unresponsive', readyMs: 0 });
  const asked: unknown[] = [];
  const listeners = new Set<(next: EngineNotice | null) => void>();
  let withDesk: ConsoleServer;
  let own: string;
  beforeAll(async () => {
    withDesk = await start({
      desk: {
        notice: () => null,
        onNotice(listener) {
          listeners.add(listener);
          return () => {
            listeners.delete(listener);
          };
        },
        act: (act) => asked.push(act),
      },
    });
    own = await enter(withDesk);
  });
  afterAll(() => withDesk.close());
  const link = (): WebSocket =>
    new WebSocket(`ws://127.0.0.1:${withDesk.port}/host`, { headers: { cookie: own } });
  const next = async (socket: WebSocket): Promise<unknown> =>
    readToPage(String((await once(socket, 'message'))[0]));

  test('is told at once and at each change; a page asks for a new start', async () => {
    const socket = link();
    expect(await next(socket)).toEqual({ notice: null });
    for (const listener of listeners) listener(notice);
    expect(await next(socket)).toEqual({ notice });
    socket.send(JSON.stringify({ act: 'retry' }));
    socket.close();
    await once(socket, 'close');
    expect(asked).toEqual(['retry']);
    expect(listeners.size).toBe(0);
  });

  test.each<[string, string | Buffer]>([
    ['half a message', '{'],
    ['what it may not ask', '{"act":"quit"}'],
    ['nothing', 'null'],
    ['bytes', Buffer.of(1)],
    ['too much', 'x'.repeat(5_000)],
  ])(
    'a page that says %s is cut off, nothing is done, and the next is served',
    async (_what, words) => {
      const before = asked.length;
      const socket = link();
      await once(socket, 'open');
      socket.send(words);
      expect((await once(socket, 'close'))[0]).toBeGreaterThanOrEqual(1003);
      expect(asked.length).toBe(before);
      const again = link();
      expect(await next(again)).toEqual({ notice: null });
      again.terminate();
    },
  );

  test('is for who was let in, and for pages of its own', async () => {
    expect(await upgrade('/host', {}, withDesk.port)).toBe(401);
    const foreign = { cookie: own, origin: 'http://evil.example' };
    expect(await upgrade('/host', foreign, withDesk.port)).toBe(403);
  });
});

const open = (query = ''): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${server.port}/channel${query}`, { headers: { cookie } });
test('garbage ends the connection, not the server', async () => {
  for (const [garbage, code, reason] of [
    ['text', 1001, ''],
    ['['.repeat(100_000), 1007, 'A message nests deeper than 64 levels.'],
    [Buffer.of(0xc1), 1007, 'A message holds a byte that begins nothing.'],
    [Buffer.of(0xdd, 0xff, 0xff, 0xff, 0xff), 1007, 'A message claims more than it holds.'],
    [Buffer.alloc(100_000, 0x91), 1007, 'A message nests deeper than 64 levels.'],
    // Within the bounds, and no message all the same: the engine's port ends it.
    [Buffer.of(0x81, 0xc0, 0xc0), 1001, ''],
  ] as const) {
    const socket = open();
    await once(socket, 'open');
    socket.send(garbage);
    const [closed, words] = (await once(socket, 'close')) as [number, Buffer];
    expect([closed, words.toString()]).toEqual([code, reason]);
  }
  const client = createClient(portFromWebSocket(open()));
  expect((await client.call('app.info', {})).version).toBe('1');
  client.close();
});

test('a page that asks for the simulated workspace is connected to it, one that does not to the real one', async () => {
  const both = await start({ connect: engineOf });
  const own = await enter(both);
  const workspaceOf = async (query: string): Promise<string> => {
    const client = createClient(
      portFromWebSocket(
        new WebSocket(`ws://127.0.0.1:${both.port}/channel${query}`, { headers: { cookie: own } }),
      ),
    );
    const { workspace } = await client.call('app.info', {});
    client.close();
    return workspace;
  };
  expect(await workspaceOf('?workspace=simulated')).toBe('simulated');
  expect(await workspaceOf('')).toBe('real');
  await both.close();
});
