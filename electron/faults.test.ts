import { countFaults } from './faults.ts';

const fault = (message: string): Error => {
  const thrown = new Error(message);
  thrown.stack = `Error: ${message}\n    at tick (main.cjs:1:1)\n    at listOnTimeout`;
  return thrown;
};

test('a fault in a timer: one report, one box, a line at each power of ten', () => {
  const faults = countFaults();
  expect(faults.met(fault('a'))).toEqual({
    times: 1,
    report: true,
    box: { untold: 0 },
    line: true,
  });
  faults.closed();
  const later = Array.from({ length: 999 }, () => faults.met(fault('a')));
  expect(later.some(({ report, box }) => report || box !== null)).toBe(false);
  expect(later.filter(({ line }) => line).map(({ times }) => times)).toEqual([10, 100, 1_000]);
});

test('faults while a box is open are reported without one, and the next box counts them', () => {
  const faults = countFaults();
  faults.met(fault('a'));
  expect(faults.met(fault('b'))).toMatchObject({ report: true, box: null });
  faults.met(fault('b'));
  faults.closed();
  expect(faults.met(fault('c')).box).toEqual({ untold: 2 });
});

test('faults that are all different open three boxes, then none', () => {
  const faults = countFaults();
  const boxes = Array.from({ length: 50 }, (_, n) => {
    const { box } = faults.met(fault(`fault ${n}`));
    faults.closed();
    return box;
  });
  expect(boxes.filter((box) => box !== null)).toHaveLength(3);
});

test('what was thrown at two places is two faults, and a fault may have no stack', () => {
  const faults = countFaults();
  faults.met(fault('a'));
  const elsewhere = fault('a');
  delete elsewhere.stack;
  expect(faults.met(elsewhere).times).toBe(1);
  expect(faults.met(elsewhere).times).toBe(2);
});
