import fc from 'fast-check';

import type { PlacementHistory } from '../../run/run.ts';
import { blockAt, type Box, layoutStage, leastRackPx, shelfOf, stageHeight } from './layout.ts';
import { stagePlaces, stageScene } from './scene.ts';
import { placementAt, slotAt, slotStays, slotsUsed } from './slots.ts';
import { shortNames, stageSummary, vmWords } from './words.ts';

type Move = PlacementHistory['moves'][number];

/** A placement as it is recorded: first places, then moves; each VM's in the order of time. */
const histories = fc
  .record({
    hosts: fc.integer({ min: 1, max: 6 }),
    vms: fc.integer({ min: 1, max: 30 }),
    moves: fc.array(
      fc.record({
        vm: fc.nat(29),
        host: fc.option(fc.nat(5), { nil: null }),
        afterMs: fc.integer({ min: 0, max: 500 }),
      }),
      { maxLength: 80 },
    ),
  })
  .map(({ hosts, vms, moves }): PlacementHistory => {
    const last = new Map<number, number>();
    return {
      hosts: Array.from({ length: hosts }, (_, i) => ({ ref: `h${i}`, name: `esx${i + 1}` })),
      vms: Array.from({ length: vms }, (_, i) => ({ ref: `v${i}`, name: `vm${i}`, tile: i >> 2 })),
      moves: [
        ...Array.from({ length: vms }, (_, vm): Move => ({
          tMs: 0,
          vm,
          host: vm % hosts,
          by: 'start',
        })),
        // Times of one VM go up; those of several are recorded in any order.
        ...moves.map(({ vm, host, afterMs }): Move => {
          const own = vm % vms;
          const tMs = (last.get(own) ?? 0) + afterMs;
          last.set(own, tMs);
          return { tMs, vm: own, host: host === null ? null : host % hosts, by: 'drs' };
        }),
      ],
    };
  });
const inOrder = (history: PlacementHistory): number[] => history.vms.map((_, i) => i);
const times = (history: PlacementHistory): number[] => [
  ...new Set(history.moves.flatMap(({ tMs }) => [tMs, tMs + 1])),
];

describe('places in racks', () => {
  test('at every moment each VM stands once, and no two in one place', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const stays = slotStays(history, inOrder(history));
        for (const atMs of times(history)) {
          const taken = stays.flatMap((own) => {
            const stay = slotAt(own, atMs);
            return stay?.host == null ? [] : [`${stay.host}/${stay.slot}`];
          });
          expect(new Set(taken).size).toBe(taken.length);
          expect(stays.every((own) => slotAt(own, atMs) !== undefined)).toBe(true);
        }
      }),
    );
  });

  test('a VM changes its place with a move of its own only, whatever is recorded later', () => {
    fc.assert(
      fc.property(histories, fc.nat(80), (history, cut) => {
        const known = history.vms.length + (cut % (history.moves.length + 1));
        const before = slotStays(
          { ...history, moves: history.moves.slice(0, known) },
          inOrder(history),
        );
        const after = slotStays(history, inOrder(history));
        before.forEach((own, vm) => {
          own.forEach((stay, at) => {
            const { host, slot, fromMs } = after[vm]![at]!;
            expect({ host, slot, fromMs }).toEqual({
              host: stay.host,
              slot: stay.slot,
              fromMs: stay.fromMs,
            });
          });
        });
      }),
    );
  });

  test('the picture of one moment has the same VMs on the same hosts, without gaps', () => {
    fc.assert(
      fc.property(histories, fc.nat(3_000), (history, atMs) => {
        const whole = slotStays(history, inOrder(history));
        const still = slotStays(placementAt(history, atMs), inOrder(history));
        const hosts = still.map((own) => slotAt(own, atMs)!.host);
        expect(hosts).toEqual(whole.map((own) => slotAt(own, atMs)!.host));
        const most = history.hosts.map((_, host) => hosts.filter((at) => at === host).length);
        expect(slotsUsed(still)).toBe(Math.max(...most));
      }),
    );
  });

  test('the place of one that left is given to the next that comes, and nobody moves up', () => {
    const history: PlacementHistory = {
      hosts: [
        { ref: 'a', name: 'a' },
        { ref: 'b', name: 'b' },
      ],
      vms: ['p', 'q', 'r'].map((ref) => ({ ref, name: ref, tile: 0 })),
      moves: [
        { tMs: 0, vm: 0, host: 0, by: 'start' },
        { tMs: 0, vm: 1, host: 0, by: 'start' },
        { tMs: 0, vm: 2, host: 1, by: 'start' },
        { tMs: 10, vm: 0, host: 1, by: 'drs' },
        { tMs: 20, vm: 2, host: 0, by: 'drs' },
      ],
    };
    const at = (atMs: number): (readonly [number | null, number])[] =>
      slotStays(history, [2, 1, 0]).map((own) => {
        const { host, slot } = slotAt(own, atMs)!;
        return [host, slot] as const;
      });
    expect(at(0)).toEqual([
      [0, 1],
      [0, 0],
      [1, 0],
    ]);
    expect(at(10)).toEqual([
      [1, 1],
      [0, 0],
      [1, 0],
    ]);
    expect(at(20)).toEqual([
      [1, 1],
      [0, 0],
      [0, 1],
    ]);
  });
});

describe('layout', () => {
  test('blocks lie within their rack and apart, racks within the picture and apart', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 320, max: 2_000 }),
        fc.integer({ min: 200, max: 700 }),
        (hosts, capacity, width, given) => {
          const height = stageHeight(hosts, width, given);
          const layout = layoutStage(hosts, capacity, width, height);
          const { racks, block } = layout;
          expect(racks).toHaveLength(hosts);
          const within = (box: Box, of: Box): boolean =>
            box.x >= of.x &&
            box.y >= of.y &&
            box.x + box.width <= of.x + of.width &&
            box.y + box.height <= of.y + of.height;
          const apart = (one: Box, two: Box): boolean =>
            two.x >= one.x + one.width ||
            one.x >= two.x + two.width ||
            two.y >= one.y + one.height ||
            one.y >= two.y + two.height;
          const allApart = (boxes: readonly Box[]): boolean =>
            boxes.every((box, i) => boxes.slice(0, i).every((other) => apart(box, other)));
          expect(racks.every((rack) => within(rack, { x: 0, y: 0, width, height }))).toBe(true);
          expect(racks.every((rack) => rack.width >= leastRackPx)).toBe(true);
          expect(allApart(racks)).toBe(true);
          const blocks = Array.from({ length: capacity }, (_, slot) => ({
            ...blockAt(layout, 0, slot),
            width: block,
            height: block,
          }));
          expect(blocks.every((box) => within(box, shelfOf(layout, 0)))).toBe(true);
          expect(allApart(blocks)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('scene', () => {
  const facts = {
    series: [
      {
        id: 0,
        metric: 'cpuPct' as const,
        entity: { kind: 'host' as const, id: 'h3', name: 'esx3.lab' },
        unit: '%',
        source: 'vc',
        periodMs: 20_000,
        decimals: 1,
        lagMs: 0,
      },
    ],
    workloads: [
      { id: 'web', state: 'running' as const },
      { id: 'db', state: 'lost' as const },
    ].map(({ id, state }) => ({
      entityId: `t0.${id}`,
      tile: 0,
      workloadId: id,
      clientId: 'c',
      vmName: `t1-${id}`,
      state,
      lastSampleMs: null,
      badLines: 0,
    })),
    placement: {
      hosts: [
        { ref: 'h1', name: 'esx1.lab' },
        { ref: 'h2', name: 'esx2.lab' },
      ],
      vms: [
        { ref: 'v2', name: 't1-db', tile: 0 },
        { ref: 'v1', name: 't1-web', tile: 0 },
        { ref: 'v9', name: 'spare', tile: null },
      ],
      moves: [
        { tMs: 10, vm: 0, host: 0, by: 'start' as const },
        { tMs: 10, vm: 1, host: 0, by: 'start' as const },
        { tMs: 10, vm: 2, host: 1, by: 'start' as const },
        { tMs: 50, vm: 2, host: null, by: 'unknown' as const },
      ],
    },
  };
  const scene = (atMs: number) =>
    stageScene(
      stagePlaces(facts, null),
      facts.workloads,
      {
        of: ({ ref }) => ({
          cpuPct: ref === 'h1' ? { value: 62.4, staleMs: 0 } : { value: null, staleMs: 0 },
          watts: ref === 'h1' ? { value: 420, staleMs: 40_000 } : { value: null, staleMs: 0 },
        }),
        power: { watts: null, known: 0, meters: 2 },
      },
      atMs,
    );

  test('roles by workload, states as told, a host that holds nothing is there, missing stays missing', () => {
    const now = scene(20);
    expect(now.vms.map(({ name, role, state, slot }) => [name, role, state, slot])).toEqual([
      ['t1-db', 1, 'lost', 1],
      ['t1-web', 0, 'load', 0],
      ['spare', 2, 'idle', 0],
    ]);
    expect(stageSummary(now)).toBe(
      '3 VMs on 3 hosts, 1 under load, 1 lost. ' +
        'esx1.lab: CPU 62 %, power 420 W, 40 s old, 2 VMs. ' +
        'esx2.lab: CPU –, power –, 1 VM. esx3.lab: CPU –, power –, 0 VMs.',
    );
    expect(vmWords(now, now.vms[0]!)).toBe('t1-db: tile 1, Db, lost, on esx1.lab, host CPU 62 %');
    expect(scene(5).vms).toEqual([]);
    expect(vmWords(scene(60), scene(60).vms[2]!)).toContain('on no host that vCenter names');
  });

  test('room for more than there is is kept, and for all that ever stood in a rack', () => {
    expect(stagePlaces(facts, null, 40).capacity).toBe(40);
    expect(slotsUsed(stagePlaces(facts, null).stays)).toBe(2);
  });
});

test.each([
  [
    ['esx1.lab.local', 'esx2.lab.local'],
    ['esx1', 'esx2'],
  ],
  [
    ['esx1.a', 'esx2.b'],
    ['esx1.a', 'esx2.b'],
  ],
  [
    ['192.0.2.1', '192.0.2.2'],
    ['192.0.2.1', '192.0.2.2'],
  ],
  [
    ['esx1', 'esx2'],
    ['esx1', 'esx2'],
  ],
])('%j is shown as %j', (names, short) => {
  expect(shortNames(names)).toEqual(short);
});
