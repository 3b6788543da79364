import { positionMs, rotationMs, stripeOverhead, transferMs } from './storageDisk.ts';
import { ask, iops } from './testing/storageParts.ts';

describe('one command on one disk', () => {
  const alone = {
    lun: { disks: 1, raid: '0' },
    array: { writeCacheMb: 0, readCacheMb: 0, controllerUs: 0.001 },
    host: { gbps: 1_000 },
  };
  test('takes seek, half a turn and transfer', () => {
    const {
      streams: [one],
    } = ask({
      ...alone,
      array: { ...alone.array, portGbps: 1_000 },
      stream: { outstanding: 1, readShare: 1 },
    });
    expect(one!.deviceMs).toBeCloseTo(3.5 + 2 + (8 / 1_024 / 70) * 1_000, 2);
    expect(one!.kernelMs).toBe(0);
    expect(one!.iops).toBeCloseTo(1_000 / one!.deviceMs, 3);
  });
  test('in sequence takes the transfer alone', () => {
    const {
      streams: [one],
    } = ask({
      ...alone,
      array: { ...alone.array, portGbps: 1_000 },
      stream: { outstanding: 1, readShare: 1, randomShare: 0 },
    });
    expect(one!.deviceMs).toBeCloseTo((8 / 1_024 / 70) * 1_000, 2);
  });
});

test('the elevator shortens seeks, never rotation', () => {
  const disk = { rpm: 15_000, seekMs: 3.5 };
  expect(positionMs(disk, 1)).toBeCloseTo(5.5, 9);
  expect(positionMs(disk, 4)).toBeLessThan(positionMs(disk, 2));
  expect(positionMs(disk, 1e6)).toBeGreaterThan(rotationMs(15_000) + 0.2 * 3.5);
  expect(transferMs({ diskMbps: 100 }, 1_024)).toBeCloseTo(10, 9);
});
test('full-stripe writes pay for parity once a stripe', () => {
  expect(stripeOverhead('0', 5)).toBe(1);
  expect(stripeOverhead('10', 8)).toBe(2);
  expect(stripeOverhead('5', 5)).toBe(1.25);
  expect(stripeOverhead('6', 6)).toBe(1.5);
});

describe('queues above the device', () => {
  test('commands beyond the depth of the host wait in its kernel, not in the device', () => {
    const shallow = ask({ host: { queueDepth: 8 }, stream: { readShare: 1, outstanding: 32 } });
    const deep = ask({ host: { queueDepth: 32 }, stream: { readShare: 1, outstanding: 32 } });
    expect(shallow.luns[0]!.outstanding).toBeCloseTo(8, 3);
    expect(shallow.streams[0]!.kernelMs).toBeGreaterThan(shallow.streams[0]!.deviceMs);
    expect(deep.streams[0]!.kernelMs).toBe(0);
    expect(iops(deep)).toBeGreaterThan(iops(shallow));
  });
  test('commands of many hosts beyond the depth of the LUN wait in the array', () => {
    const {
      streams: [one],
      luns: [volume],
    } = ask({ hosts: 8, stream: { readShare: 1, outstanding: 32 } });
    expect(one!.kernelMs).toBe(0);
    expect(volume!.outstanding).toBeCloseTo(256, 2);
    expect(one!.deviceMs).toBeCloseTo(
      (256 / iops(ask({ hosts: 8, stream: { readShare: 1, outstanding: 32 } }))) * 1_000,
      1,
    );
  });
});

describe('sequential streams', () => {
  const alone = {
    stream: { readShare: 1, randomShare: 0, sizeKb: 16, outstanding: 16 },
    lun: { disks: 6 },
  };
  test('keep their order alone and lose it in company, a little more with every one', () => {
    const sums = [1, 2, 3, 6].map((streams) => ask({ ...alone, streams }));
    expect(sums[0]!.luns[0]!.brokenShare).toBe(0);
    for (let i = 1; i < sums.length; i += 1) {
      expect(sums[i]!.luns[0]!.brokenShare).toBeGreaterThan(sums[i - 1]!.luns[0]!.brokenShare);
      expect(iops(sums[i]!)).toBeLessThan(iops(sums[i - 1]!));
    }
  });
  test('of many hosts end near the random rate', () => {
    const many = iops(ask({ ...alone, hosts: 32 })),
      random = iops(ask({ ...alone, hosts: 32, stream: { ...alone.stream, randomShare: 1 } }));
    expect(many / random).toBeGreaterThan(0.98);
    expect(many / random).toBeLessThan(1.15);
  });
  test('keep their order where each has a LUN of its own', () => {
    expect(ask({ ...alone, luns: 3 }).luns.map((one) => one.brokenShare)).toEqual([0, 0, 0]);
  });
  test('written through a cache are put back in order', () => {
    const write = {
      ...alone,
      stream: { ...alone.stream, readShare: 0 },
      lun: { disks: 6, raid: '0' },
    };
    expect(
      iops(ask({ ...write, streams: 4 })) / iops(ask({ ...write, streams: 1 })),
    ).toBeGreaterThan(0.95);
    expect(iops(ask({ ...write, streams: 4, array: { writeCacheMb: 0 } }))).toBeLessThan(
      0.5 * iops(ask({ ...write, streams: 1, array: { writeCacheMb: 0 } })),
    );
  });
});
