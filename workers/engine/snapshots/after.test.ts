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

test('a driver and a setting that were changed during a run are told with their host; a host that tells nothing then is no change', async () => {
  harness = await createHarness();
  const [first, second] = harness.lab.inventory.hosts;
  const { software } = harness.lab;
  const packages = { 'nmlx5-core': '4.19', 'esx-base': '8.0' };
  software.set(first!.ref, { packages, settings: {}, note: null });
  software.set(second!.ref, { packages, settings: {}, note: null });
  const id = await harness.launch();
  await harness.clock.advanceUntil(() => at(id) === 'steady', 300_000);
  software.set(first!.ref, {
    packages: { ...packages, 'nmlx5-core': '4.23' },
    settings: { 'Net.TcpipHeapMax': '1536' },
    note: null,
  });
  software.set(second!.ref, { packages: null, settings: null, note: 'Access denied.' });
  await harness.clock.advanceUntil(() => isEnd(at(id) as never), 600_000);
  const { inventoryBefore, inventoryAfter } = await harness.call('run.record', { id });
  expect(inventoryBefore!.hosts[0]!.software).toMatchObject({ packages, note: null });
  expect(inventoryAfter!.hosts[1]!.software).toMatchObject({ note: 'Access denied.' });
  const drift = (await harness.overview(id)).findings.filter((f) => f.id.startsWith('drift.'));
  expect(drift.map(({ text }) => text)).toEqual([
    `The set-up changed during the run. Host ${first!.name}: package nmlx5-core 4.19 → 4.23.`,
    `The set-up changed during the run. Host ${first!.name}: Net.TcpipHeapMax as shipped → 1536.`,
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
