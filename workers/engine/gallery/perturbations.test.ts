import type { LabSpec, WorkloadDemand } from '../../../src/core/lab/lab.ts';
import { changedSpec } from '../simlab/changes.ts';
import { createLabModel } from '../simlab/model/model.ts';
import { clients, hosts, lab, luns, times } from './build.ts';
import { library } from './library.ts';

const lib = library('perturbations');
const minuteMs = 60_000;
const pairCount = 4;

/** Two hosts on four LUNs, in no post: eight VMs, two a LUN, under one kind of load. */
function base(load: WorkloadDemand): LabSpec {
  return lab({
    schemaVersion: 1,
    id: 'pair',
    name: 'Two hosts, four LUNs',
    noise: 0,
    hosts: hosts(2, 'h', {
      model: 'Server',
      ...lib.processor('Xeon X5570'),
      sockets: 2,
      memoryGb: 32,
      overhead: lib.hypervisor('ESX 4.1'),
      hba: lib.hba('FC 4 Gb/s', 2),
      uplinks: [{ id: 'vmnic0', gbps: 1 }],
      power: { idleW: 150, busyW: 300 },
    }),
    arrays: [{ id: 'a', ...lib.array('CX3-20', 4) }],
    luns: luns(pairCount, 'l', {
      arrayId: 'a',
      disks: 8,
      raid: '0',
      ...lib.disk('FC 15k'),
      sizeGb: 400,
    }),
    datastores: times(pairCount, (i) => ({ id: `d${i + 1}`, lunIds: [`l${i + 1}`] })),
    vms: times(2 * pairCount, (i) => ({
      id: `vm${i + 1}`,
      hostId: `h${(i % 2) + 1}`,
      datastoreId: `d${Math.floor(i / 2) + 1}`,
      vcpus: 4,
      memoryMb: 6_144,
    })),
    clients: clients(2, 'client', { cores: 16, coreSpeed: 2 }),
    workloads: [load],
    drs: { enabled: false },
  });
}
const demand = (given: Partial<WorkloadDemand>): WorkloadDemand => ({
  ...lib.workload('fio'),
  kind: 'load',
  ...given,
});
const random = { perOp: 1, sizeKb: 8, readShare: 0.7, randomShare: 1, hitShare: 0 };
const loads = {
  /** Disks alone: sixteen reads and writes a VM, always under way. */
  disks: demand({ users: 16, cpuMsPerOp: 0.02, io: [random] }),
  /** Fewer than the disks could serve. */
  calm: demand({ users: 2, cpuMsPerOp: 0.02, io: [random] }),
  writes: demand({ users: 16, cpuMsPerOp: 0.02, io: [{ ...random, readShare: 0 }] }),
  /** More work than the processors do. */
  cpu: demand({ users: 200, thinkMs: 100, cpuMsPerOp: 10 }),
  /** A single user: response is service. */
  single: demand({ users: 1, thinkMs: 0, cpuMsPerOp: 10 }),
  /** Big pages on one link a host. */
  net: demand({
    users: 200,
    thinkMs: 100,
    cpuMsPerOp: 0.5,
    net: { packetsInPerOp: 10, packetsOutPerOp: 40, bytesInPerOp: 1_000, bytesOutPerOp: 60_000 },
  }),
};
type Load = keyof typeof loads;
type Reading = Record<'rate' | 'ms', number>;

function measure(spec: LabSpec, load: Load): Reading {
  const model = createLabModel(spec, 0);
  for (const [index, vm] of spec.vms.entries())
    model.startLoad({
      id: vm.id,
      vmId: vm.id,
      clientId: `client${(index % 2) + 1}`,
      demand: spec.workloads[0] ?? loads[load],
    });
  model.advance(2 * minuteMs);
  const reports = spec.vms.map((vm) => model.load(vm.id, minuteMs, 2 * minuteMs)!);
  const rate = reports.reduce((sum, one) => sum + one.throughput, 0);
  return {
    rate,
    ms: reports.reduce((sum, one) => sum + one.latencyMeanMs * one.throughput, 0) / rate,
  };
}
const each = (count: number, path: (index: number) => string, value: unknown) =>
  Object.fromEntries(times(count, (index) => [path(index), value]));
const hostsAll = (field: string, value: unknown) => each(2, (i) => `hosts.${i}.${field}`, value);
const lunsAll = (field: string, value: unknown) =>
  each(pairCount, (i) => `luns.${i}.${field}`, value);
const vmsAll = (field: string, value: unknown) => each(8, (i) => `vms.${i}.${field}`, value);
const onLuns = (count: number) =>
  Object.fromEntries(
    times(pairCount, (i) => [`datastores.${i}.lunIds`, [`l${(i % count) + 1}`]] as const),
  );

/** What is changed, under which load, and what the measure is then, over what it was. */
const table: readonly [
  what: string,
  load: Load,
  changes: Record<string, unknown>,
  measure: keyof Reading,
  low: number,
  high: number,
][] = [
  ['half the LUNs', 'disks', onLuns(2), 'rate', 0.4, 0.65],
  ['half the LUNs', 'disks', onLuns(2), 'ms', 1.5, 2.5],
  ['half the disks a LUN', 'disks', lunsAll('disks', 4), 'rate', 0.45, 0.7],
  ['twice the disks a LUN', 'disks', lunsAll('disks', 16), 'rate', 1.3, 2.05],
  ['twice the disks a LUN under little load', 'calm', lunsAll('disks', 16), 'rate', 1, 1.25],
  [
    'disks of 10,000 rpm',
    'disks',
    { ...lunsAll('rpm', 10_000), ...lunsAll('seekMs', 4.7) },
    'rate',
    0.6,
    0.85,
  ],
  ['RAID 10 under writes', 'writes', lunsAll('raid', '10'), 'rate', 0.4, 0.65],
  ['RAID 5 under writes', 'writes', lunsAll('raid', '5'), 'rate', 0.2, 0.4],
  ['RAID 6 under writes', 'writes', lunsAll('raid', '6'), 'rate', 0.12, 0.3],
  ['RAID 5 under reads and writes', 'disks', lunsAll('raid', '5'), 'rate', 0.4, 0.8],
  ['a queue depth of 4 a host', 'disks', hostsAll('hba.queueDepth', 4), 'rate', 0.3, 0.95],
  ['a queue depth of 64 a host', 'disks', hostsAll('hba.queueDepth', 64), 'rate', 0.99, 1.1],
  ['a larger write cache', 'disks', { 'arrays.0.writeCacheMb': 8_192 }, 'rate', 1, 1.3],
  ['a slower controller', 'disks', { 'arrays.0.controllerUs': 1_200 }, 'rate', 0.2, 0.9],
  ['cores at half the clock', 'cpu', hostsAll('ghz', 1.465), 'rate', 0.45, 0.55],
  ['cores at half the clock', 'single', hostsAll('ghz', 1.465), 'ms', 1.9, 2.1],
  ['one socket of two', 'cpu', hostsAll('sockets', 1), 'rate', 0.45, 0.55],
  ['no hyper-threading', 'cpu', hostsAll('hyperThreadGain', 1), 'rate', 0.75, 0.85],
  ['a hypervisor that takes nothing', 'cpu', hostsAll('overhead.cpuShare', 0), 'rate', 1.03, 1.07],
  ['one vCPU of four', 'cpu', vmsAll('vcpus', 1), 'rate', 0.4, 0.9],
  [
    'all VMs on one host with room for them',
    'cpu',
    { ...vmsAll('hostId', 'h1'), ...hostsAll('memoryGb', 64) },
    'rate',
    0.45,
    0.55,
  ],
  ['all VMs on one host, disks alone', 'disks', vmsAll('hostId', 'h1'), 'rate', 0.7, 1.02],
  ['memory a little short', 'cpu', hostsAll('memoryGb', 24), 'rate', 0.9, 1.01],
  ['half the memory', 'cpu', hostsAll('memoryGb', 16), 'rate', 0, 0.2],
  ['links of 10 Gb/s', 'net', hostsAll('uplinks.0.gbps', 10), 'rate', 1.5, 11],
  ['links of 10 Gb/s for disks', 'disks', hostsAll('uplinks.0.gbps', 10), 'rate', 0.999, 1.001],
];

test.each(table)('%s under %s', (_what, load, changes, which, low, high) => {
  const given = base(loads[load]),
    before = measure(given, load)[which],
    after = measure(changedSpec(given, changes).spec, load)[which];
  expect(after / before).toBeGreaterThanOrEqual(low);
  expect(after / before).toBeLessThanOrEqual(high);
});

test('twenty perturbations and more are asked', () => {
  expect(new Set(table.map(([what, load]) => `${what} ${load}`)).size).toBeGreaterThanOrEqual(20);
});
