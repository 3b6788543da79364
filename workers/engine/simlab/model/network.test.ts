import { type LabSpec, labSpecSchema } from '../../../../src/core/lab/lab.ts';
import { solveNetwork, uplinkStations } from './network.ts';
import { packetCpu, pinnedMemoryFactor } from './networkDevices.ts';
import { interruptsPerS } from './networkDevices.ts';
import {
  connectPorts,
  createNetworkState,
  type NetworkState,
  withUplinksDown,
} from './networkPorts.ts';
import { linkQueue } from './networkQueue.ts';
import { stepTeaming, teamingDueMs, type UplinkMove } from './networkTeaming.ts';
import { type NetworkFlow, type NetworkSolution } from './networkTypes.ts';

type Teaming = LabSpec['hosts'][number]['teaming'];
interface Shape {
  teaming: Teaming;
  gbps: number;
  uplinks: number;
  vms: number;
  portStep: number;
  device: LabSpec['vms'][number]['device'];
  ipPairs: number;
  demandGbps: number;
  packetBytes: number;
}
const shape: Shape = {
  teaming: 'portHash',
  gbps: 10,
  uplinks: 2,
  vms: 4,
  portStep: 1,
  device: 'paravirtual',
  ipPairs: 1,
  demandGbps: 12,
  packetBytes: 1_500,
};

function spec({ teaming, gbps, uplinks, vms, portStep, device }: Shape): LabSpec {
  return labSpecSchema.parse({
    schemaVersion: 1,
    id: 'net',
    name: 'Net',
    arrays: [],
    luns: [],
    datastores: [{ id: 'd', lunIds: ['l'] }],
    workloads: [],
    drs: { enabled: false },
    hosts: [
      {
        id: 'h1',
        model: 'S',
        cpuModel: 'C',
        sockets: 2,
        coresPerSocket: 4,
        ghz: 3,
        coreSpeed: 1,
        memoryGb: 96,
        overhead: { cpuShare: 0, usPerIo: 0, usPerPacket: 2.4 },
        hba: { ports: 1, queueDepth: 32, gbps: 8 },
        teaming,
        uplinks: Array.from({ length: uplinks }, (_, i) => ({ id: `vmnic${i}`, gbps })),
        power: { idleW: 100, busyW: 200 },
      },
    ],
    vms: Array.from({ length: vms }, (_, i) => ({
      id: `vm${i}`,
      datastoreId: 'd',
      hostId: 'h1',
      vcpus: 4,
      memoryMb: 16_384,
      device,
      vnics: [{ share: 1, portId: i * portStep }],
    })),
  });
}
const flowsOf = (s: Shape, factor = 1): NetworkFlow[] =>
  Array.from({ length: s.vms }, (_, i) => {
    const bytesOutPerS = (((s.demandGbps * factor) / s.vms) * 1e9) / 8;
    return {
      id: `l${i}`,
      hostId: 'h1',
      vmId: `vm${i}`,
      bytesInPerS: bytesOutPerS / 20,
      packetsInPerS: bytesOutPerS / 20 / 90,
      bytesOutPerS,
      packetsOutPerS: bytesOutPerS / s.packetBytes,
      addressPairs: s.ipPairs,
    };
  });
function solved(change: Partial<Shape>): NetworkSolution {
  const s = { ...shape, ...change };
  const made = spec(s);
  return solveNetwork(made, flowsOf(s), createNetworkState(made));
}
const totalGbps = (solution: NetworkSolution): number =>
  (solution.uplinks.reduce((sum, uplink) => sum + uplink.outKbps, 0) * 8) / 1e6;
const peak = (solution: NetworkSolution): number =>
  Math.max(...solution.uplinks.map((uplink) => uplink.utilisation));
const latency = (solution: NetworkSolution): number =>
  Math.max(...[...solution.flows.values()].map((flow) => flow.frameOutMs));
const cpu = (solution: NetworkSolution): number => solution.hostCpu.get('h1')!;

describe('what a change of the network does', () => {
  test.each<
    [
      string,
      (solution: NetworkSolution) => number,
      Partial<Shape>,
      Partial<Shape>,
      'rises' | 'falls' | 'stays',
    ]
  >([
    [
      'a faster uplink delivers more of what saturates it',
      totalGbps,
      { demandGbps: 24 },
      { demandGbps: 24, gbps: 25 },
      'rises',
    ],
    ['a faster uplink shortens the wait', latency, {}, { gbps: 25 }, 'falls'],
    ['a faster uplink is less busy', peak, {}, { gbps: 25 }, 'falls'],
    [
      'more uplinks deliver more',
      totalGbps,
      { demandGbps: 24 },
      { demandGbps: 24, uplinks: 4 },
      'rises',
    ],
    [
      'ports that hash to one uplink deliver less than ports that spread',
      totalGbps,
      {},
      { portStep: 2 },
      'falls',
    ],
    [
      'an address hash spreads what port ids do not',
      totalGbps,
      { portStep: 2 },
      { portStep: 2, teaming: 'ipHash', ipPairs: 100 },
      'rises',
    ],
    [
      'an address hash cannot spread a single pair',
      totalGbps,
      { vms: 1 },
      { vms: 1, teaming: 'ipHash' },
      'stays',
    ],
    [
      'load-based teaming without a move is port hash',
      totalGbps,
      { portStep: 2 },
      { portStep: 2, teaming: 'loadBased' },
      'stays',
    ],
    ['an emulated device costs more', cpu, {}, { device: 'emulated' }, 'rises'],
    ['pass-through costs less', cpu, {}, { device: 'passthrough', vms: 2, uplinks: 4 }, 'falls'],
    ['smaller packets cost more for the same bytes', cpu, {}, { packetBytes: 500 }, 'rises'],
    [
      'smaller packets fill the wire more',
      peak,
      { demandGbps: 8 },
      { demandGbps: 8, packetBytes: 100 },
      'rises',
    ],
    ['more load waits longer', latency, { demandGbps: 6 }, { demandGbps: 18 }, 'rises'],
  ])('%s', (_what, measure, before, after, wanted) => {
    const [a, b] = [measure(solved(before)), measure(solved(after))];
    if (wanted === 'stays') expect(b).toBeCloseTo(a, 9);
    else expect(wanted === 'rises' ? b / a : a / b).toBeGreaterThan(1.02);
  });
});

describe('for every load, team and policy', () => {
  const cases = (['portHash', 'ipHash', 'loadBased'] as const).flatMap((teaming) =>
    [1, 2, 3].flatMap((uplinks) =>
      [0.01, 5, 9.9, 10, 20, 200].map((demandGbps) => ({ teaming, uplinks, demandGbps })),
    ),
  );
  test.each(cases)(
    '$teaming, $uplinks uplinks, $demandGbps Gb/s: no more than offered, no more than fits, and the parts are the whole',
    (change) => {
      const s = { ...shape, ...change, ipPairs: 16 };
      const made = spec(s);
      const flows = flowsOf(s);
      const solution = solveNetwork(made, flows, createNetworkState(made));
      expect(totalGbps(solution)).toBeLessThanOrEqual(s.demandGbps * (1 + 1e-9));
      for (const uplink of solution.uplinks) {
        expect((uplink.outKbps * 8) / 1e6).toBeLessThanOrEqual(s.gbps);
        expect(uplink.utilisation).toBeLessThanOrEqual(1);
        expect(uplink.kbps).toBeCloseTo(uplink.inKbps + uplink.outKbps, 6);
      }
      const byPort = solution.ports.reduce((sum, port) => sum + port.outBytesPerS, 0);
      expect(byPort / 1_000).toBeCloseTo(
        solution.uplinks.reduce((sum, uplink) => sum + uplink.outKbps, 0),
        3,
      );
      for (const flow of solution.flows.values()) expect(flow.deliveredShare).toBeGreaterThan(0);
      expect(solveNetwork(made, flows, createNetworkState(made))).toEqual(solution);
    },
  );
});

describe('link', () => {
  test('waits as M/M/1 while it is far from full', () => {
    const gbps = 1;
    const frames = 40_000;
    const bytes = frames * 1_476;
    const service = ((1_500 * 8) / 1e9) * 1_000;
    const load = (frames * 1_500 * 8) / 1e9;
    expect(linkQueue(bytes, frames, gbps).frameMs).toBeCloseTo(service / (1 - load), 9);
    expect(linkQueue(bytes, frames, gbps).deliveredShare).toBeCloseTo(1, 9);
  });
  test('a full one holds its buffer and delivers its speed', () => {
    const { deliveredShare, frameMs, utilisation } = linkQueue(1_476 * 1e6, 1e6, 1);
    expect(1_500 * 1e6 * 8 * deliveredShare).toBeCloseTo(1e9, -3);
    expect(frameMs).toBeCloseTo((512 * 1_500 * 8) / 1e6, 0);
    expect(utilisation).toBeCloseTo(1, 9);
  });
  test('is smooth where load meets capacity', () => {
    const at = (load: number): number =>
      linkQueue((1_476 * load * 1e9) / 12_000, (load * 1e9) / 12_000, 1).frameMs;
    expect(at(0.999999)).toBeCloseTo(at(1), 2);
    expect(at(1.00001)).toBeCloseTo(at(1), 1);
    expect(at(0.9)).toBeLessThan(at(0.99));
    expect(at(0.99)).toBeLessThan(at(1.01));
  });
  test('an idle one waits for nothing', () => {
    expect(linkQueue(0, 0, 10)).toEqual({ deliveredShare: 1, frameMs: 0, utilisation: 0 });
  });
});

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

describe('CPU of a packet', () => {
  const host = spec(shape).hosts[0]!;
  const receive = (packetsInPerS: number, size = 1_500) => ({
    packetsInPerS,
    bytesInPerS: packetsInPerS * size,
    packetsOutPerS: 0,
    bytesOutPerS: 0,
  });
  const saving = (rate: number, size = 1_500): number =>
    packetCpu(host, 'paravirtual', receive(rate, size)) -
    packetCpu(host, 'passthrough', receive(rate, size));
  test('what pass-through saves grows with the rate, and less than in proportion', () => {
    const savings = [1_000, 10_000, 50_000, 100_000].map((rate) => saving(rate));
    expect(savings).toEqual([...savings].sort((a, b) => a - b));
    expect(savings[3]! / savings[1]!).toBeLessThan(10);
    expect(savings[3]! / savings[1]!).toBeGreaterThan(3);
  });
  test('small packets save less', () => {
    expect(saving(50_000, 86)).toBeLessThan(saving(50_000));
  });
  test('costs a packet less at high rates, whatever the device', () => {
    for (const device of ['emulated', 'paravirtual', 'passthrough'] as const)
      expect(packetCpu(host, device, receive(100_000)) / 100_000).toBeLessThan(
        packetCpu(host, device, receive(1_000)) / 1_000,
      );
  });
  test('interrupts saturate', () => {
    expect(interruptsPerS(100, 50)).toBeCloseTo(100, 0);
    expect(interruptsPerS(1e9, 50)).toBeCloseTo(20_000, 0);
  });
  test('a physical machine has no such cost', () => {
    expect(packetCpu({ ...host, virtual: false }, 'paravirtual', receive(10_000))).toBe(0);
  });
});

describe('pinned memory', () => {
  const host = { virtual: true, sockets: 4, memoryGb: 256 };
  test.each([
    [
      'a VM that fits beside its cores loses nothing',
      host,
      { device: 'passthrough', memoryMb: 32_768 },
      1,
    ],
    ['without pinning nothing is lost', host, { device: 'paravirtual', memoryMb: 131_072 }, 1],
    [
      'one socket has nothing remote',
      { ...host, sockets: 1 },
      { device: 'passthrough', memoryMb: 200_000 },
      1,
    ],
    ['half remote, all pinned', host, { device: 'passthrough', memoryMb: 131_072 }, 1.075],
    [
      'half remote, reserved',
      host,
      { device: 'paravirtual', memoryMb: 131_072, memoryReservationMb: 131_072 },
      1.075,
    ],
    [
      'half remote, half reserved',
      host,
      { device: 'paravirtual', memoryMb: 131_072, memoryReservationMb: 65_536 },
      1.0375,
    ],
  ] as const)('%s', (_what, machine, vm, factor) => {
    expect(pinnedMemoryFactor(machine, vm)).toBeCloseTo(factor, 9);
  });
});
