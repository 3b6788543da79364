import { drsWords } from '../../../../src/core/snapshot/drsWords.ts';
import type { VmEvent } from '../../deps/vcenter.ts';
import { createFakeClock } from '../../testing/fakeClock.ts';
import { classify, explains } from './classify.ts';
import { createOwnMoves } from './ownMoves.ts';
import { createPlacementLog } from './placementLog.ts';

const event = (change: Partial<VmEvent>): VmEvent => ({
  key: 1,
  chainId: null,
  tMs: 0,
  vmRef: 'vm-1',
  vmName: 'one',
  hostRef: null,
  type: 'VmMigratedEvent',
  text: 'as vCenter says',
  user: null,
  ...change,
});
const names = { vm: () => 'one', host: () => 'esx1' };

describe('ours', () => {
  test('within the time of our task, by its chain, or by the name of our clone; DRS never', async () => {
    const clock = createFakeClock(1_000_000);
    const own = createOwnMoves(clock, 'run-1');
    const end = own.begin('vm-1');
    await clock.advance(60_000);
    end();
    expect(own.isOurs(event({}), 1_030_000)).toBe(true);
    expect(own.isOurs(event({ vmRef: 'vm-2' }), 1_030_000)).toBe(false);
    expect(own.isOurs(event({}), 1_066_000)).toBe(false);
    expect(own.isOurs(event({ type: 'DrsVmMigratedEvent' }), 1_030_000)).toBe(false);
    expect(own.isOurs(event({ vmName: 'tb-run-1-7' }), 0)).toBe(true);
    expect(own.isOurs(event({ vmName: 'tb-run-12-7' }), 0)).toBe(false);
    own.chain(77);
    expect(own.isOurs(event({ vmRef: 'vm-9', chainId: 77 }), 0)).toBe(true);
  });
  test('is told by the operation, not again', () => {
    expect(classify(event({ type: 'VmPoweredOffEvent' }), true, names)).toBeNull();
  });
});

test.each([
  ['what happens to the host of an act', 'maintenance', 'host-1', 'host-1', 'X', true],
  ['an uplink of the host that was lost', 'uplinkLost', 'host-1/vmnic2', 'host-1', 'X', true],
  ['a storage path of the host that was lost', 'pathLost', 'host-1/vmhba1', 'host-1', 'X', true],
  ['another host', 'uplinkLost', 'host-1/vmnic2', 'host-10', 'X', false],
  ['VMs that HA starts again', 'hostFails', 'host-1', 'host-2', 'VmRestartedByHAEvent', true],
  ['no host at all, by an act on all', 'burst', null, null, 'X', false],
] as const)('an act explains %s', (_what, kind, ref, hostRef, type, explained) => {
  const target = ref === null ? null : { ref, name: ref };
  expect(explains({ kind, target }, { hostRef, type })).toBe(explained);
});

test.each([
  ['VmResettingEvent', 'one was reset by bob', 'warn'],
  ['VmSuspendedEvent', 'one was suspended by bob', 'warn'],
  ['VmReconfiguredEvent', 'one: as vCenter says by bob', undefined],
  ['VmRestartedOnAlternateHostEvent', 'HA restarted one on esx1', 'warn'],
  ['DrsVmPoweredOnEvent', 'DRS powered one on on esx1', undefined],
] as const)('%s', (type, text, severity) => {
  const told = classify(event({ type, hostRef: 'host-1', user: 'bob' }), false, names)!;
  expect([told.text, told.finding?.severity]).toEqual([text, severity]);
});

describe('places', () => {
  const start = {
    hosts: [{ ref: 'h1', name: 'esx1' }],
    vms: [{ ref: 'vm-1', name: 'one', tile: 0 }],
    moves: [],
  };
  test('only changes are kept; an event that comes after the poll says by whom and when', () => {
    const log = createPlacementLog(start, (ref) => `name of ${ref}`);
    log.put('vm-1', 'h1', 0, 'start');
    log.put('vm-1', 'h1', 20, 'unknown');
    log.put('vm-1', 'h9', 40, 'unknown');
    log.put('vm-1', 'h9', 33, 'drs');
    log.put('vm-1', 'h1', 10, 'other');
    log.put('stranger', 'h1', 50, 'drs');
    const { history, changed } = log.take();
    expect(history.moves).toEqual([
      { tMs: 0, vm: 0, host: 0, by: 'start' },
      { tMs: 33, vm: 0, host: 1, by: 'drs' },
    ]);
    expect(history.hosts.map((host) => host.name)).toEqual(['esx1', 'name of h9']);
    expect([changed, log.take().changed]).toEqual([true, false]);
  });
  test('are bounded, and say what was left out', () => {
    const log = createPlacementLog(start, () => '', 2);
    for (let i = 0; i < 5; i += 1) log.put('vm-1', i % 2 === 0 ? 'h1' : 'h2', i, 'drs');
    expect([log.take().history.moves.length, log.take().left]).toEqual([2, 3]);
  });
});

test('DRS in words', () => {
  expect([
    drsWords({ enabled: false, behavior: 'manual', vmotionRate: 3 }),
    drsWords({ enabled: true, behavior: 'partiallyAutomated', vmotionRate: 1 }),
    drsWords({ enabled: null, behavior: null, vmotionRate: null }),
  ]).toEqual(['off', 'partially automated, threshold 1 of 5', 'not known']);
});
