import { solveNetwork, uplinkStations } from './network.ts';
import {
  connectPorts,
  createNetworkState,
  type NetworkState,
  withUplinksDown,
} from './networkPorts.ts';
import { stepTeaming, teamingDueMs, type UplinkMove } from './networkTeaming.ts';
import type { NetworkSolution } from './networkTypes.ts';
import { flowsOf, type Shape, shape, spec, totalGbps } from './testing/networkShape.ts';

/** Runs a team second by second under a load that grows from nothing to `endGbps`, and stays. */
function teamed(
  change: Partial<Shape>,
  endGbps: number,
  rampS: number,
  totalS: number,
): { moves: UplinkMove[]; perSecond: NetworkSolution[]; state: NetworkState } {
  const s = {
    ...shape,
    teaming: 'loadBased' as const,
    portStep: 2,
    demandGbps: endGbps,
    ...change,
  };
  const made = spec(s);
  let state = createNetworkState(made);
  const moves: UplinkMove[] = [];
  const perSecond: NetworkSolution[] = [];
  for (let second = 1; second <= totalS; second += 1) {
    const solution = solveNetwork(made, flowsOf(s, Math.min(1, second / rampS)), state);
    const step = stepTeaming(made, state, solution, second * 1_000, 1_000);
    ({ state } = step);
    moves.push(...step.moves);
    perSecond.push(solution);
  }
  return { moves, perSecond, state };
}

describe('load-based teaming', () => {
  test('moves one port where the mean of 30 s is above 75 %, then a second, and both uplinks end even', () => {
    const { moves, perSecond } = teamed({}, 13, 1_300, 1_500);
    expect(moves.map((move) => [move.fromUplinkId, move.toUplinkId])).toEqual([
      ['vmnic0', 'vmnic1'],
      ['vmnic0', 'vmnic1'],
    ]);
    const totalAt = (move: UplinkMove): number => totalGbps(perSecond[move.tMs / 1_000 - 1]!);
    expect(totalAt(moves[0]!)).toBeGreaterThan(7.3);
    expect(totalAt(moves[0]!)).toBeLessThan(8);
    expect(totalAt(moves[1]!)).toBeGreaterThan(9.7);
    expect(totalAt(moves[1]!)).toBeLessThan(10.5);
    const before = perSecond[moves[0]!.tMs / 1_000 - 2]!;
    expect(before.uplinks[1]!.kbps).toBe(0);
    const last = perSecond.at(-1)!;
    expect(last.uplinks[0]!.kbps).toBeCloseTo(last.uplinks[1]!.kbps, 6);
    expect(totalGbps(last)).toBeCloseTo(13, 3);
  });
  test('a burst shorter than the mean of 30 s moves nothing', () => {
    const s = { ...shape, teaming: 'loadBased' as const, portStep: 2, demandGbps: 9 };
    const made = spec(s);
    let state = createNetworkState(made);
    const moves: UplinkMove[] = [];
    for (let second = 1; second <= 300; second += 1) {
      const step = stepTeaming(
        made,
        state,
        solveNetwork(made, flowsOf(s, second % 30 < 15 ? 1 : 0.2), state),
        second * 1_000,
        1_000,
      );
      ({ state } = step);
      moves.push(...step.moves);
    }
    expect(moves).toEqual([]);
  });
  test.each([
    [4, 14],
    [8, 19],
    [16, 60],
    [5, 30],
  ])('with %i ports at %i Gb/s moves are never closer than 30 s, and end', (vms, gbps) => {
    const { moves } = teamed({ vms, uplinks: 3, portStep: 3 }, gbps, 400, 2_000);
    expect(moves.length).toBeGreaterThan(0);
    for (const [i, move] of moves.entries())
      if (i > 0) expect(move.tMs - moves[i - 1]!.tMs).toBeGreaterThanOrEqual(30_000);
    // It settles: a port that went there and back would go on for ever.
    expect(moves.at(-1)!.tMs).toBeLessThan(1_500_000);
  });
  test('port hash and address hash never move', () => {
    expect(teamed({ teaming: 'portHash' }, 13, 100, 400).moves).toEqual([]);
    expect(teamed({ teaming: 'ipHash' }, 13, 100, 400).moves).toEqual([]);
  });
  test('is the same however often it is run', () => {
    expect(teamed({}, 13, 300, 600)).toEqual(teamed({}, 13, 300, 600));
  });
  test('says when it looks next', () => {
    const made = spec({ ...shape, teaming: 'loadBased' });
    expect(teamingDueMs(made, createNetworkState(made, 5_000))).toBe(35_000);
    expect(teamingDueMs(spec(shape), createNetworkState(spec(shape)))).toBeNull();
  });
});

describe('ports', () => {
  test('fail over while their uplink is down, and come back', () => {
    const made = spec({ ...shape, demandGbps: 8 });
    const state = createNetworkState(made);
    const flows = flowsOf({ ...shape, demandGbps: 8 });
    const down = solveNetwork(made, flows, withUplinksDown(state, ['h1/vmnic0']));
    expect(down.uplinks.map((uplink) => [uplink.up, uplink.kbps > 0])).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(totalGbps(down)).toBeCloseTo(8, 3);
    expect(
      solveNetwork(made, flows, withUplinksDown(withUplinksDown(state, ['h1/vmnic0']), [])),
    ).toEqual(solveNetwork(made, flows, state));
    const cut = solveNetwork(made, flows, withUplinksDown(state, ['h1/vmnic0', 'h1/vmnic1']));
    expect([...cut.flows.values()].map((flow) => flow.deliveredShare)).toEqual([0, 0, 0, 0]);
  });
  test('a VM that left has none; those that stay keep what teaming gave them', () => {
    const made = spec({ ...shape, teaming: 'loadBased', portStep: 2 });
    const { state } = teamed({}, 13, 300, 600);
    const on = made.vms.filter((vm) => vm.id !== 'vm3').map((vm) => ({ vm, hostId: 'h1' }));
    const after = connectPorts(made.hosts, state, on);
    expect([...after.ports.keys()].sort()).toEqual(['h1#kernel', 'vm0#0', 'vm1#0', 'vm2#0']);
    for (const key of after.ports.keys())
      expect(after.ports.get(key)).toEqual(state.ports.get(key));
  });
  test('a port group with one active uplink stays on it', () => {
    const made = spec(shape);
    const pinned = {
      ...made,
      vms: made.vms.map((vm, i) => ({
        ...vm,
        vnics: [{ share: 1, uplinkId: i < 3 ? 'vmnic1' : 'vmnic0' }],
      })),
    };
    const solution = solveNetwork(
      pinned,
      flowsOf({ ...shape, demandGbps: 4 }),
      createNetworkState(pinned),
    );
    expect(solution.uplinks[1]!.outKbps / solution.uplinks[0]!.outKbps).toBeCloseTo(3, 6);
  });
  test('a pass-through device has its uplink for itself', () => {
    const made = spec({ ...shape, uplinks: 2 });
    const mixed = {
      ...made,
      vms: made.vms.map((vm, i) => ({
        ...vm,
        device: i === 2 ? ('passthrough' as const) : vm.device,
      })),
    };
    expect(
      Object.fromEntries(
        [...createNetworkState(mixed).ports].map(([key, port]) => [key, port.homeUplinkId]),
      ),
    ).toEqual({
      'vm0#0': 'vmnic0',
      'vm1#0': 'vmnic0',
      'vm2#0': 'vmnic1',
      'vm3#0': 'vmnic0',
      'h1#kernel': 'vmnic0',
    });
  });
  test('vMotion shares the uplink with the VMs', () => {
    const made = spec(shape);
    const flows = flowsOf({ ...shape, demandGbps: 18 });
    const alone = solveNetwork(made, flows, createNetworkState(made));
    const moving = solveNetwork(
      made,
      [
        ...flows,
        {
          id: 'vmotion',
          hostId: 'h1',
          vmId: null,
          packetsInPerS: 0,
          bytesInPerS: 0,
          packetsOutPerS: 80_000,
          bytesOutPerS: 120e6,
        },
      ],
      createNetworkState(made),
    );
    expect(moving.flows.get('l0')!.deliveredShare).toBeLessThan(
      alone.flows.get('l0')!.deliveredShare,
    );
    expect(moving.flows.get('l1')!.deliveredShare).toBe(alone.flows.get('l1')!.deliveredShare);
  });
  test('stations of an operation add up to its time on the wire', () => {
    const made = spec(shape);
    const stations = uplinkStations(made, createNetworkState(made), {
      id: 'op',
      hostId: 'h1',
      vmId: 'vm0',
      packetsInPerS: 10,
      packetsOutPerS: 100,
      bytesInPerS: 900,
      bytesOutPerS: 147_600,
    });
    expect(stations).toEqual([
      { key: 'h1/vmnic0/in', demandMs: expect.closeTo(((900 + 240) * 8) / 1e7, 9) },
      { key: 'h1/vmnic0/out', demandMs: expect.closeTo((150_000 * 8) / 1e7, 9) },
    ]);
  });
});
