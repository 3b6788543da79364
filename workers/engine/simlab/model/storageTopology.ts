import { fail } from '../../../../src/core/base/errors.ts';
import type { LabLun } from '../../../../src/core/lab/lab.ts';
import { positionMs } from './storageDisk.ts';
import type { StorageConditions, StorageLab } from './storageTypes.ts';

/** Fibre Channel carries 100 MB/s for each nominal Gb/s (8b/10b coding). */
const linkMbps = (gbps: number): number => gbps * 100;

export interface HostStation {
  index: number;
  id: string;
  ports: number;
  portMbps: number;
  queueDepth: number;
}
export interface ArrayStation {
  index: number;
  id: string;
  ports: number;
  portMbps: number;
  controllerMs: number;
  parallel: number;
  writeCacheKb: number;
  readCacheKb: number;
  /** Space of its LUNs. */ totalKb: number;
}
export interface LunStation {
  index: number;
  lun: LabLun;
  array: ArrayStation;
  sizeKb: number;
  /** Factor on its disks' times: faults and the time reservations hold it. */
  slow: number;
}
export interface StorageTopology {
  hosts: ReadonlyMap<string, HostStation>;
  arrays: readonly ArrayStation[];
  luns: readonly LunStation[];
  datastores: ReadonlyMap<string, readonly LunStation[]>;
}

const kbInGb = 1_024 * 1_024;

/**
 * The lab as stations, with what acts on them now. Throws invalidInput where an id points to
 * nothing.
 */
export function storageTopology(
  lab: StorageLab,
  conditions: StorageConditions = {},
): StorageTopology {
  const { slow, lost } = acting(lab, conditions);
  const hosts = new Map(
    lab.hosts.map((host, index) => [
      host.id,
      {
        index,
        id: host.id,
        ports: Math.max(0, host.hba.ports - (lost.get(host.id) ?? 0)),
        portMbps: linkMbps(host.hba.gbps),
        queueDepth: host.hba.queueDepth,
      },
    ]),
  );
  const space = new Map<string, number>();
  for (const lun of lab.luns)
    space.set(lun.arrayId, (space.get(lun.arrayId) ?? 0) + lun.sizeGb * kbInGb);
  const arrays = lab.arrays.map((array, index): ArrayStation => ({
    index,
    id: array.id,
    ports: Math.max(0, array.ports - (lost.get(array.id) ?? 0)),
    portMbps: linkMbps(array.portGbps),
    controllerMs: array.controllerUs / 1_000,
    parallel: array.controllerParallel,
    writeCacheKb: array.writeCacheMb * 1_024,
    readCacheKb: array.readCacheMb * 1_024,
    totalKb: space.get(array.id) ?? 0,
  }));
  const arrayById = new Map(arrays.map((array) => [array.id, array]));
  const luns = lab.luns.map((lun, index): LunStation => {
    const array = arrayById.get(lun.arrayId);
    if (!array)
      throw fail(
        'invalidInput',
        `LUN ${lun.id} names the array ${lun.arrayId}, which the lab does not have`,
        'Correct arrayId of the LUN.',
      );
    return { index, lun, array, sizeKb: lun.sizeGb * kbInGb, slow: slow.get(lun.id) ?? 1 };
  });
  const lunById = new Map(luns.map((station) => [station.lun.id, station]));
  const datastores = new Map(
    lab.datastores.map((datastore) => [
      datastore.id,
      datastore.lunIds.map((lunId) => {
        const station = lunById.get(lunId);
        if (!station)
          throw fail(
            'invalidInput',
            `datastore ${datastore.id} names the LUN ${lunId}, which the lab does not have`,
            'Correct lunIds of the datastore.',
          );
        // Metadata lies on the first extent of a VMFS.
        if (datastore.shared && datastore.lunIds[0] === lunId)
          station.slow *= reservedFactor(station, conditions.metadataPerS?.get(datastore.id) ?? 0);
        return station;
      }),
    ]),
  );
  return { hosts, arrays, luns, datastores };
}

/**
 * A reservation keeps everybody else out for four commands: reserve, read the lock, write it,
 * release.
 */
function reservedFactor({ array, lun, slow }: LunStation, perS: number): number {
  const holdMs = 4 * array.controllerMs + positionMs(lun, 1) * slow;
  return 1 / (1 - Math.min(0.9, (perS * holdMs) / 1_000));
}

/** Faults by LUN (factor) and by host or array (paths gone). */
function acting(
  lab: StorageLab,
  { faults = [] }: StorageConditions,
): { slow: Map<string, number>; lost: Map<string, number> } {
  const slow = new Map<string, number>();
  const lost = new Map<string, number>();
  for (const fault of faults) {
    const lunIds = lab.datastores.find(({ id }) => id === fault.targetId)?.lunIds ?? [
      fault.targetId,
    ];
    if (fault.kind === 'lunSlow')
      for (const lunId of lunIds)
        slow.set(lunId, (slow.get(lunId) ?? 1) * Math.max(1, fault.amount));
    if (fault.kind !== 'pathLost') continue;
    const arrayIds = new Set(
      lab.luns.filter(({ id }) => lunIds.includes(id)).map(({ arrayId }) => arrayId),
    );
    for (const id of arrayIds.size > 0 ? arrayIds : [fault.targetId])
      lost.set(id, (lost.get(id) ?? 0) + fault.amount);
  }
  return { slow, lost };
}
