import { type LabSpec, labSpecSchema } from '../../src/core/lab/lab.ts';
import { type PlanFile, planFileSchema } from '../../src/core/plan/plan.ts';

const loadKinds = [
  'mail',
  'java',
  'web',
  'database',
  'file',
  'batch',
  'queue',
  'search',
  'cache',
] as const;
export interface LabSize {
  id: string;
  name: string;
  hosts: number;
  tiles: number;
  /** Loads of a tile, the first of `loadKinds`. */
  loads: number;
  phases: {
    rampUpS: number;
    staggerS: number;
    steadyS: number;
    periods: number;
    rampDownS: number;
  };
}

/**
 * A plan file of a simulated lab of this size: a LUN and a datastore for every four hosts, at least
 * four; clients of their own for each tile.
 */
export function labPlan(size: LabSize): PlanFile {
  const { id, name, tiles, phases } = size;
  return planFileSchema.parse({
    tilebenchPlan: 1,
    labs: [labOf(size)],
    connections: connectionsOf(size),
    profile: profileOf(size),
    testbed: testbedOf(size),
    plan: { id, name, testbedId: id, profileId: id, tiles, phases },
  });
}

const kindsOf = ({ loads }: LabSize) => loadKinds.slice(0, loads);
const vm = (tile: number, kind: string): string => `t${tile + 1}-${kind}`;

function labOf(size: LabSize): LabSpec {
  const { id, name, hosts, tiles } = size;
  const kinds = kindsOf(size);
  const all = Array.from({ length: tiles }, (_, tile) =>
    kinds.map((kind) => ({ tile, kind })),
  ).flat();
  const hostNumbers = Array.from({ length: hosts }, (_, n) => n),
    lunNumbers = Array.from({ length: Math.max(4, Math.ceil(hosts / 4)) }, (_, n) => n);
  return labSpecSchema.parse({
    schemaVersion: 1,
    id,
    name: `${name} lab`,
    hosts: hostNumbers.map((n) => ({
      id: `h${n}`,
      model: 'Bench',
      cpuModel: 'Bench',
      sockets: 4,
      coresPerSocket: 16,
      ghz: 2.6,
      coreSpeed: 1,
      hyperThreadGain: 1.2,
      memoryGb: 1_024,
      overhead: { cpuShare: 0.05, usPerIo: 15, usPerPacket: 2 },
      hba: { ports: 2, queueDepth: 64, gbps: 16 },
      uplinks: [
        { id: 'vmnic0', gbps: 10 },
        { id: 'vmnic1', gbps: 10 },
      ],
      power: { idleW: 300, busyW: 700 },
    })),
    arrays: [
      {
        id: 'a',
        model: 'Bench',
        readCacheMb: 16_384,
        writeCacheMb: 4_096,
        ports: 8,
        portGbps: 16,
        controllerUs: 60,
      },
    ],
    luns: lunNumbers.map((n) => ({
      id: `l${n}`,
      arrayId: 'a',
      disks: 40,
      rpm: 15_000,
      raid: '10',
      seekMs: 3.5,
      diskMbps: 120,
      sizeGb: 8_000,
    })),
    datastores: lunNumbers.map((n) => ({ id: `d${n}`, lunIds: [`l${n}`] })),
    vms: all.map(({ tile, kind }, index) => ({
      id: vm(tile, kind),
      hostId: `h${index % hosts}`,
      datastoreId: `d${index % lunNumbers.length}`,
      vcpus: 2,
      memoryMb: 4_096,
    })),
    clients: Array.from({ length: tiles }, (_, n) => ({ id: `c${n + 1}` })),
    workloads: kinds.map((kind, n) => ({
      kind,
      role: kind,
      unit: 'ops/s',
      users: 20 + n * 10,
      thinkMs: 400,
      cpuMsPerOp: 1 + n * 0.5,
      io: n % 2 === 0 ? [{ perOp: 1, sizeKb: 8, readShare: 0.7, randomShare: 1 }] : [],
      net: { packetsInPerOp: 4, packetsOutPerOp: 6, bytesInPerOp: 2_000, bytesOutPerOp: 6_000 },
    })),
    drs: { enabled: true },
  });
}

function connectionsOf({ id, tiles }: LabSize) {
  const password = { keychain: 'simulated' };
  return [
    { kind: 'vcenter', id, name: `${id}.sim`, host: `${id}.sim`, user: 'lab', password },
    {
      kind: 'power',
      id: `${id}-power`,
      name: 'hosts',
      source: { type: 'vcenter', vcenterId: id },
    },
    ...Array.from({ length: tiles }, (_, n) => ({
      kind: 'client',
      id: `${id}-c${n + 1}`,
      name: `c${n + 1}`,
      host: `c${n + 1}.${id}.sim`,
      user: 'lab',
      auth: { method: 'password', password },
    })),
  ];
}

function profileOf(size: LabSize) {
  const { id, name, phases } = size;
  const kinds = kindsOf(size);
  return {
    schemaVersion: 1,
    id,
    version: '1',
    name,
    description: '',
    phases,
    workloads: kinds.map((kind) => ({
      id: kind,
      role: kind,
      name: kind,
      driver: 'simload',
      params: { kind },
      unit: 'ops/s',
      reference: 50,
      referenceSource: 'bench',
    })),
    scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'bench' },
  };
}

function testbedOf(size: LabSize) {
  const { id, name, tiles } = size;
  const kinds = kindsOf(size);
  return {
    id,
    name,
    profileId: id,
    vcenterId: id,
    powerIds: [`${id}-power`],
    tiles: Array.from({ length: tiles }, (_, tile) => ({
      index: tile,
      workloads: kinds.map((kind) => ({
        workloadId: kind,
        vm: { ref: vm(tile, kind), name: vm(tile, kind) },
        clientId: `${id}-c${tile + 1}`,
        params: { target: `${vm(tile, kind)}.${id}.sim` },
      })),
    })),
  };
}
