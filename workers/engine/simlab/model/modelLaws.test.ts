import { lab } from '../../gallery/build.ts';
import { createLabModel } from './model.ts';
import { base, both, less, run, same, start, with_ } from './testing/modelRun.ts';
import { waterFill } from './testing/waterFill.ts';

test('a testbed in no post: everything in range, laws kept', () => {
  const seen = run(base);
  expect(seen.cpuPct).toBeGreaterThan(80);
  // Little's law, users = X (Z + R), of each class.
  for (const { kind, users, thinkMs } of base.workloads) {
    const load = start(base);
    load.advance(60_000);
    const report = load.load(`0.${kind}`, 0, 60_000)!;
    expect((report.opsPerS * (thinkMs + report.latencyMeanMs)) / 1_000).toBeCloseTo(users, 2);
    expect(report.latencyP95Ms).toBeGreaterThan(report.latencyMeanMs);
    expect(report.latencyP99Ms).toBeGreaterThanOrEqual(report.latencyP95Ms);
  }
  // Operational law of flow: the array sees the I/O that the operations ask.
  expect(seen.iops).toBeCloseTo(4 * seen.opsPerS.database + 2 * seen.opsPerS.mail, 3);
});

test("utilisation law: CPU is throughput × demand, and what the guests' timers take", () => {
  const spec = with_({ ...both('overhead', { cpuShare: 0, usPerIo: 0, usPerPacket: 0 }) });
  const seen = run(spec, ['mail']);
  const capacity = 2 * 4,
    timers = 2 * 10 * 0.002;
  expect((seen.cpuPct / 100) * capacity).toBeCloseTo(seen.opsPerS.mail * 0.012 + timers, 4);
});

test('nothing is lost or made: greedy loads lose on a full host, thinking ones keep their pace', () => {
  const alone = run(base, ['mail']),
    full = run(
      with_({ 'workloads.3.users': 60, 'workloads.0.users': 200, 'workloads.2.users': 300 }),
    );
  expect(full.cpuPct).toBeGreaterThan(98);
  same(alone.throughput.mail, full.throughput.mail, 0.03);
  const batchAlone = run(base, ['batch']);
  less(batchAlone.throughput.batch, full.throughput.batch, 0.9);
});

test('a full host is divided nearly as water-filling by shares says', () => {
  // Three greedy VMs with 1, 2 and 4 parts, and one that wants little.
  const shares = [1_000, 2_000, 4_000, 1_000];
  const spec = lab({
    ...base,
    hosts: [base.hosts[0]!].map((host) => ({
      ...host,
      overhead: { cpuShare: 0, usPerIo: 0, usPerPacket: 0 },
    })),
    clients: [],
    variants: {},
    vms: shares.map((part, i) => ({
      id: `v${i}`,
      hostId: 'h1',
      datastoreId: 'd1',
      vcpus: 4,
      memoryMb: 1_024,
      shares: part,
    })),
    workloads: [
      { kind: 'greedy', role: 'batch', unit: 'jobs/s', users: 64, thinkMs: 0, cpuMsPerOp: 20 },
      { kind: 'meek', role: 'web', unit: 'pages/s', users: 10, thinkMs: 400, cpuMsPerOp: 10 },
    ],
  });
  const model = createLabModel(spec, 0);
  shares.forEach((_, i) =>
    model.startLoad({
      id: `l${i}`,
      vmId: `v${i}`,
      clientId: null,
      demand: spec.workloads[i < 3 ? 0 : 1]!,
    }),
  );
  model.advance(60_000);
  const used = shares.map(
    (_, i) =>
      (model.load(`l${i}`, 0, 60_000)!.opsPerS * spec.workloads[i < 3 ? 0 : 1]!.cpuMsPerOp) / 1_000,
  );
  const ideal = waterFill(
    4 - 16 * 0.002,
    shares.map((part, i) => ({
      shares: part,
      demand: i < 3 ? 4 : (10 / 410) * 10,
      reservation: 0,
      limit: 4,
    })),
  );
  // Cold caches take a few parts in a hundred of a full host.
  used.forEach((one, i) => expect(Math.abs(one / ideal[i]! - 1)).toBeLessThan(0.12));
  expect(used.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(3.5);
  expect(used.reduce((sum, one) => sum + one, 0)).toBeLessThan(4);
});
