import {
  base,
  both,
  type Kind,
  kinds,
  less,
  run,
  same,
  type Seen,
  with_,
} from './testing/modelRun.ts';

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
