import fc from 'fast-check';

import { limits } from '../../../src/core/base/bounds.ts';
import { cuts, damagedBytes, piecesOf } from '../testing/fuzz/bytes.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { drivers, getDriver } from './index.ts';
import { outputs, paramsOf } from './testing/outputs.ts';

/** Every way in which `command` reads a line beside the one of `outputs`. */
const variants: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  command: [
    { command: 'x', pattern: '(?<time>[0-9.e+-]+) (?<throughput>[0-9.e+-]+)' },
    { command: 'x', format: 'json', pattern: 'throughput=a.b, time=t', timeUnit: 'epochMs' },
    { command: 'x', format: 'csv', pattern: 'throughput=tps, time=at', timeUnit: 'epochS' },
    { command: 'x', format: 'csv', pattern: 'throughput=1', decimals: 6 },
  ],
  heartbeat: [{ target: '192.0.2.1' }],
};
const more: Readonly<Record<string, readonly string[]>> = {
  command: [
    '1 10.5\n2 11e3\n',
    '{"a":{"b":1},"t":1700000000000}\n{"a":{"b":2},"t":1700000001000}\n',
    'at,tps\n1700000000,5\n1700000001,6\n',
  ],
  heartbeat: ['beat 1001 1 0.25\nbeat 1002 2 lost\n'],
};

for (const id of drivers.keys()) {
  const params = [paramsOf[id] ?? {}, ...(variants[id] ?? [])].map((one) =>
    getDriver(id).params.parse(one),
  );
  const documents = [outputs[id]!, ...(more[id] ?? [])];
  fuzz({
    name: `lines of the driver ${id}`,
    cases: 250,
    inputs: fc.tuple(damagedBytes(documents), cuts, fc.constantFrom(...params)),
    print: ([bytes]) => Buffer.from(bytes.subarray(0, 400)).toString('latin1'),
    take([bytes, where, chosen]) {
      const parser = getDriver(id).parser(chosen, {
        startMs: 1_000_000,
        intervalMs: 1_000,
        emit(metric, tMs, value) {
          if (!(tMs >= 0 && tMs <= limits.timeMs) || !(Math.abs(value) <= limits.figure))
            throw new Error(`${metric} is ${value} at ${tMs}: no store and no report takes that.`);
        },
      });
      for (const piece of piecesOf(bytes, where)) parser.push(piece);
      parser.end();
      const { offset, state = '' } = parser.resume();
      expect(offset).toBeLessThanOrEqual(bytes.length);
      expect(state.length).toBeLessThanOrEqual(8_192);
      expect(parser.badExamples.length).toBeLessThanOrEqual(3);
      getDriver(id).finalReport(chosen, Buffer.from(bytes).toString('utf8'));
    },
  });
}
