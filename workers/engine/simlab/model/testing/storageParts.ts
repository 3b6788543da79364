import { labArray, labHost, labLun } from '../../../../../src/core/lab/lab.ts';
import { solveStorage } from '../storage.ts';
import type {
  StorageConditions,
  StorageLab,
  StorageResult,
  StorageStream,
} from '../storageTypes.ts';

export interface Parts {
  host?: object;
  array?: object;
  lun?: object;
  stream?: Partial<StorageStream>;
  hosts?: number;
  luns?: number;
  streams?: number;
  conditions?: StorageConditions;
}
export const host = (id: string, change: object = {}) =>
  labHost.parse({
    id,
    model: 'm',
    cpuModel: 'c',
    sockets: 1,
    coresPerSocket: 4,
    ghz: 2,
    coreSpeed: 1,
    memoryGb: 16,
    overhead: { cpuShare: 0, usPerIo: 0, usPerPacket: 0 },
    hba: { ports: 2, queueDepth: 32, gbps: 4, ...change },
    power: { idleW: 100, busyW: 200 },
  });
export const array = (change: object = {}) =>
  labArray.parse({
    id: 'a',
    model: 'm',
    readCacheMb: 1_024,
    writeCacheMb: 1_024,
    ports: 4,
    portGbps: 4,
    controllerUs: 100,
    controllerParallel: 8,
    ...change,
  });
export const lun = (id: string, change: object = {}) =>
  labLun.parse({
    id,
    arrayId: 'a',
    disks: 5,
    rpm: 15_000,
    raid: '5',
    seekMs: 3.5,
    diskMbps: 70,
    sizeGb: 500,
    ...change,
  });

/** `streams` equal streams a host and LUN: `a` of them on every datastore. */
export function ask({
  host: hostChange = {},
  array: arrayChange = {},
  lun: lunChange = {},
  stream = {},
  hosts = 1,
  luns = 1,
  streams = 1,
  conditions = {},
}: Parts): StorageResult {
  const lab: StorageLab = {
    hosts: Array.from({ length: hosts }, (_, i) => host(`h${i}`, hostChange)),
    arrays: [array(arrayChange)],
    luns: Array.from({ length: luns }, (_, i) => lun(`l${i}`, lunChange)),
    datastores: Array.from({ length: luns }, (_, i) => ({
      id: `d${i}`,
      lunIds: [`l${i}`],
      shared: true,
    })),
  };
  const asked = lab.hosts.flatMap(({ id: hostId }) =>
    lab.datastores.flatMap(({ id: datastoreId }) =>
      Array.from({ length: streams }, (_, i): StorageStream => ({
        id: `${hostId}-${datastoreId}-${i}`,
        hostId,
        datastoreId,
        outstanding: 16,
        thinkMs: 0,
        sizeKb: 8,
        readShare: 0.7,
        randomShare: 1,
        ...stream,
      })),
    ),
  );
  return solveStorage(lab, asked, conditions);
}
export const iops = (result: StorageResult): number =>
  result.streams.reduce((sum, one) => sum + one.iops, 0);
