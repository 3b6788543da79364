import { clients, hosts, lab, luns, tileVms, times, vmName } from '../../gallery/build.ts';
import { drsMoves, imbalance } from './drs.ts';
import { createHistory, historyMs } from './history.ts';
import { hostMemory, pagingDelayMs } from './memory.ts';
import { createLabModel } from './model.ts';
import { cappedClock, hostPower } from './power.ts';
import type { LabModel } from './types.ts';

const tiles = 3;
const spec = lab({
  schemaVersion: 1,
  id: 'life',
  name: 'Three hosts',
  seed: 2,
  noise: 0.02,
  hosts: hosts(3, 'h', {
    model: 'M',
    cpuModel: 'x',
    sockets: 1,
    coresPerSocket: 4,
    ghz: 3,
    coreSpeed: 1,
    memoryGb: 32,
    overhead: { cpuShare: 0.1, usPerIo: 20, usPerPacket: 3 },
    hba: { ports: 2, queueDepth: 32, gbps: 4 },
    power: { idleW: 150, busyW: 300 },
  }),
  arrays: [
    {
      id: 'a',
      model: 'A',
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
    raid: '0',
    seekMs: 4.5,
    diskMbps: 60,
    sizeGb: 300,
  }),
  datastores: times(2, (i) => ({ id: `d${i + 1}`, lunIds: [`l${i + 1}`] })),
  vms: tileVms(
    tiles,
    { db: { vcpus: 2, memoryMb: 2_048, diskGb: 4 }, web: { vcpus: 2, memoryMb: 1_024, diskGb: 4 } },
    () => ({ hostId: 'h1', datastoreId: 'd1' }),
  ),
  clients: clients(1, 'client', { cores: 16 }),
  workloads: [
    {
      kind: 'db',
      role: 'db',
      unit: 'tps',
      users: 12,
      thinkMs: 5,
      cpuMsPerOp: 8,
      io: [{ perOp: 2, sizeKb: 8, readShare: 0.7, randomShare: 1 }],
      schedule: [
        { fromS: 0, usersFactor: 0.5 },
        { fromS: 60, usersFactor: 1 },
      ],
    },
    {
      kind: 'web',
      role: 'web',
      unit: 'pages/s',
      users: 40,
      thinkMs: 300,
      cpuMsPerOp: 9,
      burst: { periodS: 60, onS: 20, factor: 2 },
      timeoutMs: 4_000,
    },
  ],
  drs: { enabled: true, stars: 2 },
});
function begin(given = spec, startMs = 1_000_000): LabModel {
  const model = createLabModel(given, startMs);
  for (let tile = 0; tile < tiles; tile++)
    for (const kind of ['db', 'web'])
      model.startLoad({
        id: `${tile}.${kind}`,
        vmId: vmName(tile, kind),
        clientId: 'client1',
        demand: given.workloads.find((w) => w.kind === kind)!,
      });
  return model;
}
const at = 1_000_000;

test('same seed, same bytes, however it is advanced and in whatever order it is read; another seed, others', () => {
  const read = (model: LabModel, seconds: readonly number[]): string =>
    JSON.stringify(
      [...seconds]
        .sort((a, b) => a - b)
        .map((s) => [
          s,
          model.load('0.db', at + s * 1_000, at + (s + 1) * 1_000),
          model.host('h2', at + s * 1_000, at + (s + 1) * 1_000),
          model.datastore('d1', at + s * 1_000, at + (s + 1) * 1_000),
        ]),
    );
  const seconds = times(30, (i) => i * 37);
  const one = begin();
  one.advance(at + 1_200_000);
  const two = begin();
  for (let s = 1; s <= 1_200; s++) {
    two.advance(at + s * 1_000);
    two.load('1.web', at + s * 1_000 - 1_000, at + s * 1_000);
  }
  for (const s of [...seconds].reverse()) two.load('0.db', at + s * 1_000, at + (s + 1) * 1_000);
  expect(read(two, seconds)).toBe(read(one, seconds));
  expect(two.events(0)).toEqual(one.events(0));
  const other = begin({ ...spec, seed: 3 });
  other.advance(at + 1_200_000);
  expect(read(other, seconds)).not.toBe(read(one, seconds));
});

test('DRS spreads what began on one host, and tells its moves', () => {
  const model = begin();
  model.advance(at + 1_500_000);
  const used = new Set([...model.placement().values()].map(({ hostId }) => hostId));
  expect(used.size).toBe(3);
  expect(model.events(0).filter(({ type }) => type === 'drsMove').length).toBeGreaterThan(1);
  const cpu = spec.hosts.map(({ id }) => model.host(id, at + 1_440_000, at + 1_500_000)!.cpuPct);
  expect(Math.max(...cpu) - Math.min(...cpu)).toBeLessThan(35);
  const still = begin({ ...spec, drs: { ...spec.drs, enabled: false } });
  still.advance(at + 1_500_000);
  expect(new Set([...still.placement().values()].map(({ hostId }) => hostId))).toEqual(
    new Set(['h1']),
  );
});

test('what VMs take and wait for is what their host tells of them all', () => {
  const model = begin({ ...spec, noise: 0, drs: { ...spec.drs, enabled: false } });
  model.advance(at + 600_000);
  const span = [at + 300_000, at + 360_000] as const;
  const vms = times(tiles, (tile) =>
    ['db', 'web'].map((kind) => model.vm(vmName(tile, kind), ...span)!),
  ).flat();
  const host = model.host('h1', ...span)!;
  const stores = ['d1', 'd2'].map((id) => model.datastore(id, ...span)!);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  expect(host.readyPct).toBeGreaterThan(10);
  expect(sum(vms.map((vm) => vm.readyPct))).toBeCloseTo(host.readyPct, 6);
  expect(sum(vms.map((vm) => vm.diskKBps))).toBeCloseTo(
    sum(stores.map(({ readKBps, writeKBps }) => readKBps + writeKBps)),
    6,
  );
  expect(vms.every(({ cpuPct }) => cpuPct > 0 && cpuPct <= 100)).toBe(true);
  expect(model.vm('nobody', ...span)).toBeNull();
});

test('moves and clones take time that grows with memory, disk and load, and end', () => {
  const quiet = createLabModel({ ...spec, drs: { ...spec.drs, enabled: false } }, at);
  const small = quiet.relocate('t1-web', { hostId: 'h2' }).seconds;
  expect(quiet.placement().get('t1-web')!.hostId).toBe('h1');
  quiet.advance(at + small * 1_000 + 1);
  expect(quiet.placement().get('t1-web')!.hostId).toBe('h2');
  const big = quiet.relocate('t1-db', { hostId: 'h2' }).seconds;
  expect(big).toBeGreaterThan(small * 1.3);
  quiet.advance(at + 600_000);
  const copy = quiet.relocate('t2-db', { datastoreId: 'd2' }).seconds;
  const busy = begin({ ...spec, drs: { ...spec.drs, enabled: false } });
  busy.advance(at + 120_000);
  expect(busy.relocate('t2-db', { datastoreId: 'd2' }).seconds).toBeGreaterThan(copy * 1.1);
  expect(busy.clone('t1-db', { datastoreId: 'd2' }).seconds).toBeGreaterThan(10);
  expect(() => busy.relocate('nobody', { hostId: 'h2' })).toThrow('has no VM nobody');
  expect(() => busy.relocate('t1-web', { hostId: 'h9' })).toThrow('has no host h9');
});

test('a host that is down refuses, and comes back', () => {
  const model = begin({ ...spec, drs: { ...spec.drs, enabled: false } });
  model.addFault({ id: 'f', kind: 'hostDown', targetId: 'h1', fromS: 100, toS: 160, amount: 1 });
  model.advance(at + 300_000);
  expect(model.load('0.db', at + 100_000, at + 160_000)).toMatchObject({ throughput: 0 });
  expect(model.load('0.db', at + 100_000, at + 160_000)!.errorsPerS).toBeGreaterThan(0);
  expect(model.host('h1', at + 100_000, at + 160_000)).toMatchObject({ up: false, powerW: 0 });
  expect(model.load('0.db', at + 200_000, at + 300_000)!.throughput).toBeGreaterThan(10);
  expect(model.events(0).map(({ type }) => type)).toEqual(['fault', 'recovered']);
});

test('a load that is not there, has ended, or is older than an hour, reads null', () => {
  const model = begin();
  model.advance(at + 60_000);
  model.stopLoad('0.db');
  model.advance(at + 120_000);
  expect(model.load('nobody', at, at + 1_000)).toBeNull();
  expect(model.load('0.db', at + 60_000, at + 120_000)).toBeNull();
  expect(model.load('0.db', at, at + 60_000)).not.toBeNull();
  model.advance(at + 120_000 + 5 * 3_600_000);
  expect(model.load('1.db', at, at + 60_000)).toBeNull();
});

test('the past stays bounded', () => {
  const history = createHistory<number>();
  for (let i = 0; i < 100_000; i++) history.set(i * 1_000, i);
  expect(history.size()).toBeLessThan(historyMs / 1_000 + 600);
  let sum = 0;
  expect(
    history.over(99_000_000, 99_010_000, (value, ms) => {
      sum += value * ms;
    }),
  ).toBe(true);
  expect(sum).toBe(times(10, (i) => (99_000 + i) * 1_000).reduce((a, b) => a + b, 0));
  expect(history.over(0, 1_000, () => undefined)).toBe(false);
});

test('fewer stars move sooner; a host that swaps is relieved first; none is overfilled', () => {
  const three = times(3, (i) => ({ id: `h${i}`, capacity: 4, memoryMb: 8_192, up: true }));
  const vms = times(6, (i) => ({
    id: `v${i}`,
    hostId: i < 3 ? 'h0' : 'h1',
    demand: 0.3,
    memoryMb: 1_024,
    movable: true,
  }));
  expect(drsMoves(three, vms, 1, 20).length).toBeGreaterThan(0);
  expect(drsMoves(three, vms, 5, 20)).toEqual([]);
  const full = vms.map((vm) => ({ ...vm, hostId: 'h0', memoryMb: 3_000, demand: 0.001 }));
  expect(drsMoves(three, full, 5, 20).length).toBeGreaterThan(1);
  expect(
    drsMoves(
      three.map((host) => ({ ...host, up: host.id === 'h0' })),
      vms.map((vm) => ({ ...vm, hostId: 'h0' })),
      1,
      20,
    ),
  ).toEqual([]);
  expect(imbalance(three, vms)).toBeGreaterThan(0);
});

test('power: idle to busy, and a cap that holds', () => {
  const power = { idleW: 100, busyW: 300, curve: 1 };
  expect(hostPower(power, 0)).toBe(100);
  expect(hostPower(power, 0.5)).toBe(200);
  expect(cappedClock(power, undefined, 1)).toBe(1);
  const clock = cappedClock(power, 220, 0.9);
  expect(clock).toBeLessThan(1);
  expect(hostPower(power, 0.9 / clock, clock)).toBeLessThanOrEqual(220.0001);
});

test('memory: full but not over costs nothing, far over pages', () => {
  expect(pagingDelayMs(hostMemory(16, [8_192, 4_096], true, 0), 10)).toBe(0);
  expect(pagingDelayMs(hostMemory(8, [8_192, 8_192], true, 0), 10)).toBeGreaterThan(1);
  expect(hostMemory(16, [8_192], true, 0.5).usedShare).toBeGreaterThan(
    hostMemory(16, [8_192], true, 0).usedShare,
  );
});

describe('DRS that is set', () => {
  const moved = (model: LabModel): number =>
    model.events(0).filter((event) => event.type === 'drsMove').length;
  test('off or manual it moves nothing; on again it balances, and events tell where to and that it was DRS', () => {
    const model = begin();
    model.setDrs({ behavior: 'manual' });
    model.advance(1_000_000 + 1_200_000);
    expect([
      moved(model),
      new Set([...model.placement().values()].map((place) => place.hostId)).size,
    ]).toEqual([0, 1]);
    model.setDrs({ behavior: 'fullyAutomated', stars: 1 });
    model.advance(1_000_000 + 2_400_000);
    expect(moved(model)).toBeGreaterThan(0);
    const arrived = model.events(0).filter((event) => event.type === 'vmotion');
    expect(arrived.every((event) => event.byDrs === true && event.hostId !== undefined)).toBe(true);
    const keys = model.events(0).map((event) => event.key);
    expect(keys).toEqual([...keys].sort((a, b) => a - b));
    model.setDrs({ enabled: false });
    const before = moved(model);
    model.advance(1_000_000 + 3_600_000);
    expect(moved(model)).toBe(before);
    expect(model.drs()).toEqual({ enabled: false, behavior: 'fullyAutomated', stars: 1 });
  });
});
