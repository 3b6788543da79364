import { solveNetwork } from './network.ts';
import { packetCpu, pinnedMemoryFactor } from './networkDevices.ts';
import { interruptsPerS } from './networkDevices.ts';
import { createNetworkState } from './networkPorts.ts';
import { linkQueue } from './networkQueue.ts';
import type { NetworkSolution } from './networkTypes.ts';
import { flowsOf, type Shape, shape, spec, totalGbps } from './testing/networkShape.ts';

function solved(change: Partial<Shape>): NetworkSolution {
  const s = { ...shape, ...change };
  const made = spec(s);
  return solveNetwork(made, flowsOf(s), createNetworkState(made));
}
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
