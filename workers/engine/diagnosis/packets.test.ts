import type { LabSpec } from '../../../src/core/lab/lab.ts';
import { createLabModel } from '../simlab/model/model.ts';
import { createSimEngine, type SimEngine } from '../simlab/testing/simEngine.ts';
import { baseLab } from './testing/baseLab.ts';
import type { PlantedCase } from './testing/cases.ts';
import { runCase } from './testing/inject.ts';
import { measure, severity, slowest } from './testing/measure.ts';
import { dice } from './testing/random.ts';

const seed = 7;
/** Packets of so many bytes that a frame's share of the wire shows. */
const smallBytes = 100;

/** Uplinks of every host, of the same speed. */
const withLinks = (spec: LabSpec, gbps: number): LabSpec => ({
  ...spec,
  hosts: spec.hosts.map((host) => ({
    ...host,
    uplinks: host.uplinks.map((one) => ({ ...one, gbps })),
  })),
});
const withSmallPackets = (spec: LabSpec): LabSpec => ({
  ...spec,
  hosts: spec.hosts.map((host) => ({ ...host, overhead: { ...host.overhead, usPerPacket: 0.1 } })),
  workloads: spec.workloads.map((one) => ({
    ...one,
    net: {
      ...one.net,
      packetsInPerOp: one.net.bytesInPerOp / smallBytes,
      packetsOutPerOp: one.net.bytesOutPerOp / smallBytes,
    },
  })),
});

/** The same load over wide links and over links so narrow that it takes `over` times its limits. */
function narrowed(change: (spec: LabSpec) => LabSpec, over: number): PlantedCase {
  const base = baseLab(seed, dice(seed));
  const { few: tiles, kinds } = base;
  const spec = change(base.spec);
  const usual = slowest(measure(spec, tiles, kinds), kinds);
  const limits = Object.fromEntries(Object.entries(usual).map(([kind, ms]) => [kind, 3 * ms]));
  for (let gbps = 4; gbps > 0.001; gbps *= 0.8) {
    const narrow = withLinks(spec, gbps);
    if (severity(measure(narrow, tiles, kinds), limits) < over) continue;
    const after = { spec: narrow, tiles, operations: false };
    return { seed, planted: ['uplink'], kinds, limits, before: { spec, tiles }, after };
  }
  throw new Error('no link is narrow enough');
}

let sim: SimEngine;
beforeAll(async () => {
  sim = await createSimEngine({ createModel: createLabModel });
});
afterAll(() => sim.close());

test('a full uplink is named with what it drops, and with the VMs that send most packets', async () => {
  const { named, diagnosis } = await runCase(
    sim,
    narrowed((spec) => spec, 120),
  );
  expect(named[0]).toBe('uplink');
  const [{ evidence, explanation }] = diagnosis.hypotheses as [(typeof diagnosis.hypotheses)[0]];
  const row = (label: string) => evidence.filter((one) => one.label === label);
  // Uplinks of several hosts are one hypothesis: not every one of them drops.
  const dropped = row('Packets dropped, worse direction');
  expect(dropped.filter((one) => one.broken)).not.toEqual([]);
  expect(dropped.every((one) => (one.after ?? 0) >= (one.before ?? 0))).toBe(true);
  expect(explanation).toMatch(/carries \d+ % of its/);
  const senders = row('Packets of the VM, both directions');
  expect(senders.length).toBeGreaterThan(0);
  expect(senders.every((one) => (one.after ?? 0) > 0)).toBe(true);
});

test('a link that small packets fill is named though its bytes leave it room', async () => {
  const { named, diagnosis } = await runCase(sim, narrowed(withSmallPackets, 1.5));
  expect(named[0]).toBe('uplink');
  const bytesPct = /bound by its packets: (\d+) % of its .* in bytes are (\d+) % of the wire/.exec(
    diagnosis.hypotheses[0]!.explanation,
  );
  expect(Number(bytesPct?.[1])).toBeLessThan(85);
  expect(Number(bytesPct?.[2])).toBeGreaterThan(90);
});
