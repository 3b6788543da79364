import { counted, withUnit } from './counted.ts';

test.each([
  [1, 'tiles', '1 tile'],
  [2, 'tiles', '2 tiles'],
  [1, 'VMs', '1 VM'],
  [1, 'ms', '1 ms'],
  [1, 'IOPS', '1 IOPS'],
  [1, 'orders/min', '1 orders/min'],
])('%s of %s is %s', (value, unit, words) => {
  expect(withUnit(value, unit)).toBe(words);
});

test('a count has its noun', () => {
  expect([counted(1, 'run'), counted(0, 'run'), counted(1_200, 'VM')]).toEqual([
    '1 run',
    '0 runs',
    '1,200 VMs',
  ]);
});
