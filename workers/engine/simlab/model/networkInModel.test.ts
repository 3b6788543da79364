import { type LabSpec, labSpecSchema, workloadDemand } from '../../../../src/core/lab/lab.ts';
import { createLabModel } from './model.ts';
import type { LabModel } from './types.ts';

type Host = LabSpec['hosts'][number];
type Device = LabSpec['vms'][number]['device'];
interface Shape {
  gbps: number;
  uplinks: number;
  teaming: Host['teaming'];
  device: Device;
  pageKb: number;
  users: number;
  memoryMb: number;
}
const shape: Shape = {
  gbps: 1,
  uplinks: 2,
  teaming: 'portHash',
  device: 'paravirtual',
  pageKb: 100,
  users: 400,
  memoryMb: 4_096,
};

const demandOf = ({ pageKb, users }: Shape) =>
  workloadDemand.parse({
    kind: 'web',
    role: 'web',
    unit: 'pages/s',
    users,
    thinkMs: 500,
    cpuMsPerOp: 0.5,
    net: {
      packetsInPerOp: pageKb / 3,
      packetsOutPerOp: pageKb / 12,
      bytesInPerOp: (pageKb / 3) * 86,
      bytesOutPerOp: pageKb * 1_000,
    },
  });
function labOf({ gbps, uplinks, teaming, device, memoryMb }: Shape): LabSpec {
  const host = {
    model: 'S',
    cpuModel: 'C',
    sockets: 2,
    coresPerSocket: 4,
    ghz: 2.5,
    coreSpeed: 1,
    memoryGb: 64,
    overhead: { cpuShare: 0, usPerIo: 0, usPerPacket: 2.4 },
    hba: { ports: 1, queueDepth: 32, gbps: 4 },
    uplinks: Array.from({ length: uplinks }, (_, i) => ({ id: `vmnic${i}`, gbps })),
    teaming,
    power: { idleW: 150, busyW: 300 },
  };
  return labSpecSchema.parse({
    schemaVersion: 1,
    id: 'net',
    name: 'Net',
    noise: 0,
    hosts: [
      { ...host, id: 'h1' },
      { ...host, id: 'h2' },
    ],
    arrays: [
      {
        id: 'a',
        model: 'A',
        readCacheMb: 100,
        writeCacheMb: 100,
        ports: 1,
        portGbps: 4,
        controllerUs: 100,
      },
    ],
    luns: [
      {
        id: 'l',
        arrayId: 'a',
        disks: 6,
        rpm: 10_000,
        raid: '5',
        seekMs: 4,
        diskMbps: 80,
        sizeGb: 500,
      },
    ],
    datastores: [{ id: 'd', lunIds: ['l'] }],
    vms: [0, 1, 2, 3].map((i) => ({
      id: `vm${i}`,
      datastoreId: 'd',
      hostId: 'h1',
      vcpus: 2,
      memoryMb,
      device,
      vnics: [{ share: 1, portId: i }],
    })),
    clients: [{ id: 'c', cores: 64 }],
    workloads: [],
    drs: { enabled: false },
    vmotion: { mbps: 100 },
  });
}
function running(change: Partial<Shape> = {}, vms = 4): LabModel {
  const s = { ...shape, ...change };
  const model = createLabModel(labOf(s), 0);
  for (let i = 0; i < vms; i += 1)
    model.startLoad({ id: `l${i}`, vmId: `vm${i}`, clientId: 'c', demand: demandOf(s) });
  return model;
}
interface Seen {
  pages: number;
  latencyMs: number;
  cpuPct: number;
  kbps: number;
  peak: number;
}
function seen(model: LabModel, fromMs = 0, toMs = 60_000): Seen {
  model.advance(toMs);
  const loads = [0, 1, 2, 3].flatMap((i) => model.load(`l${i}`, fromMs, toMs) ?? []);
  const uplinks = model.uplinks('h1', fromMs, toMs);
  return {
    pages: loads.reduce((sum, one) => sum + one.throughput, 0),
    latencyMs: Math.max(...loads.map((one) => one.latencyMeanMs)),
    cpuPct: model.host('h1', fromMs, toMs)!.cpuPct,
    kbps: uplinks.reduce((sum, one) => sum + one.kbps, 0),
    peak: Math.max(...uplinks.map((one) => one.utilisation)),
  };
}

test.each<[string, keyof Seen, Partial<Shape>, Partial<Shape>, 'rises' | 'falls']>([
  ['faster uplinks serve more users', 'pages', {}, { gbps: 10 }, 'rises'],
  ['faster uplinks answer sooner', 'latencyMs', {}, { gbps: 10 }, 'falls'],
  ['more uplinks serve more', 'pages', {}, { uplinks: 4 }, 'rises'],
  ['bigger pages fill the link with fewer of them', 'pages', {}, { pageKb: 200 }, 'falls'],
  ['smaller pages leave the link room', 'peak', {}, { pageKb: 20 }, 'falls'],
  ['twice the users on a full link only wait', 'latencyMs', {}, { users: 800 }, 'rises'],
  [
    'an emulated device burns CPU',
    'cpuPct',
    { gbps: 10 },
    { gbps: 10, device: 'emulated' },
    'rises',
  ],
  [
    'pass-through saves CPU',
    'cpuPct',
    { gbps: 10, uplinks: 5 },
    { gbps: 10, uplinks: 5, device: 'passthrough' },
    'falls',
  ],
])('%s', (_what, measure, before, after, wanted) => {
  const [a, b] = [seen(running(before))[measure], seen(running(after))[measure]];
  expect(wanted === 'rises' ? b / a : a / b).toBeGreaterThan(1.1);
});

test('a full link delivers its speed and not more', () => {
  const { kbps, peak } = seen(running({ uplinks: 1, users: 2_000 }));
  expect(peak).toBeGreaterThan(0.99);
  expect(peak).toBeLessThanOrEqual(1);
  // 100 KB out and 2.9 KB in a page, frames of 24 bytes more on the wire.
  expect(kbps / ((125_000 * (1 + 86 / 3_000)) / (1 + 24 / 1_514))).toBeCloseTo(1, 2);
});

test('the uplinks of a host add up to its network', () => {
  const model = running();
  const { kbps } = seen(model);
  expect(model.host('h1', 0, 60_000)!.netKbps).toBeCloseTo(kbps, 3);
  expect(model.uplinks('h2', 0, 60_000).map((one) => one.kbps)).toEqual([0, 0]);
});

test('while an uplink is down the other carries all, and afterwards both do', () => {
  const model = running();
  model.addFault({
    id: 'f',
    kind: 'uplinkDown',
    targetId: 'h1/vmnic0',
    fromS: 60,
    toS: 120,
    amount: 1,
  });
  model.advance(180_000);
  const at = (fromS: number): boolean[] =>
    model.uplinks('h1', fromS * 1_000, fromS * 1_000 + 60_000).map((one) => one.kbps > 0);
  expect([at(0), at(60), at(120)]).toEqual([
    [true, true],
    [false, true],
    [true, true],
  ]);
  expect(seen(model, 60_000, 120_000).pages).toBeLessThan(0.7 * seen(model, 0, 60_000).pages);
  expect(seen(model, 120_000, 180_000).pages).toBeCloseTo(seen(model, 0, 60_000).pages, 0);
});

test('load-based teaming evens out what port ids put on one uplink, at most one move in 30 s', () => {
  const lab = labOf({ ...shape, teaming: 'loadBased' });
  const model = createLabModel(
    { ...lab, vms: lab.vms.map((vm, i) => ({ ...vm, vnics: [{ share: 1, portId: i * 2 }] })) },
    0,
  );
  for (let i = 0; i < 4; i += 1)
    model.startLoad({ id: `l${i}`, vmId: `vm${i}`, clientId: 'c', demand: demandOf(shape) });
  model.advance(600_000);
  const moves = model.events(0).filter((event) => event.type === 'uplinkMove');
  expect(moves.map((move) => move.tMs)).toEqual([30_000, 60_000]);
  const [first, second] = model.uplinks('h1', 500_000, 600_000);
  expect(first!.kbps / second!.kbps).toBeCloseTo(1, 3);
  expect(seen(model, 500_000, 600_000).pages).toBeGreaterThan(1.5 * seen(model, 0, 30_000).pages);
});

test('a vMotion is seen on both hosts, and takes longer beside full uplinks', () => {
  const quiet = running({}, 0),
    busy = running({ users: 2_000 });
  for (const model of [quiet, busy]) model.advance(30_000);
  const [short, long] = [quiet, busy].map(
    (model) => model.relocate('vm0', { hostId: 'h2' }).seconds,
  );
  expect(long! / short!).toBeGreaterThan(2);
  quiet.advance(40_000);
  expect(
    ['h1', 'h2'].map((host) =>
      Math.round(
        quiet.uplinks(host, 30_000, 40_000).reduce((sum, one) => sum + one.kbps, 0) / 1_000,
      ),
    ),
  ).toEqual([100, 100]);
});

test('a VM that owns a device does not move while it runs', () => {
  const model = running({ device: 'passthrough', uplinks: 5 });
  model.advance(10_000);
  expect(() => model.relocate('vm0', { hostId: 'h2' })).toThrow(
    expect.objectContaining({ kind: 'conflict' }),
  );
  model.setPower('vm0', false);
  expect(model.relocate('vm0', { hostId: 'h2' }).seconds).toBeGreaterThan(0);
});

test('the same calls give the same uplinks to the last digit', () => {
  const read = (): unknown => {
    const model = running({ teaming: 'ipHash' });
    model.advance(60_000);
    return model.uplinks('h1', 0, 60_000);
  };
  expect(read()).toEqual(read());
});
