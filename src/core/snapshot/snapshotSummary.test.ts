import { snapshotClients, snapshotInventory } from '../testing/snapshotLab.ts';
import { searchFacts, snapshotFacts, summarise } from './snapshotSummary.ts';
import { takeSnapshot } from './snapshotTake.ts';

const inventory = snapshotInventory(3);
inventory.hosts[2]!.bios = '2.20';
const snapshot = takeSnapshot(inventory, snapshotClients());
const row = (field: string) => summarise(snapshot).find((r) => r.field === field);

test('a field that all share is said once, one that differs with its counts and each thing', () => {
  expect(row('CPU')).toMatchObject({
    group: 'hardware',
    thing: 'host',
    value: 'CPU 9',
    count: 3,
    each: [],
  });
  expect(row('BIOS')).toEqual({
    group: 'firmware',
    thing: 'host',
    field: 'BIOS',
    value: '2 × 2.19.1, 1 × 2.20',
    count: 3,
    each: [
      { name: 'esx0.lab', value: '2.19.1' },
      { name: 'esx1.lab', value: '2.19.1' },
      { name: 'esx2.lab', value: '2.20' },
    ],
  });
  expect(row('Host')).toMatchObject({
    thing: 'vm',
    value: '2 × esx0.lab, 2 × esx1.lab, 2 × esx2.lab',
  });
  expect(row('adapter link speed')).toMatchObject({
    group: 'network',
    value: '25,000 Mb/s',
    count: 6,
  });
  expect(row('fio')).toMatchObject({ group: 'tools', thing: 'client', value: 'fio-3.33' });
  expect(row('adapter MAC address')).toBeUndefined();
  expect(searchFacts(snapshotFacts(snapshot), 'MAC esx1')).toHaveLength(2);
});
test('groups come in their order', () => {
  const groups = summarise(snapshot).map((r) => r.group);
  expect([...new Set(groups)]).toEqual([
    'hardware',
    'firmware',
    'build',
    'policy',
    'storage',
    'network',
    'vms',
    'clients',
    'tools',
  ]);
  expect(groups).toEqual(
    [...groups].sort((a, b) => [...new Set(groups)].indexOf(a) - [...new Set(groups)].indexOf(b)),
  );
});
test('a search finds by thing, field, value and group, all words', () => {
  const facts = snapshotFacts(snapshot);
  expect(searchFacts(facts, 'ESX2 bios').map((f) => `${f.subject} ${f.field} ${f.value}`)).toEqual([
    'esx2.lab BIOS 2.20',
    'esx2.lab BIOS date 2024-01-05',
  ]);
  expect(searchFacts(facts, 'schednum')).toHaveLength(3);
  expect(searchFacts(facts, 'nothing like it')).toEqual([]);
});
