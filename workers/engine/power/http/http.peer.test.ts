import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from '../../../../e2e/lab/poll.ts';
import { startVictoria } from '../../../../e2e/lab/victoria.ts';
import type { PowerConnection } from '../../../../src/core/testbed/connection.ts';
import { silentLog } from '../../deps.ts';
import type { PowerMeter } from '../../deps/power.ts';
import { createPowerEdge } from '../edge.ts';
import { escaped, valueAt } from './meter.ts';

let nowMs: number;
let onWait: () => void;
const edge = createPowerEdge({
  clock: {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      onWait();
    },
  },
  log: silentLog,
});

/** A plug's HTTP, as Shelly and Tasmota answer; `answer` may be replaced. */
let plug: Server;
let asked: IncomingMessage[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const json = (body: unknown) => (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const open: PowerMeter[] = [];
beforeEach(async () => {
  nowMs = 1_000_000;
  onWait = () => undefined;
  asked = [];
  answer = json({ apower: 187.4 });
  plug = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  plug.listen(0, '127.0.0.1');
  await once(plug, 'listening');
});
afterEach(async () => {
  for (const meter of open.splice(0)) await meter.close();
  plug.closeAllConnections();
  plug.close();
});

const at = (change: Record<string, unknown> = {}): PowerConnection => ({
  kind: 'power',
  id: 'p',
  name: 'plug 7',
  source: {
    type: 'http',
    scheme: 'http',
    host: '127.0.0.1',
    port: (plug.address() as AddressInfo).port,
    request: '/rpc/Switch.GetStatus?id=0',
    path: 'apower',
    gives: 'power',
    factor: 1,
    auth: 'none',
    periodMs: 1_000,
    ...change,
  },
});
function meterAt(change = {}, measuredMs: number | null = 1_000, secret = 'token-1'): PowerMeter {
  const meter = edge.open(at(change), { secret: async () => secret, measuredMs });
  open.push(meter);
  return meter;
}

test('a plug is read and watched; what it says of itself is told', async () => {
  const startMs = nowMs;
  onWait = () => {
    answer = json({ apower: 187.4 + Math.floor((nowMs - startMs) / 2_000) });
  };
  const change = { scope: 'both supplies of node1', uncertaintyPct: 1, windowMs: 0 };
  const report = await edge.test(at(change), null);
  expect(report).toMatchObject({ ok: true, updateMs: 2_000 });
  expect(report.steps.map(({ step }) => step)).toEqual(['name', 'port', 'reading', 'refresh']);
  expect(report.steps[2]!.detail).toBe('187.4 W of both supplies of node1. Uncertainty: ± 1 %.');
  expect(report.steps[3]!.detail).toBe(
    'A new value about every 2 s (4 in 8 s). Each is of its moment.',
  );
  expect(asked[0]!.url).toBe('/rpc/Switch.GetStatus?id=0');
  const meter = meterAt(change, 2_000);
  expect(await meter.about!()).toEqual({
    scope: 'both supplies of node1',
    updateMs: 2_000,
    lagMs: 2_000,
    windowMs: 0,
    uncertaintyPct: 1,
    counts: false,
  });
});

test('a value that never moved is said not to be known', async () => {
  const report = await edge.test(at(), null);
  expect(report).toMatchObject({ ok: true, updateMs: null });
  expect(report.steps.at(-1)!.detail).toContain('No new value in 60 s');
});

test('what is repeated is one reading: by the time it says, or by how often it measures', async () => {
  const meter = meterAt({}, 10_000);
  const stamped = meterAt({ timePath: 'sys.time' });
  const taken: number[] = [];
  const byTime: number[] = [];
  for (let second = 0; second < 40; second += 1) {
    const turn = Math.floor(second / 10);
    // The third measurement gives the same watts as the second.
    answer = json({ apower: [100, 110, 110, 120][turn], sys: { time: `12:0${turn}` } });
    for (const { watts } of await meter.read()) taken.push(watts);
    for (const { watts } of await stamped.read()) byTime.push(watts);
    nowMs += 1_000;
  }
  expect(taken).toEqual([100, 110, 110, 120]);
  expect(byTime).toEqual([100, 110, 110, 120]);
});

test('a counter of energy gives means between its steps; one that was reset gives none for that time', async () => {
  const meter = meterAt({ path: 'wh', gives: 'energy' });
  const taken: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    const wh = 5_000 + (second * 360) / 3_600;
    answer = json({ wh: second < 30 ? wh : wh - 5_000 });
    for (const { watts } of await meter.read()) taken.push(watts);
    nowMs += 1_000;
  }
  expect(taken.length).toBeGreaterThanOrEqual(55);
  for (const watts of taken) expect(watts).toBeCloseTo(360, 3);
});

test.each<[string, unknown, Record<string, unknown>, string, string]>([
  ['no number', { apower: 'n/a' }, {}, 'notFound', 'has no number at apower'],
  [
    'nothing there',
    { data: { result: [] } },
    { path: 'data.result.0.value.1' },
    'notFound',
    'has no number',
  ],
  ['less than nothing', { apower: -1 }, {}, 'notFound', 'less than nothing'],
])('%s is an error in words, never 0', async (_, body, change, kind, words) => {
  answer = json(body);
  await expect(meterAt(change).read()).rejects.toMatchObject({
    kind,
    message: expect.stringContaining(words) as string,
  });
});

test('no JSON, a redirect, a flood and silence are told; the next reading comes', async () => {
  const meter = meterAt();
  answer = (_request, response) => response.end('<html>');
  await expect(meter.read()).rejects.toMatchObject({
    message: expect.stringContaining('no JSON') as string,
  });
  answer = (_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  await expect(meter.read()).rejects.toMatchObject({
    message: expect.stringContaining('leads elsewhere') as string,
  });
  answer = (_request, response) => {
    response.writeHead(200);
    const flood = (): void => {
      if (response.destroyed) return;
      response.write('x'.repeat(100_000), flood);
    };
    flood();
  };
  await expect(meter.read()).rejects.toMatchObject({
    message: expect.stringContaining('more than 1000000 bytes') as string,
  });
  answer = () => undefined;
  await expect(meter.read(AbortSignal.timeout(300))).rejects.toMatchObject({ kind: 'aborted' });
  answer = json({ apower: 90 });
  expect((await meter.read())[0]!.watts).toBe(90);
});

test('a login is sent where one is set, and a refused one not again for a minute', async () => {
  answer = json({ apower: 90 });
  await meterAt({ auth: 'bearer' }).read();
  expect(asked.at(-1)!.headers.authorization).toBe('Bearer token-1');
  await meterAt({ auth: 'basic', user: 'admin' }).read();
  expect(asked.at(-1)!.headers.authorization).toBe(
    `Basic ${Buffer.from('admin:token-1').toString('base64')}`,
  );
  await meterAt().read();
  expect(asked.at(-1)!.headers.authorization).toBeUndefined();
  answer = (_request, response) => response.writeHead(401).end();
  const meter = meterAt({ auth: 'bearer' });
  const before = asked.length;
  await expect(meter.read()).rejects.toMatchObject({ kind: 'authFailed' });
  await expect(meter.read()).rejects.toMatchObject({ kind: 'authFailed' });
  expect(asked.length).toBe(before + 1);
  nowMs += 61_000;
  answer = json({ apower: 91 });
  expect((await meter.read())[0]!.watts).toBe(91);
});

test('requests are escaped where a URL needs it, and paths lead only to what is there', () => {
  expect(escaped('/q?query=last_over_time(w{a="b c"}[15s])&x=%20')).toBe(
    '/q?query=last_over_time(w%7Ba=%22b%20c%22%7D[15s])&x=%20',
  );
  expect(valueAt({ a: [{ b: 3 }] }, 'a.0.b')).toBe(3);
  expect(valueAt({ a: 1 }, 'a.constructor')).toBeUndefined();
  expect(valueAt({}, '__proto__.x')).toBeUndefined();
});

test('VictoriaMetrics answers a query with its newest value, and with nothing once its source is silent', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tb-vm-'));
  const victoria = await startVictoria(dir);
  try {
    const line = (watts: number, tMs: number): string => `watts{node="one"} ${watts} ${tMs}`;
    const startMs = Date.now();
    await victoria.import([line(301.5, startMs - 1_000), line(302.5, startMs)]);
    const query = {
      port: victoria.port,
      request: '/api/v1/query?query=last_over_time(watts{node="one"}[15s])',
      path: 'data.result.0.value.1',
    };
    const meter = meterAt(query);
    await poll('the sample that was taken in', async () => {
      nowMs += 1_000;
      const [reading] = await meter.read().catch(() => []);
      return reading?.watts === 302.5;
    });
    // Fifteen seconds after its last sample the query has no result: a gap, not the last value.
    const silent = meterAt({ ...query, request: `${query.request}&time=${startMs / 1_000 + 60}` });
    await expect(silent.read()).rejects.toMatchObject({ kind: 'notFound' });
    const watched = await edge.test(
      at({ ...query, request: '/api/v1/query?query=rand()*100' }),
      null,
    );
    expect(watched).toMatchObject({ ok: true, updateMs: 1_000 });
  } finally {
    await victoria.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
