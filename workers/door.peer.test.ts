import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WebSocket } from 'ws';

import { nightly } from '../e2e/lab/nightly.ts';
import { createRandom } from '../src/core/stats/random.ts';
import { createClient } from '../src/wire/channel.ts';
import type { Client } from '../src/wire/contract.ts';
import { encodeFrame } from '../src/wire/frameCodec.ts';
import { portFromWebSocket } from '../src/wire/webSocketPort.ts';
import { enterBy, type ServedConsole, startServe } from './testing/served.ts';

// What strangers on this machine, and pages that the user has open, can send to the port; the seed
// is printed, so that a bad case can be had again.
const cases = 2_400;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const random = createRandom(seed);
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;

let dir: string;
let served: ServedConsole;
let cookie: string;
let startKb: number;
/** What hostile input may add; how soon garbage goes is a matter of who else wants the cores. */
const grownKb = 200_000;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-door-'));
  process.stdout.write(`the door: seed ${seed}\n`);
  served = await startServe(dir);
  cookie = await enterBy(served.file);
  startKb = peakKb(served.pid);
});
afterAll(async () => {
  await served.stop();
  rmSync(dir, { recursive: true, force: true });
});

const openClient = (): Client =>
  createClient(
    portFromWebSocket(
      new WebSocket(`ws://127.0.0.1:${served.port}/channel`, { headers: { cookie } }),
    ),
  );

const noise = (most: number): string =>
  String.fromCharCode(...Array.from({ length: below(most) }, () => below(256)));
const targets = [
  '//[', '//[::1', '/channel?%', '*', 'http://[', '/\0', '//', '/..', '/%', '?', '', '/channel#x',
  'ws://127.0.0.1/channel', '/channel?workspace=simulated', '/?ticket=%ff', '/?ticket=a&ticket=b',
  '/assets/%2e%2e/x.js', '/channel', '/', `/${'a'.repeat(3_000)}`, `/?${'a=b&'.repeat(2_000)}`,
] as const; // prettier-ignore
const methods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'HEAD',
  'CONNECT',
  'OPTIONS',
  'get',
  'PRI',
  '\x16\x03\x01',
];
const header = (): string =>
  pick([
    () => `Host: 127.0.0.1:${served.port}`,
    () => `Host: ${noise(40)}`,
    () => `Cookie: ${cookie}`,
    () => `Cookie: ${'='.repeat(below(2_000))};;${noise(30)}`,
    () => `Origin: ${pick(['null', 'http://[', `http://127.0.0.1:${served.port}`, noise(20)])}`,
    () => 'Upgrade: websocket',
    () => 'Connection: Upgrade',
    () => `Upgrade: ${noise(12)}`,
    () => `Sec-WebSocket-Version: ${pick(['13', '8', '-1', noise(5)])}`,
    () => `Sec-WebSocket-Key: ${pick(['dGhlIHNhbXBsZSBub25jZQ==', '', noise(30)])}`,
    () => `Sec-WebSocket-Extensions: ${pick(['permessage-deflate', ';;', noise(30)])}`,
    () => `Sec-WebSocket-Protocol: ${pick([',', 'a,a', noise(20)])}`,
    () => `Content-Length: ${pick(['0', '-1', '99999999999999999999', '4', noise(4)])}`,
    () => 'Transfer-Encoding: chunked',
    () => 'Expect: 100-continue',
    () => `Sec-Fetch-Site: cross-site`,
    () => `${noise(20)}: ${noise(200)}`,
    () => `X-Long: ${'a'.repeat(below(40_000))}`,
  ])();
const lines = (...parts: string[]): Buffer =>
  Buffer.from([...parts, '', ''].join('\r\n'), 'latin1');

/** A request that may be none. */
const request = (): Buffer =>
  lines(
    `${pick(methods)} ${random() < 0.7 ? pick(targets) : noise(60)} ${pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9'])}`,
    ...Array.from({ length: below(8) }, header),
  );
/** A proper upgrade but for its target and one line. */
const upgrade = (): Buffer => {
  const head = [
    `Host: ${random() < 0.8 ? `127.0.0.1:${served.port}` : 'evil.example'}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...(random() < 0.5 ? [`Cookie: ${cookie}`] : []),
  ];
  if (random() < 0.3) head.splice(below(head.length), 1, header());
  return lines(`GET ${pick(targets)} HTTP/1.1`, ...head);
};
const entered = (): Buffer =>
  lines(
    'GET /channel HTTP/1.1',
    `Host: 127.0.0.1:${served.port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Cookie: ${cookie}`,
  );
const claim = Buffer.of(0xff, 0xff, 0xff, 0xff);
/** Frames that are cheap to send and dear to read. */
const hostile = [
  () => Buffer.concat([Buffer.alloc(100_000, 0x91), Buffer.of(0xc0)]),
  () => Buffer.concat([Buffer.from('81a161'.repeat(100_000), 'hex'), Buffer.of(0xc0)]),
  () => Buffer.concat([Buffer.of(0xdd), claim, Buffer.of(0xc0)]),
  () => Buffer.concat([Buffer.of(0xdf), claim, Buffer.of(0xa1, 0x61, 0xc0)]),
  () => Buffer.concat([Buffer.of(0xdb), claim]),
  () => Buffer.concat([Buffer.of(0xc9), claim, Buffer.of(1)]),
  () => Buffer.of(0xd4, 42, 0),
  () => Buffer.concat([Buffer.of(0xdd, 0, 0xf4, 0x24, 0), Buffer.alloc(16_000_000, 0x80)]),
] as const;
const hostileTexts = [
  () => '['.repeat(100_000),
  () => '{"a":'.repeat(100_000),
  () => `[${'[],'.repeat(2_000_000)}0]`,
] as const;
/** The same in JSON. */
const textMessage = (): Uint8Array =>
  Buffer.from(
    pick([
      () =>
        JSON.stringify({ k: 'hello', contract: pick([null, '', noise(70)]), version: noise(9) }),
      () => JSON.stringify({ k: 'hello', contract: null, version: '1' }),
      () => JSON.stringify({ k: 'call', id: below(5), method: 'app.info', input: { a: noise(9) } }),
      () => `{"k":"call","id":1e400,"method":"run.list","input":${noise(20)}}`,
      () => '{"__proto__":{"k":"hello"},"$bytes":"*"}',
      () => pick(hostileTexts)(),
      () => noise(200),
    ])(),
  );
/** Messages whose shape is right, nearly, or not at all. */
const message = (): Uint8Array =>
  pick([
    () =>
      encodeFrame({
        k: 'call',
        id: below(5),
        method: pick(['app.info', '__proto__', noise(9)]),
        input: noise(20),
      }),
    () =>
      encodeFrame({
        k: pick(['ack', 'cancel', 'gap', 'event']),
        n: pick([0, -1, 2 ** 60, null]),
        id: NaN,
      }),
    () => encodeFrame(pick([null, 1, [], '', { k: {} }, Array.from({ length: 50 }, () => ({}))])),
    () => Buffer.concat([Buffer.alloc(below(300), 0x91), Buffer.of(0xc0)]),
    () => pick(hostile)(),
    // As many headers as there are bytes, each claiming as much as it can.
    () => Buffer.alloc(below(3_000), pick([0xdc, 0xdd, 0xde, 0xdf, 0xc9, 0xdb, 0x9f, 0x8f])),
    () => randomBytes(below(200)),
  ])();
/** A frame of the WebSocket protocol, masked as a client's must be, or against the protocol. */
const frame = (): Buffer => {
  const isText = random() < 0.3;
  const payload = isText ? textMessage() : message();
  const first = random() < 0.7 ? (isText ? 0x81 : 0x82) : below(256);
  const masked = random() < 0.9 ? 0x80 : 0;
  const claimed = random() < 0.9 ? payload.byteLength : below(2 ** 31);
  const head =
    claimed < 126
      ? Buffer.of(first, masked | claimed)
      : Buffer.concat([Buffer.of(first, masked | 127), Buffer.from([0, 0, 0, 0]), uint32(claimed)]);
  return Buffer.concat([head, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
};
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const open: Socket[] = [];
/**
 * Sends one case and leaves as strangers do: by a reset, by half a close, in the middle, or when
 * the server closes.
 */
function send(bytes: readonly Buffer[]): Promise<void> {
  return new Promise((done) => {
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => done());
    socket.on('close', () => done());
    const end = pick(['reset', 'resetAtOnce', 'half', 'stay', 'wait'] as const);
    socket.on('connect', () => {
      for (const piece of bytes) {
        const cut = random() < 0.15 ? below(piece.byteLength) : piece.byteLength;
        socket.write(piece.subarray(0, cut));
      }
      if (end === 'resetAtOnce') socket.resetAndDestroy();
      else if (end === 'reset') socket.once('data', () => socket.resetAndDestroy());
      else if (end === 'half') socket.end();
      if (end === 'wait') socket.once('data', () => socket.end());
      else done();
      socket.setTimeout(200, () => {
        socket.destroy();
      });
    });
    socket.resume();
    open.push(socket);
    if (open.length > 40) open.shift()?.destroy();
  });
}

test(`${cases} requests, upgrades, frames and resets of strangers: console and engine answer after each`, async () => {
  let client = openClient();
  const enginePid = served.enginePid();
  expect(enginePid).not.toBeNull();
  for (let i = 0; i < cases; i += 1) {
    const bytes = pick([
      () => [request()],
      () => [upgrade(), randomBytes(below(64))],
      () => [entered(), ...Array.from({ length: 1 + below(4) }, frame)],
    ])();
    await send(bytes);
    const told = (text: string): string =>
      `seed ${seed}, case ${i}: ${text}; sent ${JSON.stringify(Buffer.concat(bytes).toString('latin1').slice(0, 300))}`;
    try {
      await client.call('app.info', {});
    } catch (thrown) {
      throw new Error(told(String(thrown)), { cause: thrown });
    }
    if (served.enginePid() !== enginePid) throw new Error(told('the engine is another'));
    // Now and then by a new way in: the door itself still opens.
    if (i % 40 === 0) {
      client.close();
      client = openClient();
    }
  }
  client.close();
  for (const socket of open) socket.destroy();
  expect(peakKb(served.pid)).toBeLessThan(startKb + grownKb);
});

/** Most memory that a process ever had. */
function peakKb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

test('frames that are cheap to send and dear to read end their connection with the reason, and nothing else', async () => {
  const client = openClient();
  await client.call('app.info', {});
  const enginePid = served.enginePid();
  for (const bytes of [...hostile, ...hostileTexts]) {
    const socket = new WebSocket(`ws://127.0.0.1:${served.port}/channel`, { headers: { cookie } });
    await once(socket, 'open');
    socket.send(bytes());
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect(code).toBe(1007);
    expect(reason.toString()).toMatch(/^A message (claims|nests|holds) .*\.$/);
    const sinceMs = performance.now();
    await client.call('app.info', {});
    if (nightly) expect(performance.now() - sinceMs).toBeLessThan(1_000);
  }
  client.close();
  expect(served.enginePid()).toBe(enginePid);
  for (const pid of [served.pid, enginePid!]) expect(peakKb(pid)).toBeLessThan(startKb + grownKb);
});

test('an engine that is killed comes back behind the same port and cookie', async () => {
  const before = served.enginePid();
  process.kill(before ?? 0, 'SIGKILL');
  for (;;) {
    const client = openClient();
    const info = await client.call('app.info', {}).catch(() => null);
    client.close();
    if (info !== null && served.enginePid() !== before) break;
  }
  expect(served.enginePid()).not.toBeNull();
});
