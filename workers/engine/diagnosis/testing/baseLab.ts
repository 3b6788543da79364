import { type LabSpec, labSpecSchema, type WorkloadDemand } from '../../../../src/core/lab/lab.ts';
import type { Dice } from './random.ts';

/** A randomised lab with more of everything than its tiles need. */
export interface BaseLab {
  spec: LabSpec;
  /** Tiles of the run that is well, and of the one that is not. */ few: number;
  many: number;
  kinds: readonly string[];
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
export const vmOf = (tile: number, kind: string): string => `t${tile + 1}-${kind}`;

function demands(
  dice: Dice,
): Omit<
  WorkloadDemand,
  'unitsPerOp' | 'factor32Bit' | 'outstanding' | 'schedule' | 'scv' | 'io' | 'net'
>[] {
  return [
    {
      kind: 'web',
      role: 'web',
      unit: 'pages/s',
      users: dice.whole(40, 90),
      thinkMs: dice.between(700, 1_800),
      cpuMsPerOp: dice.between(6, 14),
      ...{
        io: [{ perOp: 0.2, sizeKb: 16, readShare: 0.9, randomShare: 1 }],
        net: {
          packetsInPerOp: 10,
          packetsOutPerOp: 35,
          bytesInPerOp: 3_000,
          bytesOutPerOp: dice.between(40_000, 120_000),
        },
      },
    },
    {
      kind: 'db',
      role: 'database',
      unit: 'tps',
      users: dice.whole(16, 32),
      thinkMs: dice.between(150, 500),
      cpuMsPerOp: dice.between(3, 7),
      ...{
        io: [
          {
            perOp: dice.between(1.5, 4),
            sizeKb: 16,
            readShare: dice.between(0.5, 0.8),
            randomShare: 1,
          },
        ],
        net: { packetsInPerOp: 15, packetsOutPerOp: 15, bytesInPerOp: 2_500, bytesOutPerOp: 9_000 },
      },
    },
    {
      kind: 'file',
      role: 'file',
      unit: 'ops/s',
      users: dice.whole(6, 14),
      thinkMs: dice.between(60, 160),
      cpuMsPerOp: dice.between(0.2, 0.8),
      ...{
        io: [
          {
            perOp: 2,
            sizeKb: dice.pick([32, 64]),
            readShare: dice.between(0.6, 0.9),
            randomShare: dice.between(0.3, 0.9),
          },
        ],
        net: {
          packetsInPerOp: 8,
          packetsOutPerOp: 20,
          bytesInPerOp: 2_000,
          bytesOutPerOp: dice.between(20_000, 60_000),
        },
      },
    },
    {
      kind: 'java',
      role: 'java',
      unit: 'orders/s',
      users: dice.whole(40, 120),
      thinkMs: dice.between(150, 400),
      cpuMsPerOp: dice.between(0.6, 2),
    },
    {
      kind: 'mail',
      role: 'mail',
      unit: 'actions/s',
      users: dice.whole(300, 800),
      thinkMs: dice.between(12_000, 30_000),
      cpuMsPerOp: dice.between(8, 15),
      ...{
        io: [{ perOp: dice.between(1, 3), sizeKb: 8, readShare: 0.6, randomShare: 1 }],
        net: {
          packetsInPerOp: 10,
          packetsOutPerOp: 12,
          bytesInPerOp: 6_000,
          bytesOutPerOp: 12_000,
        },
      },
    },
  ];
}

/** Same seed, same lab. */
export function baseLab(seed: number, dice: Dice): BaseLab {
  const hosts = dice.whole(2, 4),
    few = dice.whole(2, 4),
    many = few + dice.whole(1, few);
  const kinds = ['web', 'db', dice.pick(['file', 'java', 'mail'])];
  const luns = dice.whole(1, 3),
    clients = dice.whole(2, 3),
    cores = dice.pick([4, 6, 8]);
  const spec = labSpecSchema.parse({
    schemaVersion: 1,
    id: `case${seed}`,
    name: `Case ${seed}`,
    seed,
    noise: dice.between(0.005, 0.02),
    hosts: range(hosts).map((i) => ({
      id: `h${i + 1}`,
      model: 'Sim',
      cpuModel: 'Sim CPU',
      sockets: 2,
      coresPerSocket: cores,
      ghz: 2.6,
      coreSpeed: dice.between(1.2, 1.8),
      memoryGb: 256,
      overhead: { cpuShare: 0.08, usPerIo: 20, usPerPacket: 2 },
      hba: { ports: 2, queueDepth: 128, gbps: 8 },
      uplinks: range(dice.whole(1, 2)).map((n) => ({ id: `vmnic${n}`, gbps: 10 })),
      power: {
        idleW: dice.between(150, 250),
        busyW: dice.between(350, 500),
        curve: dice.between(0.8, 1.2),
      },
    })),
    arrays: [
      {
        id: 'a1',
        model: 'Array',
        readCacheMb: 512,
        writeCacheMb: 512,
        ports: 4,
        portGbps: 8,
        controllerUs: dice.between(20, 60),
      },
    ],
    luns: range(luns).map((i) => ({
      id: `l${i + 1}`,
      arrayId: 'a1',
      disks: 80,
      rpm: 15_000,
      raid: dice.pick(['10', '5'] as const),
      seekMs: 3.5,
      diskMbps: 120,
      queueDepth: 512,
      sizeGb: 4_000,
    })),
    datastores: range(luns).map((i) => ({ id: `d${i + 1}`, lunIds: [`l${i + 1}`] })),
    vms: range(many).flatMap((tile) =>
      kinds.map((kind, k) => ({
        id: vmOf(tile, kind),
        hostId: `h${((tile * kinds.length + k) % hosts) + 1}`,
        datastoreId: `d${(tile % luns) + 1}`,
        vcpus: dice.pick([2, 4]),
        memoryMb: dice.pick([4_096, 8_192]),
        diskGb: 6,
      })),
    ),
    clients: range(clients).map((i) => ({
      id: `c${i + 1}`,
      cores: 16,
      coreSpeed: 2,
      memoryGb: 32,
    })),
    workloads: demands(dice).filter((one) => kinds.includes(one.kind)),
    drs: { enabled: false },
    vmotion: { mbps: 200, cpuMhz: 1_500 },
  });
  return { spec, few, many, kinds };
}
