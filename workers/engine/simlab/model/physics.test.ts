import fc from 'fast-check';

import type { LabSpec } from '../../../../src/core/lab/lab.ts';
import { clients, hosts, lab, luns, tileVms, times, vmName } from '../../gallery/build.ts';
import { createLabModel } from './model.ts';
import { shareSolutions } from './solutions.ts';
import type { LabModel } from './types.ts';

/** A small cluster with DRS, all VMs on its first host, in bursts: in no post. */
const cluster = lab({
  schemaVersion: 1,
  id: 'cluster',
  name: 'Three hosts',
  hosts: hosts(3, 'h', {
    model: 'Blade',
    cpuModel: 'x',
    sockets: 2,
    coresPerSocket: 2,
    ghz: 2.5,
    coreSpeed: 1,
    memoryGb: 32,
    overhead: { cpuShare: 0.08, usPerIo: 20, usPerPacket: 3 },
    hba: { ports: 2, queueDepth: 32, gbps: 4 },
    power: { idleW: 150, busyW: 300 },
  }),
  arrays: [
    {
      id: 'a',
      model: 'Array',
      readCacheMb: 512,
      writeCacheMb: 256,
      ports: 2,
      portGbps: 4,
      controllerUs: 150,
    },
  ],
  luns: luns(1, 'l', {
    arrayId: 'a',
    disks: 8,
    rpm: 15_000,
    raid: '10',
    seekMs: 4,
    diskMbps: 60,
    sizeGb: 300,
  }),
  datastores: [{ id: 'd1', lunIds: ['l1'] }],
  vms: tileVms(
    8,
    { web: { vcpus: 1, memoryMb: 1_024 }, mail: { vcpus: 2, memoryMb: 2_048 } },
    () => ({ hostId: 'h1', datastoreId: 'd1' }),
  ),
  clients: clients(1),
  workloads: [
    { kind: 'web', role: 'web', unit: 'x', users: 10, thinkMs: 100, cpuMsPerOp: 4 },
    {
      kind: 'mail',
      role: 'mail',
      unit: 'x',
      users: 30,
      thinkMs: 500,
      cpuMsPerOp: 6,
      io: [{ perOp: 2, sizeKb: 8, readShare: 0.6, randomShare: 1 }],
      burst: { periodS: 240, onS: 100, factor: 2 },
    },
  ],
  drs: { enabled: true, stars: 1 },
});
const endMs = 2_000_000;

function run(spec: LabSpec, given?: Parameters<typeof createLabModel>[2]): LabModel {
  const model = createLabModel(spec, 0, given);
  times(8, (tile) => {
    for (const demand of spec.workloads) {
      const id = vmName(tile, demand.kind);
      model.startLoad({ id, vmId: id, clientId: 'client1', demand });
    }
    model.advance((tile + 1) * 20_000);
  });
  model.advance(endMs);
  return model;
}
const story = (model: LabModel) => ({
  events: model.events(-1),
  placement: [...model.placement()],
});
const readings = (model: LabModel) =>
  times(8, (tile) => model.load(vmName(tile, 'mail'), endMs - 20_000, endMs));

test('noise of the measurement moves nothing: the same moves at the same times whatever the counters show', () => {
  const calm = run({ ...cluster, noise: 0 });
  expect(story(calm).events.filter((event) => event.type === 'vmotion').length).toBeGreaterThan(4);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.5, noNaN: true }), (noise) => {
      expect(story(run({ ...cluster, noise }))).toEqual(story(calm));
    }),
    { numRuns: 4 },
  );
  expect(readings(run({ ...cluster, noise: 0.05 }))).not.toEqual(readings(calm));
});

test('a seed is a course of events of its own', () => {
  const stories = [1, 2, 3].map((seed) => JSON.stringify(story(run({ ...cluster, seed }))));
  expect(new Set(stories).size).toBeGreaterThan(1);
});

test('models that share their solutions read the same as models that solve for themselves', () => {
  const solutions = shareSolutions();
  for (const seed of [1, 2, 1]) {
    const spec = { ...cluster, seed },
      shared = run(spec, { solved: solutions.of(spec) }),
      own = run(spec);
    expect(story(shared)).toEqual(story(own));
    expect(readings(shared)).toEqual(readings(own));
  }
});
