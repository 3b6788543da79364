import { clientRecord } from '../../../src/core/run/run.ts';
import { decodeFacts } from './clients.ts';

test('facts of a client are one short line each, whatever it prints: a run keeps them for ever', () => {
  const { facts, machineId } = decodeFacts(
    `Linux \u001b[2J6.1\n${'4'.repeat(100_000)}\n8 kB\nmachine=\u202eab\u0000c\ncpu=CPU 9\n`,
  );
  expect(facts['kernel']).toBe('Linux  [2J6.1');
  expect(facts['cpus']).toHaveLength(500);
  expect([facts['cpu'], machineId]).toEqual(['CPU 9', 'ab c']);
  clientRecord.parse({ id: 'c', name: 'c', clockOffsetMs: 0, facts, machineId });
});
