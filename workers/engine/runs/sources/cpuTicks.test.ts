import { busyPct, cpuTicks } from './cpuTicks.ts';

test('a line of /proc/stat becomes ticks: waiting for I/O is idle, stolen time is not, guest time is not counted twice', () => {
  expect(cpuTicks('cpu  100 20 30 800 40 5 5 10 90 3\ncpu0 1 2 3')).toEqual({
    total: 1_010,
    idle: 840,
  });
});

test.each([
  '',
  'cpu0 1 2 3 4 5',
  'cpu 1 2 3',
  'cpu a b c d e',
  'cat: /proc/stat: No such file',
  'cpu  -1 2 3 4 5',
])('%p is no line of ticks', (text) => {
  expect(cpuTicks(text)).toBeNull();
});

test('busy is what was not idle between two readings; without ticks, or after a restart, it is unknown', () => {
  expect(busyPct({ total: 1_000, idle: 800 }, { total: 2_000, idle: 1_050 })).toBeCloseTo(75, 10);
  expect(busyPct({ total: 1_000, idle: 800 }, { total: 1_000, idle: 800 })).toBeNull();
  expect(busyPct({ total: 9_000, idle: 8_000 }, { total: 100, idle: 90 })).toBeNull();
});
