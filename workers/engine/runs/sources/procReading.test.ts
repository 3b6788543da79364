import fc from 'fast-check';

import { between, decodeReading, toldBy } from './procReading.ts';

const printed = `uptime 26213.76 9498.32
stat cpu  3538858 18344 673240 949832 13109 0 29100 3064 0 0
pressure/cpu some avg10=73.72 avg60=38.54 avg300=17.23 total=18031780628
pressure/io some avg10=0.26 avg60=0.36 avg300=0.38 total=631393016
pressure/memory some avg10=0.00 avg60=0.00 avg300=0.00 total=1008733
MemTotal 24683656 kB
MemAvailable 21826028 kB
net Inter-|   Receive                                                |  Transmit
net  face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
net     lo: 60070045575 75048436    0    0    0     0          0         0 60070045575 75048436    0    0    0     0       0          0
net   ifb0:       7       0    0    0    0     0          0         0        8       0    0    0    0     0       0          0
net   eth0: 2823418012  167168    0    0    0     0          0         0 15961324  144327    0    0    0     0       0          0
disk    7       0 loop0 9 0 9 0 9 0 9 0 0 0 0 0 0 0 0 0 0
disk  254       0 vda 7419721 304900 151594666 1531192 6304958 2572499 361098912 3509301 0 1193904 5567887 1676511 14585 337891304 253549 1443491 273843
disk  254       1 vda1 7419721 304900 151594666 1531192 6304958 2572499 361098912 3509301 0 1193904 5567887 0 0 0 0 0 0
disk  253       0 zram0 1 0 1 0 1 0 1 0 0 0 0 0 0 0 0 0 0
/sys/block/vda/device
/sys/class/net/eth0/device
`;
const reading = decodeReading(printed)!;

test('what a Linux machine prints becomes counters of its hardware', () => {
  expect(reading).toEqual({
    uptimeS: 26_213.76,
    ticks: { total: 5_225_547, idle: 962_941, stolen: 3_064 },
    stalledUs: { cpu: 18_031_780_628, io: 631_393_016, memory: 1_008_733 },
    memoryPct: 100 * (1 - 21_826_028 / 24_683_656),
    netBytes: 2_823_418_012 + 15_961_324,
    diskBytes: 512 * (151_594_666 + 361_098_912),
  });
  expect(toldBy(reading)).toHaveLength(8);
});

test('without hardware every adapter but the loopback counts, and no disk does', () => {
  const bare = decodeReading(printed.replaceAll(/^\/sys.*\n/gm, ''))!;
  expect(bare).toMatchObject({ netBytes: 2_823_418_012 + 15_961_324 + 15, diskBytes: null });
});

test.each([
  ['nothing', ''],
  ['a refusal', 'sh: 1: cannot open /proc/uptime: Permission denied'],
  ['a word for a time', 'uptime long'],
])('%s is no reading', (_what, text) => {
  expect(decodeReading(text)).toBeNull();
});

test.each([
  ['a kernel without pressure', /^pressure.*\n/gm, /Pressure/],
  ['a kernel that counts no stolen time', / 0 29100 3064 0 0$/m, /steal/],
  ['no ticks', /^stat cpu .*$/m, /^cpuPct|steal/],
  ['ticks that are none', /^stat cpu  3538858/m, /^cpuPct|steal/],
  ['memory that cannot be', /^MemTotal \d+/m, /memoryPct/],
  ['no adapter', /^net .*\n/gm, /net/],
  ['no disk', /^disk .*\n/gm, /disk/],
])('%s: what it does not tell is missing, the rest is there', (_what, lines, missing) => {
  const partial = decodeReading(printed.replace(lines, ''))!;
  const told = toldBy(partial);
  expect(told).toEqual(toldBy(reading).filter((metric) => !missing.test(metric)));
  const after = { ...partial, uptimeS: partial.uptimeS + 1 };
  for (const metric of Object.keys(between(partial, after))) expect(told).toContain(metric);
});

test('between two readings: shares of the processors and of the time, rates a second', () => {
  const after: typeof reading = {
    uptimeS: reading.uptimeS + 2,
    ticks: { total: 5_225_547 + 400, idle: 962_941 + 100, stolen: 3_064 + 40 },
    stalledUs: { cpu: 18_031_780_628 + 500_000, io: 631_393_016, memory: null },
    memoryPct: 12,
    netBytes: reading.netBytes! + 3_000_000,
    diskBytes: reading.diskBytes! + 1_024_000,
  };
  const found = between(reading, after);
  expect(found).toEqual({
    cpuPct: 75,
    stealPct: 10,
    cpuPressurePct: expect.closeTo(25, 6) as number,
    ioPressurePct: 0,
    memoryPct: 12,
    netKbps: expect.closeTo(1_500, 6) as number,
    diskKBps: expect.closeTo(512, 6) as number,
  });
});

test('a machine that was started anew, or lost an adapter, gives a gap and no negative rate', () => {
  expect(between(reading, { ...reading, uptimeS: 12 })).toEqual({});
  expect(between(reading, reading)).toEqual({});
  const lost = between(reading, { ...reading, uptimeS: reading.uptimeS + 1, netBytes: 5 });
  expect(lost).not.toHaveProperty('netKbps');
  expect(lost).toHaveProperty('diskKBps', 0);
});

test('whatever the counters, shares lie in 0 to 100 and rates are not negative', () => {
  const counter = fc.option(fc.nat(), { nil: null });
  const any = fc.record({
    uptimeS: fc.double({ min: 0, max: 1e9, noNaN: true }),
    ticks: fc.option(fc.record({ total: fc.nat(), idle: fc.nat(), stolen: counter }), {
      nil: null,
    }),
    stalledUs: fc.record({ cpu: counter, io: counter, memory: counter }),
    memoryPct: fc.constant(null),
    netBytes: counter,
    diskBytes: counter,
  });
  fc.assert(
    fc.property(any, any, (a, b) => {
      for (const [metric, value] of Object.entries(between(a, b))) {
        expect(value).toBeGreaterThanOrEqual(0);
        if (metric.endsWith('Pct')) expect(value).toBeLessThanOrEqual(100);
      }
    }),
  );
});
