import type * as z from 'zod';

import {
  type labHost,
  type LabSpec,
  type labSpecSchema,
  type WorkloadDemand,
} from '../../../src/core/lab/lab.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { DriverParams } from '../../../src/core/profile/profile.ts';
import { clients, hosts, lab, luns, profile, tileVms, times, vmName } from './build.ts';
import { type Library, library, type VmSize } from './library.ts';

/**
 * The five workloads of a VMmark 1.x tile that load a VM, as the labs of E01, E03, E04, E05, E11
 * and E15 all load it (resources/lab/workloads.json).
 */
export const tileDemands = (lib: Library): WorkloadDemand[] =>
  ['mail', 'java', 'web', 'sysbench-oltp', 'dbench'].map((kind) =>
    lib.workload(`VMmark 1.x ${kind}`),
  );
const [mail, , , database, file] = tileDemands(library('tile')) as [
  WorkloadDemand,
  WorkloadDemand,
  WorkloadDemand,
  WorkloadDemand,
  WorkloadDemand,
];

type Bits = 32 | 64;
/**
 * The VMs of a tile (resources/lab/tiles.json); version 1.1 moves Java, database and web to 64
 * bits.
 */
export const tileShapes = (
  lib: Library,
  version: '1.0' | '1.1',
): Record<string, VmSize & { bits: Bits }> =>
  Object.fromEntries(
    Object.entries(lib.tile('VMmark 1.x')).map(([id, size]) => [
      id,
      { ...size, bits: version === '1.1' && movedIn11.has(id) ? 64 : 32 },
    ]),
  );
const movedIn11: ReadonlySet<string> = new Set(['java', 'web', 'database']);

const notSet = 'Not set: no public source gives one; normalised to a reference run';
/**
 * A profile of the tile with loads that a lab models. `fileInside`: dbench itself in the guest,
 * with its line a second.
 */
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

/**
 * A lab of one server, a LUN of four disks on a shared array and a client machine for each tile.
 */
export function tileServer(
  lib: Library,
  spec: {
    id: string;
    name: string;
    note: string;
    seed: number;
    tiles: number;
    version: '1.0' | '1.1';
    host: Omit<z.input<typeof labHost>, 'id' | 'overhead' | 'hba'> &
      Partial<Pick<z.input<typeof labHost>, 'overhead'>>;
    variants?: z.input<typeof labSpecSchema>['variants'];
  },
): LabSpec {
  const { tiles, version, host, ...rest } = spec;
  return lab({
    schemaVersion: 1,
    ...rest,
    hosts: hosts(1, 'esx', {
      overhead: lib.hypervisor('ESX 3.5'),
      hba: lib.hba('FC 4 Gb/s', 2),
      ...host,
    }),
    arrays: [{ id: 'array', ...lib.array('Fibre Channel array', 4) }],
    luns: luns(tiles, 'lun', {
      arrayId: 'array',
      ...lib.group('A tile of one server'),
      ...lib.disk('FC 15k'),
    }),
    datastores: times(tiles, (tile) => ({ id: `vmfs${tile + 1}`, lunIds: [`lun${tile + 1}`] })),
    vms: tileVms(tiles, tileShapes(lib, version), (tile) => ({
      hostId: 'esx1',
      datastoreId: `vmfs${tile + 1}`,
    })),
    clients: clients(tiles, 'client', lib.client('4 cores')),
    workloads: tileDemands(lib),
    drs: { enabled: false },
  });
}
