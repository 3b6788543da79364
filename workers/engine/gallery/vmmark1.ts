import type * as z from 'zod';

import {
  type labHost,
  type LabSpec,
  type labSpecSchema,
  type WorkloadDemand,
  workloadDemand,
} from '../../../src/shared/lab.ts';
import type { Profile } from '../../../src/shared/profile.ts';
import type { DriverParams } from '../../../src/shared/profile.ts';
import { clients, hosts, lab, luns, profile, tileVms, times, vmName } from './build.ts';

/**
 * The VMmark 1.x tile as the labs of E01, E03, E04, E05, E11 and E15 load it. From the posts: six VMs, 1,000 mail users, and a tile's part of
 * 35,000 transactions and 30,000 pages a minute (seed 000 lines 50 to 54). Demands an operation, think times and sizes are the labs' choice,
 * in milliseconds of a reference core (one of the Woodcrest cores of E11): with them one tile takes about 1.6 such cores, as E11 saw.
 */
const mail: WorkloadDemand = workloadDemand.parse({
  kind: 'mail',
  role: 'mail',
  unit: 'actions/s',
  users: 1_000,
  thinkMs: 40_000,
  cpuMsPerOp: 15.3,
  io: [{ perOp: 0.85, sizeKb: 8, readShare: 0.6, randomShare: 1 }],
});
const java: WorkloadDemand = workloadDemand.parse({
  kind: 'java',
  role: 'java',
  unit: 'orders/s',
  users: 100,
  thinkMs: 300,
  cpuMsPerOp: 0.62,
  factor32Bit: 1.03,
});
const web: WorkloadDemand = workloadDemand.parse({
  kind: 'web',
  role: 'web',
  unit: 'pages/s',
  users: 60,
  thinkMs: 1_740,
  cpuMsPerOp: 14.181,
  factor32Bit: 0.99,
  io: [{ perOp: 0.261, sizeKb: 16, readShare: 0.9, randomShare: 1 }],
  net: { packetsInPerOp: 10.44, packetsOutPerOp: 34.8, bytesInPerOp: 2_610, bytesOutPerOp: 43_500 },
});
const database: WorkloadDemand = workloadDemand.parse({
  kind: 'sysbench-oltp',
  role: 'database',
  unit: 'tps',
  users: 32,
  thinkMs: 874.2,
  cpuMsPerOp: 6.51,
  factor32Bit: 0.99,
  io: [{ perOp: 0.5208, sizeKb: 16, readShare: 0.6, randomShare: 1 }],
  net: { packetsInPerOp: 18.6, packetsOutPerOp: 18.6, bytesInPerOp: 2_790, bytesOutPerOp: 11_160 },
});
/** As fast as the disks go. One operation moves 16 KB. */
const file: WorkloadDemand = workloadDemand.parse({
  kind: 'dbench',
  role: 'file',
  unit: 'MB/s',
  users: 14,
  thinkMs: 2,
  unitsPerOp: 16 / 1_024,
  cpuMsPerOp: 0.03,
  io: [{ perOp: 1, sizeKb: 16, readShare: 0.8, randomShare: 0.264 }],
});

/** Demands of one tile. */
export const tileDemands: readonly WorkloadDemand[] = [mail, java, web, database, file];

type Bits = 32 | 64;
/** The VMs of a tile; version 1.1 moves Java, database and web to 64 bits. Sizes are the labs' choice. */
export const tileShapes = (
  version: '1.0' | '1.1',
): Record<
  string,
  { vcpus: number; memoryMb: number; diskGb: number; guest: string; bits: Bits }
> => {
  const moved: Bits = version === '1.0' ? 32 : 64;
  return {
    mail: { vcpus: 2, memoryMb: 1_024, diskGb: 24, guest: 'Windows Server 2003', bits: 32 },
    java: { vcpus: 2, memoryMb: 1_024, diskGb: 8, guest: 'Windows Server 2003', bits: moved },
    web: { vcpus: 2, memoryMb: 512, diskGb: 8, guest: 'SLES 10', bits: moved },
    database: { vcpus: 2, memoryMb: 2_048, diskGb: 10, guest: 'SLES 10', bits: moved },
    file: { vcpus: 1, memoryMb: 256, diskGb: 8, guest: 'SLES 10', bits: 32 },
    standby: { vcpus: 1, memoryMb: 256, diskGb: 4, guest: 'Windows Server 2003', bits: 32 },
  };
};

const notSet = 'Not set: no public source gives one; normalised to a reference run';
/** A profile of the tile with loads that a lab models. `fileInside`: dbench itself in the guest, with its line a second. */
export function tileProfile(
  id: string,
  name: string,
  phases: Profile['phases'],
  fileInside = false,
): Profile {
  return profile({
    id,
    name,
    phases,
    description:
      'Five scored workloads and a standby server, modelled. A scaling study, not a VMmark score.',
    workloads: [
      {
        id: 'mail',
        role: 'mail',
        name: 'Mail server',
        driver: 'simload',
        params: { kind: 'mail', unit: 'actions/s', users: mail.users },
        unit: 'actions/s',
        reference: null,
        referenceSource: notSet,
      },
      {
        id: 'java',
        role: 'java',
        name: 'Java server',
        driver: 'simload',
        params: { kind: 'java', unit: 'orders/s' },
        unit: 'orders/s',
        reference: null,
        referenceSource: notSet,
      },
      {
        id: 'web',
        role: 'web',
        name: 'Web server',
        driver: 'simload',
        params: { kind: 'web', unit: 'pages/s' },
        unit: 'pages/s',
        reference: null,
        referenceSource: notSet,
      },
      {
        id: 'database',
        role: 'database',
        name: 'Database',
        driver: 'sysbench-oltp',
        params: { threads: database.users },
        unit: 'tps',
        reference: null,
        referenceSource: notSet,
      },
      fileInside
        ? {
            id: 'file',
            role: 'file',
            name: 'File server',
            driver: 'dbench',
            params: { clients: file.users },
            unit: 'MB/s',
            reference: null,
            referenceSource: notSet,
          }
        : {
            id: 'file',
            role: 'file',
            name: 'File server',
            driver: 'simload',
            params: { kind: 'dbench', unit: 'MB/s' },
            unit: 'MB/s',
            reference: null,
            referenceSource: notSet,
          },
      {
        id: 'standby',
        role: 'standby',
        name: 'Standby server',
        driver: 'heartbeat',
        params: {},
        unit: 'beats/s',
        scored: false,
        reference: null,
        referenceSource: 'Not scored',
      },
    ],
  });
}

/** Parameters of a tile's workloads in a lab: sysbench asks its database by address. */
export const tileParams =
  (labId: string) =>
  (tile: number, workloadId: string): DriverParams =>
    workloadId === 'database' ? { host: `${vmName(tile, workloadId)}.${labId}.sim` } : {};

/** A lab of one server, a LUN of four disks on a shared array and a client machine for each tile. */
export function tileServer(spec: {
  id: string;
  name: string;
  note: string;
  seed: number;
  noise?: number;
  tiles: number;
  version: '1.0' | '1.1';
  host: Omit<z.input<typeof labHost>, 'id' | 'overhead' | 'hba'> &
    Partial<Pick<z.input<typeof labHost>, 'overhead'>>;
  variants?: z.input<typeof labSpecSchema>['variants'];
}): LabSpec {
  const { tiles, version, host, ...rest } = spec;
  return lab({
    schemaVersion: 1,
    ...rest,
    hosts: hosts(1, 'esx', {
      overhead: { cpuShare: 0.1, usPerIo: 20, usPerPacket: 4 },
      hba: { ports: 2, queueDepth: 32, gbps: 4 },
      uplinks: times(4, (i) => ({ id: `vmnic${i}`, gbps: 1 })),
      ...host,
    }),
    arrays: [
      {
        id: 'array',
        model: 'Fibre Channel array',
        readCacheMb: 1_024,
        writeCacheMb: 512,
        ports: 4,
        portGbps: 4,
        controllerUs: 120,
      },
    ],
    luns: luns(tiles, 'lun', {
      arrayId: 'array',
      disks: 4,
      rpm: 15_000,
      raid: '0',
      seekMs: 3.6,
      diskMbps: 60,
      sizeGb: 540,
    }),
    datastores: times(tiles, (tile) => ({ id: `vmfs${tile + 1}`, lunIds: [`lun${tile + 1}`] })),
    vms: tileVms(tiles, tileShapes(version), (tile) => ({
      hostId: 'esx1',
      datastoreId: `vmfs${tile + 1}`,
    })),
    clients: clients(tiles),
    workloads: [...tileDemands],
    drs: { enabled: false },
  });
}
