import { isEnd } from '../../../src/core/run/states.ts';
import { createHarness, type Harness } from '../testing/engineHarness.ts';
import { decodeFacts } from './clients.ts';

let harness: Harness;
afterEach(async () => {
  await harness.close();
});
const at = (id: string): string => harness.overviews.findLast((o) => o.id === id)?.state ?? 'draft';

test('what changes during a run is told with before and after; its clients are read again', async () => {
  harness = await createHarness();
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => at(id) === 'steady', 300_000);
  const [first] = harness.lab.inventory.hosts;
  harness.lab.inventory.hosts[0] = { ...first!, powerPolicy: 'low', name: 'renamed' };
  await harness.clock.advanceUntil(() => isEnd(at(id) as never), 600_000);
  const record = await harness.call('run.record', { id });
  expect(record.inventoryBefore!.hosts[0]).toMatchObject({ powerPolicy: 'static' });
  expect(record.clientsAfter).toEqual(record.clients);
  const drift = (await harness.overview(id)).findings.filter((f) => f.id.startsWith('drift.'));
  expect(drift.map((f) => [f.severity, f.text])).toEqual([
    ['warn', 'The set-up changed during the run. Host renamed: Power policy static → low.'],
    [
      'info',
      `The set-up changed during the run. Host renamed is renamed: ${first!.name} → renamed.`,
    ],
  ]);
});

test('a client says what it is; what a system does not tell is no fact', () => {
  expect(
    decodeFacts(
      'Linux 6.1.0\n8\n16384000 kB\nmachine=abc\ncpu=Xeon = fast\nos=Debian GNU/Linux 12\n',
    ),
  ).toEqual({
    machineId: 'abc',
    facts: {
      kernel: 'Linux 6.1.0',
      cpus: '8',
      memory: '16384000 kB',
      cpu: 'Xeon = fast',
      os: 'Debian GNU/Linux 12',
    },
  });
  expect(decodeFacts('Linux 6.1.0\n8\n16384000 kB\nmachine=\ncpu=\nos=\n')).toEqual({
    machineId: null,
    facts: { kernel: 'Linux 6.1.0', cpus: '8', memory: '16384000 kB' },
  });
  expect(decodeFacts('')).toEqual({ machineId: null, facts: {} });
});
