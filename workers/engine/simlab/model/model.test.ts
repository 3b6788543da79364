import type { LabSpec } from '../../../../src/core/lab/lab.ts';
import { clients, hosts, lab, luns, tileVms, times, vmName } from '../../gallery/build.ts';
import { changedSpec } from '../changes.ts';
import { createLabModel } from './model.ts';
import { waterFill } from './testing/waterFill.ts';
import type { LabModel } from './types.ts';

const kinds = ['database', 'mail', 'web', 'batch'] as const;
type Kind = (typeof kinds)[number];

/** Two blades on one small array: in no post. */
const base = lab({
  schemaVersion: 1,
  id: 'blades',
  name: 'Two blades',
  seed: 5,
  noise: 0,
  hosts: hosts(2, 'h', {
    model: 'Blade',
    cpuModel: 'x',
    sockets: 2,
    coresPerSocket: 2,
    ghz: 2.5,
    coreSpeed: 1,
    memoryGb: 32,
    overhead: { cpuShare: 0.08, usPerIo: 20, usPerPacket: 3 },
    hba: { ports: 2, queueDepth: 32, gbps: 4 },
    power: { idleW: 150, busyW: 300 },
  }),
  arrays: [
    {
      id: 'a',
      model: 'Array',
      readCacheMb: 512,
      writeCacheMb: 256,
      ports: 2,
      portGbps: 4,
      controllerUs: 150,
    },
  ],
  luns: luns(2, 'l', {
    arrayId: 'a',
    disks: 6,
    rpm: 10_000,
    raid: '10',
    seekMs: 4.5,
    diskMbps: 60,
    sizeGb: 300,
    queueDepth: 32,
  }),
  datastores: times(2, (i) => ({ id: `d${i + 1}`, lunIds: [`l${i + 1}`] })),
  vms: tileVms(
    2,
    {
      database: { vcpus: 2, memoryMb: 4_096 },
      mail: { vcpus: 2, memoryMb: 2_048 },
      web: { vcpus: 2, memoryMb: 2_048 },
      batch: { vcpus: 4, memoryMb: 2_048 },
    },
    (tile) => ({ hostId: `h${tile + 1}`, datastoreId: `d${tile + 1}` }),
  ),
  clients: clients(2),
  drs: { enabled: false },
  workloads: [
    {
      kind: 'database',
      role: 'database',
      unit: 'tps',
      users: 24,
      thinkMs: 20,
      cpuMsPerOp: 3,
      io: [{ perOp: 4, sizeKb: 8, readShare: 0.7, randomShare: 1 }],
    },
    {
      kind: 'mail',
      role: 'mail',
      unit: 'actions/s',
      users: 600,
      thinkMs: 20_000,
      cpuMsPerOp: 12,
      io: [{ perOp: 2, sizeKb: 8, readShare: 0.6, randomShare: 1 }],
    },
    {
      kind: 'web',
      role: 'web',
      unit: 'pages/s',
      users: 30,
      thinkMs: 50,
      cpuMsPerOp: 6,
      net: { packetsInPerOp: 20, packetsOutPerOp: 60, bytesInPerOp: 3_000, bytesOutPerOp: 90_000 },
    },
    { kind: 'batch', role: 'batch', unit: 'jobs/s', users: 16, thinkMs: 0, cpuMsPerOp: 40 },
  ],
});

interface Seen {
  throughput: Record<Kind, number>;
  latencyMs: Record<Kind, number>;
  p95Ms: Record<Kind, number>;
  cpuPct: number;
  powerW: number;
  deviceMs: number;
  iops: number;
  opsPerS: Record<Kind, number>;
}
function start(spec: LabSpec, which: readonly Kind[] = kinds): LabModel {
  const model = createLabModel(spec, 0);
  for (const tile of [0, 1])
    for (const kind of which)
      model.startLoad({
        id: `${tile}.${kind}`,
        vmId: vmName(tile, kind),
        clientId: `client${tile + 1}`,
        demand: spec.workloads.find((w) => w.kind === kind)!,
      });
  return model;
}
function run(spec: LabSpec, which: readonly Kind[] = kinds): Seen {
  const model = start(spec, which);
  model.advance(120_000);
  const sum = (
    kind: Kind,
    of: (load: NonNullable<ReturnType<LabModel['load']>>) => number,
  ): number =>
    [0, 1].reduce((total, tile) => {
      const load = model.load(`${tile}.${kind}`, 60_000, 120_000);
      return total + (load ? of(load) : 0);
    }, 0);
  const each = (of: (kind: Kind) => number): Record<Kind, number> => ({
    database: of('database'),
    mail: of('mail'),
    web: of('web'),
    batch: of('batch'),
  });
  const up = spec.hosts.map(({ id }) => model.host(id, 60_000, 120_000)!);
  const stores = spec.datastores.map(({ id }) => model.datastore(id, 60_000, 120_000)!);
  return {
    throughput: each((kind) => sum(kind, (load) => load.throughput)),
    opsPerS: each((kind) => sum(kind, (load) => load.opsPerS)),
    latencyMs: each((kind) => sum(kind, (load) => load.latencyMeanMs) / 2),
    p95Ms: each((kind) => sum(kind, (load) => load.latencyP95Ms) / 2),
    cpuPct: up.reduce((total, host) => total + host.cpuPct, 0) / up.length,
    powerW: up.reduce((total, host) => total + host.powerW, 0),
    deviceMs: Math.max(...stores.map((one) => one.deviceLatencyMs)),
    iops: stores.reduce((total, one) => total + one.readIops + one.writeIops, 0),
  };
}
const with_ = (changes: Record<string, unknown>, spec = base): LabSpec =>
  changedSpec(spec, changes).spec;
const both = (path: string, value: unknown): Record<string, unknown> => ({
  [`hosts.0.${path}`]: value,
  [`hosts.1.${path}`]: value,
});
const luns2 = (path: string, value: unknown): Record<string, unknown> => ({
  [`luns.0.${path}`]: value,
  [`luns.1.${path}`]: value,
});
const vmsOf = (kind: Kind, path: string, value: unknown): Record<string, unknown> =>
  Object.fromEntries(
    base.vms.flatMap((vm, index) =>
      vm.id.endsWith(kind) ? [[`vms.${index}.${path}`, value]] : [],
    ),
  );

const calm: readonly Kind[] = ['database', 'mail', 'web'];
const more = (a: number, b: number, by = 1.01): void => expect(b).toBeGreaterThan(a * by);
const less = (a: number, b: number, by = 0.99): void => expect(b).toBeLessThan(a * by);
const same = (a: number, b: number, within = 0.02): void =>
  expect(Math.abs(b / a - 1)).toBeLessThan(within);

test.each<[string, Record<string, unknown>, readonly Kind[], (before: Seen, after: Seen) => void]>([
  [
    'more spindles: shorter disk queue, more transactions',
    luns2('disks', 24),
    calm,
    (a, b) => {
      less(a.deviceMs, b.deviceMs, 0.8);
      more(a.throughput.database, b.throughput.database, 1.2);
    },
  ],
  [
    'faster spindles: shorter service',
    { ...luns2('rpm', 15_000), ...luns2('seekMs', 3.5) },
    calm,
    (a, b) => {
      less(a.deviceMs, b.deviceMs, 0.9);
    },
  ],
  [
    'parity instead of mirrors: writes cost more accesses',
    luns2('raid', '6'),
    calm,
    (a, b) => {
      more(a.deviceMs, b.deviceMs);
      less(a.throughput.database, b.throughput.database);
    },
  ],
  [
    'bigger read cache: fewer reads reach the disks',
    { 'arrays.0.readCacheMb': 200_000 },
    calm,
    (a, b) => {
      less(a.deviceMs, b.deviceMs, 0.95);
      more(a.throughput.database, b.throughput.database);
    },
  ],
  [
    'shallower queue: the kernel waits instead of the device',
    both('hba.queueDepth', 4),
    calm,
    (a, b) => {
      less(a.deviceMs, b.deviceMs);
    },
  ],
  [
    'faster cores: less utilisation, shorter responses',
    both('coreSpeed', 2),
    calm,
    (a, b) => {
      less(a.cpuPct, b.cpuPct, 0.8);
      less(a.latencyMs.web, b.latencyMs.web, 0.8);
    },
  ],
  [
    'faster cores do not help who waits for users',
    both('coreSpeed', 2),
    calm,
    (a, b) => same(a.throughput.mail, b.throughput.mail),
  ],
  [
    'faster cores: a saturated batch does twice the work',
    both('coreSpeed', 2),
    ['batch'],
    (a, b) => same(2 * a.throughput.batch, b.throughput.batch, 0.05),
  ],
  [
    'hyper-threading: a saturated host does more',
    both('hyperThreadGain', 1.25),
    kinds,
    (a, b) =>
      more(a.throughput.batch + a.throughput.web, b.throughput.batch + b.throughput.web, 1.02),
  ],
  [
    'higher virtualisation overhead: more CPU, or less work',
    both('overhead', { cpuShare: 0.4, usPerIo: 100, usPerPacket: 10 }),
    calm,
    (a, b) => {
      more(a.cpuPct, b.cpuPct, 1.1);
      more(a.latencyMs.web, b.latencyMs.web);
    },
  ],
  [
    'no think time: the web takes what its VM has',
    { 'workloads.2.thinkMs': 0 },
    calm,
    (a, b) => {
      more(a.throughput.web, b.throughput.web);
      more(a.latencyMs.web, b.latencyMs.web);
    },
  ],
  [
    'twice the users far from saturation: twice the throughput',
    { 'workloads.1.users': 1_200 },
    ['mail'],
    (a, b) => {
      same(2 * a.throughput.mail, b.throughput.mail, 0.01);
      more(a.cpuPct, b.cpuPct, 1.8);
    },
  ],
  [
    'ten times the users: bound by CPU, responses grow',
    { 'workloads.1.users': 6_000 },
    ['mail'],
    (a, b) => {
      less(10 * a.throughput.mail, b.throughput.mail);
      more(a.p95Ms.mail, b.p95Ms.mail, 2);
    },
  ],
  [
    'one host for both tiles: contention',
    Object.fromEntries(base.vms.map((_, index) => [`vms.${index}.hostId`, 'h1'])),
    kinds,
    (a, b) => less(a.throughput.batch, b.throughput.batch, 0.8),
  ],
  [
    'more shares: the batch keeps more of a full host',
    vmsOf('batch', 'shares', 30_000),
    kinds,
    (a, b) => {
      more(a.throughput.batch, b.throughput.batch);
      less(a.throughput.web, b.throughput.web, 1);
    },
  ],
  [
    'one vCPU: half of two',
    vmsOf('web', 'vcpus', 1),
    ['web'],
    (a, b) => less(a.throughput.web, b.throughput.web),
  ],
  [
    'slow uplink: it bounds the web',
    both('uplinks', [{ id: 'vmnic0', gbps: 0.05 }]),
    ['web'],
    (a, b) => {
      less(a.throughput.web, b.throughput.web, 0.5);
      expect(b.throughput.web * 90_000 * 8).toBeLessThan(2 * 0.05e9);
    },
  ],
  [
    'power cap: less power, less work',
    both('power', { idleW: 150, busyW: 300, capW: 200 }),
    kinds,
    (a, b) => {
      less(a.powerW, b.powerW, 0.8);
      expect(b.powerW).toBeLessThan(2 * 200 * 1.001);
      less(a.throughput.batch, b.throughput.batch, 0.9);
    },
  ],
  [
    'slow client machines: they cap the load',
    { 'clients.0.coreSpeed': 0.02, 'clients.1.coreSpeed': 0.02 },
    ['web'],
    (a, b) => less(a.throughput.web, b.throughput.web, 0.7),
  ],
  [
    'too little memory: paging',
    both('memoryGb', 4),
    ['mail'],
    (a, b) => more(a.latencyMs.mail, b.latencyMs.mail, 1.1),
  ],
  [
    '32-bit guests that cost more',
    { ...vmsOf('mail', 'bits', 32), 'workloads.1.factor32Bit': 2 },
    ['mail'],
    (a, b) => {
      more(a.cpuPct, b.cpuPct, 1.5);
      same(a.throughput.mail, b.throughput.mail);
    },
  ],
])('%s', (_name, changes, which, check) => check(run(base, which), run(with_(changes), which)));

test('a testbed in no post: everything in range, laws kept', () => {
  const seen = run(base);
  expect(seen.cpuPct).toBeGreaterThan(80);
  // Little's law, users = X (Z + R), of each class.
  for (const { kind, users, thinkMs } of base.workloads) {
    const load = start(base);
    load.advance(60_000);
    const report = load.load(`0.${kind}`, 0, 60_000)!;
    expect((report.opsPerS * (thinkMs + report.latencyMeanMs)) / 1_000).toBeCloseTo(users, 2);
    expect(report.latencyP95Ms).toBeGreaterThan(report.latencyMeanMs);
    expect(report.latencyP99Ms).toBeGreaterThanOrEqual(report.latencyP95Ms);
  }
  // Operational law of flow: the array sees the I/O that the operations ask.
  expect(seen.iops).toBeCloseTo(4 * seen.opsPerS.database + 2 * seen.opsPerS.mail, 3);
});

test("utilisation law: CPU is throughput × demand, and what the guests' timers take", () => {
  const spec = with_({ ...both('overhead', { cpuShare: 0, usPerIo: 0, usPerPacket: 0 }) });
  const seen = run(spec, ['mail']);
  const capacity = 2 * 4,
    timers = 2 * 10 * 0.002;
  expect((seen.cpuPct / 100) * capacity).toBeCloseTo(seen.opsPerS.mail * 0.012 + timers, 4);
});

test('nothing is lost or made: greedy loads lose on a full host, thinking ones keep their pace', () => {
  const alone = run(base, ['mail']),
    full = run(
      with_({ 'workloads.3.users': 60, 'workloads.0.users': 200, 'workloads.2.users': 300 }),
    );
  expect(full.cpuPct).toBeGreaterThan(98);
  same(alone.throughput.mail, full.throughput.mail, 0.03);
  const batchAlone = run(base, ['batch']);
  less(batchAlone.throughput.batch, full.throughput.batch, 0.9);
});

test('a full host is divided nearly as water-filling by shares says', () => {
  // Three greedy VMs with 1, 2 and 4 parts, and one that wants little.
  const shares = [1_000, 2_000, 4_000, 1_000];
  const spec = lab({
    ...base,
    hosts: [base.hosts[0]!].map((host) => ({
      ...host,
      overhead: { cpuShare: 0, usPerIo: 0, usPerPacket: 0 },
    })),
    clients: [],
    variants: {},
    vms: shares.map((part, i) => ({
      id: `v${i}`,
      hostId: 'h1',
      datastoreId: 'd1',
      vcpus: 4,
      memoryMb: 1_024,
      shares: part,
    })),
    workloads: [
      { kind: 'greedy', role: 'batch', unit: 'jobs/s', users: 64, thinkMs: 0, cpuMsPerOp: 20 },
      { kind: 'meek', role: 'web', unit: 'pages/s', users: 10, thinkMs: 400, cpuMsPerOp: 10 },
    ],
  });
  const model = createLabModel(spec, 0);
  shares.forEach((_, i) =>
    model.startLoad({
      id: `l${i}`,
      vmId: `v${i}`,
      clientId: null,
      demand: spec.workloads[i < 3 ? 0 : 1]!,
    }),
  );
  model.advance(60_000);
  const used = shares.map(
    (_, i) =>
      (model.load(`l${i}`, 0, 60_000)!.opsPerS * spec.workloads[i < 3 ? 0 : 1]!.cpuMsPerOp) / 1_000,
  );
  const ideal = waterFill(
    4 - 16 * 0.002,
    shares.map((part, i) => ({
      shares: part,
      demand: i < 3 ? 4 : (10 / 410) * 10,
      reservation: 0,
      limit: 4,
    })),
  );
  // Cold caches take a few parts in a hundred of a full host.
  used.forEach((one, i) => expect(Math.abs(one / ideal[i]! - 1)).toBeLessThan(0.12));
  expect(used.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(3.5);
  expect(used.reduce((sum, one) => sum + one, 0)).toBeLessThan(4);
});
