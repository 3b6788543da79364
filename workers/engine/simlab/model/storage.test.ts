import type { LabFault } from '../../../../src/core/lab/lab.ts';
import { solveStorage, solveStorageOn } from './storage.ts';
import { writePenalty } from './storageDisk.ts';
import { storageTopology } from './storageTopology.ts';
import type {
  StorageConditions,
  StorageLab,
  StorageResult,
  StorageStream,
} from './storageTypes.ts';
import { array, ask, host, iops, lun, type Parts } from './testing/storageParts.ts';

const latency = (result: StorageResult): number =>
  result.streams.reduce((sum, one) => sum + one.iops * (one.deviceMs + one.kernelMs), 0) /
  iops(result);
const fault = (kind: LabFault['kind'], targetId: string, amount: number): StorageConditions => ({
  faults: [{ id: 'f', kind, targetId, amount, fromS: 0, toS: 1 }],
});

test.each([
  ['0', 1],
  ['1', 2],
  ['10', 2],
  ['5', 4],
  ['6', 6],
] as const)('a small write on RAID %s is %i accesses', (raid, visits) => {
  expect(writePenalty(raid).visits).toBe(visits);
  // Writes alone, more than the disks take: the rate is what is left of the disks after the
  // penalty.
  const ratio =
    iops(ask({ lun: { raid: '0' }, stream: { readShare: 0, outstanding: 32 } })) /
    iops(ask({ lun: { raid }, stream: { readShare: 0, outstanding: 32 } }));
  expect(ratio).toBeCloseTo(visits, 1);
});

const heavyReads = { stream: { readShare: 1, outstanding: 24 } };
const writes = { stream: { readShare: 0, outstanding: 24 } };
const light = { stream: { readShare: 0.7, outstanding: 4, thinkMs: 20 } };
const sequential = { stream: { readShare: 1, randomShare: 0, sizeKb: 64, outstanding: 8 } };
/** What a change does to the rate and the latency of everybody: up, down, or nothing. */
test.each<[string, Parts, Parts, 1 | -1 | 0, 1 | -1 | 0]>([
  ['more spindles', heavyReads, { ...heavyReads, lun: { disks: 10 } }, 1, -1],
  ['slower spindles', heavyReads, { ...heavyReads, lun: { rpm: 7_200 } }, -1, 1],
  ['longer seeks', heavyReads, { ...heavyReads, lun: { seekMs: 8.5 } }, -1, 1],
  ['RAID 10 in place of 5 under writes', writes, { ...writes, lun: { raid: '10' } }, 1, -1],
  ['RAID 6 in place of 5 under writes', writes, { ...writes, lun: { raid: '6' } }, -1, 1],
  ['RAID level without writes', heavyReads, { ...heavyReads, lun: { raid: '0' } }, 0, 0],
  ['a write cache under few writes', { ...light, array: { writeCacheMb: 0 } }, light, 1, -1],
  [
    'a read cache that holds a fifth of the LUN',
    heavyReads,
    { ...heavyReads, array: { readCacheMb: 102_400 } },
    1,
    -1,
  ],
  ['reads that hit', heavyReads, { stream: { ...heavyReads.stream, hitShare: 0.5 } }, 1, -1],
  [
    'more outstanding below saturation',
    light,
    { stream: { ...light.stream, outstanding: 8 } },
    1,
    1,
  ],
  ['more think time', light, { stream: { ...light.stream, thinkMs: 80 } }, -1, -1],
  [
    'larger commands in sequence: fewer',
    sequential,
    { stream: { ...sequential.stream, sizeKb: 256 } },
    -1,
    1,
  ],
  [
    'sequential in place of random',
    heavyReads,
    { stream: { ...heavyReads.stream, randomShare: 0 } },
    1,
    -1,
  ],
  [
    'a slower link under large commands',
    { stream: { ...sequential.stream, outstanding: 16 } },
    { stream: { ...sequential.stream, outstanding: 16 }, host: { gbps: 1, ports: 1 } },
    -1,
    1,
  ],
  [
    'fewer array ports under large commands',
    { luns: 4, ...sequential },
    { luns: 4, ...sequential, array: { ports: 1, portGbps: 2 } },
    -1,
    1,
  ],
  [
    'a slow controller',
    { luns: 8, ...heavyReads },
    { luns: 8, ...heavyReads, array: { controllerUs: 4_000 } },
    -1,
    1,
  ],
  ['a slow LUN', heavyReads, { ...heavyReads, conditions: fault('lunSlow', 'l0', 4) }, -1, 1],
  ['a slow datastore', heavyReads, { ...heavyReads, conditions: fault('lunSlow', 'd0', 4) }, -1, 1],
  [
    'a lost host path under large commands',
    { ...sequential, lun: { disks: 20, queueDepth: 128 }, host: { gbps: 2, queueDepth: 128 } },
    {
      ...sequential,
      lun: { disks: 20, queueDepth: 128 },
      host: { gbps: 2, queueDepth: 128 },
      conditions: fault('pathLost', 'h0', 1),
    },
    -1,
    1,
  ],
  [
    'metadata updates',
    heavyReads,
    { ...heavyReads, conditions: { metadataPerS: new Map([['d0', 20]]) } },
    -1,
    1,
  ],
])('%s', (_name, before, after, rate, time) => {
  const [a, b] = [ask(before), ask(after)];
  expect(a.converged && b.converged).toBe(true);
  const moved = (from: number, to: number): number =>
    Math.abs(to / from - 1) < 0.003 ? 0 : Math.sign(to - from);
  expect([moved(iops(a), iops(b)), moved(latency(a), latency(b))]).toEqual([rate, time]);
});

/** Deterministic spread of cases: a linear congruential sequence. */
function* cases(count: number): Generator<{ parts: Parts; name: string }> {
  let state = 7;
  const pick = <T>(list: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return list[Math.floor(state / 65_536) % list.length]!;
  };
  for (let i = 0; i < count; i += 1) {
    const parts: Parts = {
      hosts: pick([1, 2, 5]),
      luns: pick([1, 3]),
      streams: pick([1, 2, 4]),
      host: { queueDepth: pick([4, 32, 256]), ports: pick([1, 2]), gbps: pick([1, 4]) },
      array: {
        readCacheMb: pick([0, 64, 4_096]),
        writeCacheMb: pick([0, 32, 4_096]),
        controllerUs: pick([20, 300]),
        controllerParallel: pick([1, 8]),
      },
      lun: {
        disks: pick([1, 2, 7, 30]),
        raid: pick(['0', '10', '5', '6']),
        rpm: pick([7_200, 15_000]),
        queueDepth: pick([8, 32, 256]),
      },
      stream: {
        outstanding: pick([0.3, 1, 7, 64, 500]),
        thinkMs: pick([0, 3, 500]),
        sizeKb: pick([4, 64, 512]),
        readShare: pick([0, 0.3, 0.8, 1]),
        randomShare: pick([0, 0.4, 1]),
        hitShare: pick([0, 0.3]),
      },
    };
    yield { parts, name: JSON.stringify(parts) };
  }
}

test("everywhere: Little's law, disks at most busy, slots at most full, finite figures; the fixed point closes in 99 of 100", () => {
  let open = 0;
  for (const { parts, name } of cases(400)) {
    const result = ask(parts);
    if (!result.converged) open += 1;
    const { outstanding = 0, thinkMs = 0 } = parts.stream!;
    for (const one of result.streams) {
      expect(
        Object.values(one).every(
          (value) => typeof value === 'boolean' || (Number.isFinite(value) && value >= 0),
        ),
      ).toBe(true);
      // n = rate × (latency + think time): what is asked is all somewhere.
      expect([
        name,
        Math.abs((one.iops * (one.deviceMs + one.kernelMs + thinkMs)) / 1_000 / outstanding - 1) <
          1e-4,
      ]).toEqual([name, true]);
    }
    const depth = Math.min(
      (parts.lun as { queueDepth: number }).queueDepth,
      (parts.host as { queueDepth: number }).queueDepth,
    );
    for (const one of result.luns) {
      expect([
        name,
        one.utilisation <= 1 &&
          (!result.converged || one.outstanding <= depth * parts.hosts! * 1.01),
      ]).toEqual([name, true]);
    }
  }
  expect(open).toBeLessThanOrEqual(4);
});

test('a rate that is asked is given up to what the disks have, and then no more', () => {
  const asked = (limit: number): StorageResult =>
    ask({ stream: { outstanding: 200, iopsLimit: limit } });
  expect(iops(asked(200))).toBeCloseTo(200, 6);
  const most = iops(ask({ stream: { outstanding: 200 } }));
  expect(iops(asked(100_000))).toBeCloseTo(most, 0);
  expect(latency(asked(200))).toBeLessThan(latency(asked(400)));
});

test('nothing asked is nothing, not NaN', () => {
  const none = ask({ stream: { outstanding: 0 } });
  expect(none.streams[0]).toEqual({
    iops: 0,
    deviceMs: 0,
    kernelMs: 0,
    outstanding: 0,
    reachable: true,
  });
  expect(none.luns[0]).toMatchObject({ utilisation: 0, iops: 0, deviceMs: 0, kernelMs: 0 });
  expect(ask({ streams: 0 }).streams).toEqual([]);
});

test.each(['h0', 'a', 'l0', 'd0'])(
  'without a path (%s) nothing comes back within the time-out',
  (target) => {
    const {
      streams: [one],
    } = ask({ host: { ports: 1 }, array: { ports: 1 }, conditions: fault('pathLost', target, 1) });
    expect(one).toMatchObject({ reachable: false, iops: 0, deviceMs: 60_000 });
  },
);

test('a stream stays on the extents it names', () => {
  const lab: StorageLab = {
    hosts: [host('h')],
    arrays: [array()],
    luns: [lun('data1'), lun('data2'), lun('log')],
    datastores: [{ id: 'd', lunIds: ['data1', 'data2', 'log'], shared: false }],
  };
  const stream = {
    id: 's',
    hostId: 'h',
    datastoreId: 'd',
    outstanding: 8,
    thinkMs: 0,
    sizeKb: 8,
    readShare: 1,
    randomShare: 1,
  };
  const { luns } = solveStorage(lab, [{ ...stream, extents: [0, 1] }]);
  expect(luns.map((one) => one.iops > 0)).toEqual([true, true, false]);
  expect(solveStorage(lab, [stream]).luns.every((one) => one.iops > 0)).toBe(true);
});

test('ids that point to nothing are refused by name', () => {
  const lab: StorageLab = { hosts: [host('h')], arrays: [], luns: [lun('l')], datastores: [] };
  expect(() => solveStorage(lab, [])).toThrow('LUN l names the array a');
  expect(() =>
    solveStorage(
      {
        ...lab,
        arrays: [array()],
        luns: [],
        datastores: [{ id: 'd', lunIds: ['l'], shared: true }],
      },
      [],
    ),
  ).toThrow('datastore d names the LUN l');
});

test('the same question has the same answer to the last bit', () => {
  const parts = { hosts: 3, luns: 2, streams: 2, stream: { outstanding: 40 } };
  expect(ask(parts)).toEqual(ask(parts));
});

test('10,000 streams end within the bound on rounds', () => {
  const lab: StorageLab = {
    hosts: Array.from({ length: 20 }, (_, i) => host(`h${i}`)),
    arrays: [array()],
    luns: Array.from({ length: 50 }, (_, i) => lun(`l${i}`)),
    datastores: Array.from({ length: 50 }, (_, i) => ({
      id: `d${i}`,
      lunIds: [`l${i}`],
      shared: true,
    })),
  };
  const topology = storageTopology(lab);
  const streams = Array.from({ length: 10_000 }, (_, i): StorageStream => ({
    id: `${i}`,
    hostId: `h${i % 20}`,
    datastoreId: `d${i % 50}`,
    outstanding: 1 + (i % 7),
    thinkMs: (i % 5) * 50,
    sizeKb: 8,
    readShare: (i % 3) / 2,
    randomShare: (i % 4) / 3,
  }));
  const startedAt = process.cpuUsage();
  const result = solveStorageOn(topology, streams);
  const { user } = process.cpuUsage(startedAt);
  expect(result.rounds).toBeLessThanOrEqual(250);
  expect(result.luns.every((one) => one.utilisation <= 1)).toBe(true);
  expect(user / 1e6).toBeLessThan(20);
});
