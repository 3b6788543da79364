import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { poll } from '../../../../e2e/lab/poll.ts';
import type { PowerConnection } from '../../../../src/core/testbed/connection.ts';
import { ptd } from '../../../../src/core/testbed/power/ptd.ts';
import { silentLog } from '../../deps.ts';
import type { PowerMeter } from '../../deps/power.ts';
import { createPowerEdge } from '../edge.ts';

/** What PTDaemon answers, as its public clients expect it: SPEC's own is not to be had. */
interface FakePtd {
  said: string[];
  /** Watts that were measured and not read yet; null = while the meter was away. */
  unread: (number | null)[];
  measuring: boolean;
  identity: string;
}
let fake: FakePtd;
let server: Server;
let sockets: Socket[];
let nowMs: number;
let meter: PowerMeter | null;
const open: PowerMeter[] = [];
/** Of the machine PTDaemon runs on: its zone and clock are not ours. */
const zoneMs = 5 * 3_600_000 + 1_234;

const two = (value: number, digits = 2): string => String(value).padStart(digits, '0');
function stamped(tMs: number): string {
  const at = new Date(tMs + zoneMs);
  return (
    `${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}-${at.getUTCFullYear()} ` +
    `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}.${two(at.getUTCMilliseconds(), 3)}`
  );
}
function answerTo(command: string): string[] {
  const [verb] = command.split(',');
  switch (verb) {
    case 'Hello':
      return ['Hello, PTDaemon here!'];
    case 'Identify':
      return [fake.identity];
    case 'RR':
      return ['Ranges,0,5.0,0,300.0'];
    case 'SR':
      return [command.endsWith('999') ? 'Error: no such range' : `Range ${command[3]} changed`];
    case 'Go':
      if (fake.measuring) return ['Error: measurement already in progress'];
      fake.measuring = true;
      return [
        'Starting untimed measurement, maximum 500000 samples at 1000ms with 0 rampup samples',
      ];
    case 'Stop':
      if (!fake.measuring) return ['Error: no measurement to stop'];
      fake.measuring = false;
      return ['Stopping untimed measurement'];
    case 'RL': {
      const samples = fake.unread.splice(0);
      if (samples.length === 0) return ['No unread samples'];
      const lines = samples.map(
        (watts, i) =>
          `Time,${stamped(nowMs - (samples.length - 1 - i) * 1_000)},Watts,${watts === null ? '-2.000000' : watts.toFixed(6)},` +
          'Volts,228.570000,Amps,0.206430,PF,0.486400,Mark,tilebench',
      );
      return [`Last ${samples.length} samples`, ...lines];
    }
    default:
      return ['Unknown command'];
  }
}
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 23, 12);
  meter = null;
  sockets = [];
  fake = {
    said: [],
    unread: [],
    measuring: false,
    identity: 'WT310,1000,1,1,1,1,0,0,1,version=1.11.1',
  };
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (line) => {
      fake.said.push(line);
      if (!socket.destroyed) socket.write(`${answerTo(line).join('\r\n')}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});
const edge = createPowerEdge({
  clock: {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      fake.unread.push(187.5);
    },
  },
  log: silentLog,
});
const at = (change = {}): PowerConnection => ({
  kind: 'power',
  id: 'p',
  name: 'WT310',
  source: ptd.schema.parse({
    type: 'ptd',
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ...change,
  }),
});
function meterAt(change = {}): PowerMeter {
  meter = edge.open(at(change), {
    secret: () => Promise.reject(new Error('none')),
    measuredMs: null,
  });
  open.push(meter);
  return meter;
}

test('a test sets the ranges, measures once and stops', async () => {
  const report = await edge.test(at({ ampsRange: '5', voltsRange: '300', scope: 'node1' }), null);
  expect(report).toMatchObject({ ok: true, updateMs: 1_000 });
  expect(report.steps.slice(2).map(({ detail }) => detail)).toEqual([
    'WT310 measures. Ranges 5.0 A, 300.0 V.',
    '187.5 W of node1. Uncertainty: not stated.',
    'A sample every 1 s as asked for, each the mean over it. This source was not yet run against the original PTDaemon.',
  ]);
  expect(fake.said).toEqual([
    ...['Hello', 'Identify', 'SR,V,300', 'SR,A,5', 'Go,1000,0,tilebench', 'RR', 'RL', 'Stop'],
  ]);
  expect(fake.measuring).toBe(false);
});

test('unread samples are taken with their own times, in our clock and zone; none is taken twice', async () => {
  const watched = meterAt();
  expect(await watched.read()).toEqual([]);
  fake.unread.push(200, 201, 202);
  expect(await watched.read()).toEqual([
    { watts: 200, tMs: nowMs - 2_000 },
    { watts: 201, tMs: nowMs - 1_000 },
    { watts: 202, tMs: nowMs },
  ]);
  expect(await watched.read()).toEqual([]);
  await watched.close();
  await poll('the end of the measurement', () => !fake.measuring);
});

test('a meter that is away gives no zero, and PTDaemon that broke off is begun anew', async () => {
  const watched = meterAt();
  await watched.read();
  fake.unread.push(200, null, 202);
  expect((await watched.read()).map(({ watts }) => watts)).toEqual([200, 202]);
  fake.unread.push(null);
  await expect(watched.read()).rejects.toMatchObject({
    message: expect.stringContaining('has lost its meter') as string,
  });
  for (const socket of sockets) socket.destroy();
  fake.unread.push(210);
  const taken = await poll('a reading again', () => watched.read().catch(() => null));
  expect(taken.map(({ watts }) => watts)).toEqual([210]);
});

test('what is no PTDaemon, measures temperature, is in use or refuses a range is told', async () => {
  const failed = async (change = {}): Promise<string | undefined> =>
    (await edge.test(at(change), null)).steps.find(({ ok }) => !ok)?.detail;
  expect(await failed({ ampsRange: '999' })).toContain('does not set the range 999 A');
  fake.measuring = true;
  expect(await failed()).toContain('already in progress');
  // Somebody else's measurement is left alone.
  expect(fake.measuring).toBe(true);
  fake.identity = 'USB9097,5000,1,0,0,0,0,0,1,version=1.9.1,mode=temperature';
  expect(await failed()).toContain('measures temperature');
  server.close();
});
