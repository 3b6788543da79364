import type { LunState } from './lunState.ts';
import type { StorageTopology } from './storageTopology.ts';
import type { LunResult, StorageResult, StorageStream, StreamResult } from './storageTypes.ts';

/**
 * A guest gives a disk that does not answer this long before it reports an error (VMware Tools sets
 * it so on Windows).
 */
const commandTimeoutMs = 60_000;

/**
 * Figures of streams and LUNs from the closed fixed point: rates per second, means weighted by
 * rate.
 */
export function resultsOf(
  topology: StorageTopology,
  asked: readonly StorageStream[],
  unreachable: ReadonlySet<number>,
  states: readonly LunState[],
  rounds: number,
  converged: boolean,
): StorageResult {
  const streams = asked.map((_, index): StreamResult =>
    unreachable.has(index)
      ? {
          iops: 0,
          deviceMs: commandTimeoutMs,
          kernelMs: 0,
          outstanding: asked[index]!.outstanding,
          reachable: false,
        }
      : { iops: 0, deviceMs: 0, kernelMs: 0, outstanding: 0, reachable: true },
  );
  const luns = topology.luns.map((station): LunResult => ({
    lunId: station.lun.id,
    utilisation: 0,
    iops: 0,
    readIops: 0,
    writeIops: 0,
    readMbps: 0,
    writeMbps: 0,
    outstanding: 0,
    deviceMs: 0,
    kernelMs: 0,
    brokenShare: 0,
  }));
  for (const { station, flows, disks } of states) {
    const lun = luns[station.index]!;
    let busy = 0,
      sequential = 0;
    for (const flow of flows) {
      const stream = streams[flow.stream]!;
      const iops = flow.rate * 1_000;
      const deviceMs = flow.deviceMs + flow.lunWaitMs,
        kernelMs = flow.hostWaitMs;
      stream.iops += iops;
      stream.deviceMs += iops * deviceMs;
      stream.kernelMs += iops * kernelMs;
      stream.outstanding += flow.rate * (deviceMs + kernelMs);
      lun.iops += iops;
      lun.readIops += iops * flow.read;
      lun.writeIops += iops * flow.write;
      lun.readMbps += (iops * flow.read * flow.sizeKb) / 1_024;
      lun.writeMbps += (iops * flow.write * flow.sizeKb) / 1_024;
      lun.outstanding += flow.rate * deviceMs;
      lun.deviceMs += iops * deviceMs;
      lun.kernelMs += iops * kernelMs;
      busy += (flow.rate * (flow.nowMs + flow.laterMs)) / disks;
      sequential += iops * flow.sequential;
      lun.brokenShare += iops * flow.sequential * flow.broken;
    }
    lun.utilisation = Math.min(1, busy);
    if (lun.iops > 0) {
      lun.deviceMs /= lun.iops;
      lun.kernelMs /= lun.iops;
    }
    lun.brokenShare = sequential > 0 ? lun.brokenShare / sequential : 0;
  }
  for (const stream of streams)
    if (stream.iops > 0) {
      stream.deviceMs /= stream.iops;
      stream.kernelMs /= stream.iops;
    }
  return { streams, luns, rounds, converged };
}
