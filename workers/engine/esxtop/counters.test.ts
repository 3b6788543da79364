import fc from 'fast-check';

import { groupName, portOwner } from './counters.ts';
import { zoneOf } from './live.ts';

test.each([
  ['vSwitch0:33554434:vmnic0', { kind: 'uplink', device: 'vmnic0' }],
  ['vSwitch0:33554435:Shadow of vmnic0', null],
  ['vSwitch0:33554433:Management', null],
  ['internal:50331696:444768:styx', { kind: 'vm', name: 'styx' }],
  ['DvsPortset-0:50331697:444903:web: 1 (prod).eth1', { kind: 'vm', name: 'web: 1 (prod)' }],
])('port %s', (instance, owner) => {
  expect(portOwner(instance)).toEqual(owner);
});

test.each([
  ['73000:web: 1 (prod)', 'web: 1 (prod)'],
  ['1:system', 'system'],
  ['_Total', null],
])('group %s', (instance, name) => {
  expect(groupName(instance)).toBe(name);
});

test('whatever the zone and the sign of its number, the time is that of the host’s clock', () => {
  const nowMs = Date.UTC(2026, 10, 24, 8, 30);
  fc.assert(
    fc.property(
      fc.integer({ min: -56, max: 56 }),
      fc.integer({ min: -400_000, max: 400_000 }),
      (quarters, lateMs) => {
        const printedMs = nowMs + quarters * 900_000 + lateMs;
        expect(printedMs - zoneOf(printedMs, nowMs)).toBe(nowMs + lateMs);
      },
    ),
  );
});
