import { type CustomerLabDraft, emptyDraft, emptyGroup } from './draft.ts';
import { draftOf } from './fromRows.ts';
import {
  faultsOf,
  gapsOf,
  labLimitsOf,
  tilesToFill,
  withAllOffers,
  withOffer,
  withTyped,
} from './gaps.ts';
import { fitProcessor } from './parts.ts';
import type { HostRow } from './rows.ts';
import { testParts as parts } from './testing/parts.ts';

const host = (name: string, more: Partial<HostRow> = {}): HostRow => ({
  name,
  cluster: 'A',
  vendor: 'Dell Inc.',
  model: 'PowerEdge R740',
  cpuModel: 'Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz',
  ghz: 2.494,
  sockets: 2,
  coresPerSocket: 20,
  memoryGb: 767.66,
  hyperThreads: true,
  uplinks: 4,
  uplinkGbps: null,
  hbas: null,
  version: null,
  maintenance: null,
  ...more,
});
const from = { name: 'Berlin', origin: 'lab.xlsx', parts };
const taken = (hosts: HostRow[]): CustomerLabDraft =>
  draftOf({ hosts, datastores: [], vms: [] }, null, from).draft;

test.each([
  ['Intel(R) Xeon(R) CPU X5570 @ 2.93GHz', 'Nehalem', true],
  ['Intel(R) Xeon(R) CPU E5520 @ 2.27GHz', 'Nehalem', true],
  ['Intel(R) Xeon(R) CPU X5680 @ 3.33GHz', 'Nehalem', true],
  ['Intel(R) Xeon(R) CPU X5460 @ 3.16GHz', 'Harpertown', true],
  ['Intel(R) Xeon(R) CPU 5160 @ 3.00GHz', 'Woodcrest', true],
  ['Quad-Core AMD Opteron(tm) Processor 2356', 'Barcelona', true],
  ['Dual-Core AMD Opteron(tm) Processor 8222 SE', 'K8', true],
  ['Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz', 'Nehalem', false],
  ['Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz', 'Nehalem', false],
  ['Intel(R) Xeon(R) Gold 5120 CPU @ 2.20GHz', 'Nehalem', false],
  ['Intel(R) Xeon(R) Platinum 8280 CPU', 'Nehalem', false],
  ['AMD EPYC 7302P 16-Core Processor', 'Barcelona', false],
])('%s is %s, of the library: %s', (name, generation, exact) => {
  expect(fitProcessor(name, parts)).toMatchObject({ generation, exact });
});

test('equal hosts are one group, and what no table says stays missing', () => {
  const draft = taken([host('esx1'), host('esx2'), host('esx3', { memoryGb: 383.5 })]);
  expect(draft.groups.map(({ names }) => names)).toEqual([['esx1', 'esx2'], ['esx3']]);
  expect(draft.groups[0]).toMatchObject({ workPerGhz: null, idleW: null, uplinkGbps: null });
});

test('the work of an unknown core is offered with its reason, and never taken by itself', () => {
  const draft = taken([host('esx1')]);
  const gap = gapsOf(draft, parts).find(({ path }) => path === 'groups.0.workPerGhz')!;
  expect(gap).toMatchObject({
    label: 'Work of a core per GHz of Dell Inc. PowerEdge R740',
    offer: { value: 0.45, why: 'as Nehalem, the newest of Intel in the library' },
  });
  const after = withOffer(draft, gap);
  expect(after.groups[0]!.workPerGhz).toBe(0.45);
  expect(after.chosen).toEqual([
    'Work of a core per GHz of Dell Inc. PowerEdge R740: 0.45, as Nehalem, the newest of Intel in the library',
  ]);
  expect(withTyped(after, gap, 0.9).chosen).toEqual([]);
  expect(labLimitsOf(draft, parts).join(' ')).toContain('The library ends with processors of 2010');
});

test('all that is offered makes a whole draft, or leaves what only a person can say', () => {
  const whole = withAllOffers(taken([host('esx1'), host('esx2')]), parts);
  expect(gapsOf(whole, parts)).toEqual([]);
  expect([...faultsOf(whole)]).toEqual([]);
  const unknown = withAllOffers(taken([host('esx1', { sockets: null, ghz: null })]), parts);
  expect(gapsOf(unknown, parts).map(({ path }) => path)).toEqual([
    'groups.0.sockets',
    'groups.0.ghz',
    'tiles',
  ]);
});

test('tiles follow from what the processors do: the four servers of “Scaling a cluster” hold 17', () => {
  const group = {
    ...emptyGroup(['a', 'b', 'c', 'd']),
    sockets: 2,
    coresPerSocket: 4,
    ghz: 3,
    workPerGhz: 26.2 / (4 * 8 * 3),
    hyperThreadGain: 1,
  };
  expect(tilesToFill({ groups: [group] })).toBe(21);
  expect(tilesToFill({ groups: [{ ...group, ghz: null }] })).toBeNull();
});

test('hosts in maintenance mode stay out and are named, unless there is no other', () => {
  const rows = {
    hosts: [
      host('esx1'),
      host('esx2', { maintenance: true }),
      host('esx3', { maintenance: false }),
    ],
    datastores: [],
    vms: [],
  };
  const { draft, leftOut } = draftOf(rows, 'A', from);
  expect(draft.groups.map(({ names }) => names)).toEqual([['esx1', 'esx3']]);
  expect(leftOut).toEqual(['1 host in maintenance mode: esx2.']);
  const all = { ...rows, hosts: [host('esx2', { maintenance: true })] };
  expect(draftOf(all, 'A', from)).toMatchObject({ draft: { groups: [{ names: ['esx2'] }] } });
  expect(draftOf(all, 'A', from).leftOut).toEqual([]);
});

test('another cluster, local datastores and VMs that are off stay out, and are told', () => {
  const { draft, leftOut } = draftOf(
    {
      hosts: [host('esx1'), host('esx2'), host('far', { cluster: 'B' })],
      datastores: [
        { name: 'san', capacityGb: 2_000, type: 'VMFS', hosts: 2, hostNames: ['esx1', 'esx2'] },
        { name: 'local', capacityGb: 100, type: 'VMFS', hosts: 1, hostNames: ['esx1'] },
        { name: 'other', capacityGb: 100, type: 'VMFS', hosts: 2, hostNames: ['far'] },
      ],
      vms: [
        {
          name: 'a',
          poweredOn: true,
          template: false,
          vcpus: 2,
          memoryGb: 4,
          host: 'esx1',
          cluster: 'A',
        },
        {
          name: 'b',
          poweredOn: false,
          template: false,
          vcpus: 2,
          memoryGb: 4,
          host: 'esx1',
          cluster: 'A',
        },
        {
          name: 'c',
          poweredOn: true,
          template: false,
          vcpus: 2,
          memoryGb: 4,
          host: 'far',
          cluster: 'B',
        },
        {
          name: 'd',
          poweredOn: true,
          template: false,
          vcpus: null,
          memoryGb: 4,
          host: 'esx2',
          cluster: 'A',
        },
      ],
    },
    'A',
    from,
  );
  expect(draft.datastores.map(({ name }) => name)).toEqual(['san']);
  expect(draft.vms).toEqual([{ vcpus: 2, memoryGb: 4 }]);
  expect(leftOut).toEqual([
    '1 datastore that none of these hosts sees.',
    '1 datastore that one host alone sees: DRS cannot use them.',
    '1 VM whose vCPUs or memory no table says.',
  ]);
});

test('figures that no lab can have are told where they stand', () => {
  const draft: CustomerLabDraft = {
    ...emptyDraft(),
    name: 'Berlin',
    groups: [{ ...emptyGroup(['esx1']), ghz: 9, idleW: 300, busyW: 200 }],
  };
  expect([...faultsOf(draft)]).toEqual([
    ['groups.0.ghz', 'At most 6.'],
    ['groups.0.busyW', 'At least the 300 W when idle.'],
  ]);
});
