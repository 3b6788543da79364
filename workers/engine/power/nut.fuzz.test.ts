import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import fc from 'fast-check';

import { createFakeClock } from '../testing/fakeClock.ts';
import { cuts, damagedBytes, piecesOf } from '../testing/fuzz/bytes.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { openNut, testNut } from './nut.ts';

/** What upsd says to whatever is asked, in pieces; then it goes on, hangs up or resets. */
interface Answer {
  bytes: Uint8Array;
  where: readonly number[];
  then: 'end' | 'reset';
}
let server: Server;
let answer: Answer;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      for (const piece of piecesOf(answer.bytes, answer.where)) socket.write(piece);
      if (answer.then === 'end') socket.end();
      else
        socket.write('\n', () => {
          socket.resetAndDestroy();
        });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

fuzz({
  name: 'answers of a hostile NUT server',
  cases: 300,
  // What a meter says is not the caller's fault.
  allowed: ['internal', 'unreachable', 'notFound', 'timedOut', 'authFailed', 'invalidInput'],
  inputs: fc.record<Answer>({
    bytes: damagedBytes([
      'VAR ups ups.realpower "210.5"\n',
      'ERR UNKNOWN-UPS\nBEGIN LIST UPS\nUPS a "A"\nEND LIST UPS\n',
      'ERR DATA-STALE\n',
    ]),
    where: cuts,
    then: fc.constantFrom('end', 'reset'),
  }),
  print: ({ bytes }) => Buffer.from(bytes.subarray(0, 400)).toString('latin1'),
  async take(one) {
    answer = one;
    const source = {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      ups: 'ups',
      variable: 'ups.realpower',
      periodMs: 1_000,
    };
    const meter = openNut(source, createFakeClock());
    try {
      for (const { watts } of await meter.read()) expect(Number.isFinite(watts)).toBe(true);
    } finally {
      await meter.close();
    }
    expect((await testNut(source)).steps.length).toBeGreaterThan(0);
  },
});
