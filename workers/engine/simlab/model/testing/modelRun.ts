import type { LabSpec } from '../../../../../src/core/lab/lab.ts';
import { clients, hosts, lab, luns, tileVms, times, vmName } from '../../../gallery/build.ts';
import { changedSpec } from '../../changes.ts';
import { createLabModel } from '../model.ts';
import type { LabModel } from '../types.ts';

export const kinds = ['database', 'mail', 'web', 'batch'] as const;
export type Kind = (typeof kinds)[number];

/** Two blades on one small array: in no post. */
export const base = lab({
  schemaVersion: 1,
  id: 'blades',
  name: 'Two blades',
  seed: 5,
  noise: 0,
  hosts: hosts(2, 'h', {
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
  luns: luns(2, 'l', {
    arrayId: 'a',
    disks: 6,
    rpm: 10_000,
    raid: '10',
    seekMs: 4.5,
    diskMbps: 60,
    sizeGb: 300,
    queueDepth: 32,
  }),
  datastores: times(2, (i) => ({ id: `d${i + 1}`, lunIds: [`l${i + 1}`] })),
  vms: tileVms(
    2,
    {
      database: { vcpus: 2, memoryMb: 4_096 },
      mail: { vcpus: 2, memoryMb: 2_048 },
      web: { vcpus: 2, memoryMb: 2_048 },
      batch: { vcpus: 4, memoryMb: 2_048 },
    },
    (tile) => ({ hostId: `h${tile + 1}`, datastoreId: `d${tile + 1}` }),
  ),
  clients: clients(2),
  drs: { enabled: false },
  workloads: [
    {
      kind: 'database',
      role: 'database',
      unit: 'tps',
      users: 24,
      thinkMs: 20,
      cpuMsPerOp: 3,
      io: [{ perOp: 4, sizeKb: 8, readShare: 0.7, randomShare: 1 }],
    },
    {
      kind: 'mail',
      role: 'mail',
      unit: 'actions/s',
      users: 600,
      thinkMs: 20_000,
      cpuMsPerOp: 12,
      io: [{ perOp: 2, sizeKb: 8, readShare: 0.6, randomShare: 1 }],
    },
    {
      kind: 'web',
      role: 'web',
      unit: 'pages/s',
      users: 30,
      thinkMs: 50,
      cpuMsPerOp: 6,
      net: { packetsInPerOp: 20, packetsOutPerOp: 60, bytesInPerOp: 3_000, bytesOutPerOp: 90_000 },
    },
    { kind: 'batch', role: 'batch', unit: 'jobs/s', users: 16, thinkMs: 0, cpuMsPerOp: 40 },
  ],
});

export interface Seen {
  throughput: Record<Kind, number>;
  latencyMs: Record<Kind, number>;
  p95Ms: Record<Kind, number>;
  cpuPct: number;
  powerW: number;
  deviceMs: number;
  iops: number;
  opsPerS: Record<Kind, number>;
}
export function start(spec: LabSpec, which: readonly Kind[] = kinds): LabModel {
  const model = createLabModel(spec, 0);
  for (const tile of [0, 1])
    for (const kind of which)
      model.startLoad({
        id: `${tile}.${kind}`,
        vmId: vmName(tile, kind),
        clientId: `client${tile + 1}`,
        demand: spec.workloads.find((w) => w.kind === kind)!,
      });
  return model;
}
export function run(spec: LabSpec, which: readonly Kind[] = kinds): Seen {
  const model = start(spec, which);
  model.advance(120_000);
  const sum = (
    kind: Kind,
    of: (load: NonNullable<ReturnType<LabModel['load']>>) => number,
  ): number =>
    [0, 1].reduce((total, tile) => {
      const load = model.load(`${tile}.${kind}`, 60_000, 120_000);
      return total + (load ? of(load) : 0);
    }, 0);
  const each = (of: (kind: Kind) => number): Record<Kind, number> => ({
    database: of('database'),
    mail: of('mail'),
    web: of('web'),
    batch: of('batch'),
  });
  const up = spec.hosts.map(({ id }) => model.host(id, 60_000, 120_000)!);
  const stores = spec.datastores.map(({ id }) => model.datastore(id, 60_000, 120_000)!);
  return {
    throughput: each((kind) => sum(kind, (load) => load.throughput)),
    opsPerS: each((kind) => sum(kind, (load) => load.opsPerS)),
    latencyMs: each((kind) => sum(kind, (load) => load.latencyMeanMs) / 2),
    p95Ms: each((kind) => sum(kind, (load) => load.latencyP95Ms) / 2),
    cpuPct: up.reduce((total, host) => total + host.cpuPct, 0) / up.length,
    powerW: up.reduce((total, host) => total + host.powerW, 0),
    deviceMs: Math.max(...stores.map((one) => one.deviceLatencyMs)),
    iops: stores.reduce((total, one) => total + one.readIops + one.writeIops, 0),
  };
}
export const with_ = (changes: Record<string, unknown>, spec = base): LabSpec =>
  changedSpec(spec, changes).spec;
export const both = (path: string, value: unknown): Record<string, unknown> => ({
  [`hosts.0.${path}`]: value,
  [`hosts.1.${path}`]: value,
});
export const less = (a: number, b: number, by = 0.99): void => expect(b).toBeLessThan(a * by);
export const same = (a: number, b: number, within = 0.02): void =>
  expect(Math.abs(b / a - 1)).toBeLessThan(within);
