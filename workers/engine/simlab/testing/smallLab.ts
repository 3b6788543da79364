import { type LabSpec, labSpecSchema } from '../../../../src/core/lab/lab.ts';
import type { PlanFile } from '../../../../src/core/plan/plan.ts';
import { planFileSchema } from '../../../../src/core/plan/plan.ts';

/** Two hosts, one array, one client, a Java and a mail VM for each of two tiles. */
export const smallLab: LabSpec = labSpecSchema.parse({
  schemaVersion: 1,
  id: 'small',
  name: 'Small lab',
  hosts: ['h1', 'h2'].map((id) => ({
    id,
    model: 'Sim 2',
    cpuModel: 'Sim CPU',
    sockets: 2,
    coresPerSocket: 4,
    ghz: 2.5,
    coreSpeed: 1,
    memoryGb: 64,
    overhead: { cpuShare: 0.05, usPerIo: 20, usPerPacket: 2 },
    hba: { ports: 2, queueDepth: 64, gbps: 8 },
    power: { idleW: 180, busyW: 320 },
  })),
  arrays: [
    {
      id: 'a1',
      model: 'Array',
      readCacheMb: 4_096,
      writeCacheMb: 1_024,
      ports: 2,
      portGbps: 8,
      controllerUs: 100,
    },
  ],
  luns: [
    {
      id: 'l1',
      arrayId: 'a1',
      disks: 12,
      rpm: 15_000,
      raid: '10',
      seekMs: 3.5,
      diskMbps: 120,
      sizeGb: 2_000,
    },
  ],
  datastores: [{ id: 'd1', lunIds: ['l1'] }],
  vms: [0, 1].flatMap((tile) =>
    ['java', 'mail'].map((kind) => ({
      id: `t${tile + 1}-${kind}`,
      datastoreId: 'd1',
      hostId: tile === 0 ? 'h1' : 'h2',
      vcpus: 2,
      memoryMb: 4_096,
    })),
  ),
  clients: [{ id: 'client1' }],
  workloads: [
    { kind: 'java', role: 'java', unit: 'ops/s', users: 8, thinkMs: 50, cpuMsPerOp: 2 },
    {
      kind: 'mail',
      role: 'mail',
      unit: 'actions/s',
      users: 40,
      thinkMs: 500,
      cpuMsPerOp: 4,
      io: [{ perOp: 2, sizeKb: 8, readShare: 0.7, randomShare: 1 }],
      net: { packetsInPerOp: 10, packetsOutPerOp: 12, bytesInPerOp: 4_000, bytesOutPerOp: 12_000 },
    },
    {
      kind: 'sysbench-oltp',
      role: 'database',
      unit: 'tps',
      users: 4,
      thinkMs: 0,
      cpuMsPerOp: 8,
      io: [{ perOp: 4, sizeKb: 16, readShare: 0.6, randomShare: 1 }],
    },
    { kind: 'sysbench-cpu', role: 'java', unit: 'events/s', users: 1, thinkMs: 0, cpuMsPerOp: 1 },
    {
      kind: 'dbench',
      role: 'file',
      unit: 'MB/s',
      unitsPerOp: 0.0055,
      users: 2,
      thinkMs: 0,
      cpuMsPerOp: 0.1,
      io: [{ perOp: 0.2, sizeKb: 32, readShare: 0.5, randomShare: 0.3 }],
    },
  ],
  drs: { enabled: false },
  variants: {
    fast: [
      { path: 'hosts.0.coreSpeed', value: 2 },
      { path: 'hosts.1.coreSpeed', value: 2 },
    ],
  },
});

const password = { keychain: 'simulated' };
/** A plan of two tiles on the small lab, with its vCenter and its meter. */
export const smallPlan = (change: Partial<PlanFile['plan']> = {}): PlanFile =>
  planFileSchema.parse({
    tilebenchPlan: 1,
    connections: [
      { kind: 'vcenter', id: 'small', name: 'small.sim', host: 'small.sim', user: 'lab', password },
      {
        kind: 'client',
        id: 'small-client1',
        name: 'client1',
        host: 'client1.small.sim',
        user: 'lab',
        auth: { method: 'password', password },
      },
      {
        kind: 'power',
        id: 'small-meter',
        name: 'meter',
        source: { type: 'nut', host: 'meter.small.sim', ups: 'meter', periodMs: 1_000 },
      },
    ],
    profile: {
      schemaVersion: 1,
      id: 'small-tile',
      version: '1',
      name: 'Small tile',
      description: '',
      workloads: ['java', 'mail'].map((kind) => ({
        id: kind,
        role: kind,
        name: kind,
        driver: 'simload',
        params: { kind },
        unit: 'ops/s',
        reference: 100,
        referenceSource: 'test',
      })),
      phases: { rampUpS: 60, staggerS: 20, steadyS: 300, periods: 3, rampDownS: 20 },
      scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'test' },
    },
    testbed: {
      id: 'small-bed',
      name: 'Small bed',
      profileId: 'small-tile',
      vcenterId: 'small',
      powerIds: ['small-meter'],
      tiles: [0, 1].map((index) => ({
        index,
        workloads: ['java', 'mail'].map((workloadId) => ({
          workloadId,
          vm: { ref: `t${index + 1}-${workloadId}`, name: `t${index + 1}-${workloadId}` },
          clientId: 'small-client1',
          params: { target: `t${index + 1}-${workloadId}.small.sim` },
        })),
      })),
    },
    plan: {
      id: 'small-plan',
      name: 'Small plan',
      testbedId: 'small-bed',
      profileId: 'small-tile',
      tiles: 2,
      phases: { rampUpS: 60, staggerS: 20, steadyS: 300, periods: 3, rampDownS: 20 },
      ...change,
    },
  });
