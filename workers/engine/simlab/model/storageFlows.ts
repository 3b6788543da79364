import { pieceKb, stripeOverhead, transferMs, writePenalty } from './storageDisk.ts';
import type { HostStation, LunStation, StorageTopology } from './storageTopology.ts';
import type { StorageStream } from './storageTypes.ts';

/**
 * One stream on one LUN: what does not change, and the unknowns of the fixed point. Times in ms,
 * rates in I/Os a ms.
 */
export interface Flow {
  stream: number;
  lun: number;
  array: number;
  host: number;
  /** Part of the stream's population on this LUN, its think time, and the rate it never exceeds. */
  population: number;
  thinkMs: number;
  limit: number;
  /**
   * Iterated: 1/n of the n I/Os in the device, its part of the flow's own queues: an arriving I/O
   * does not meet itself.
   */
  own: number;
  sizeKb: number;
  read: number;
  write: number;
  sequential: number;
  /** Reads that no cache holds. */
  missing: number;
  transferMs: number;
  portMs: number;
  hbaMs: number;
  /** Disk accesses of a write that goes to the disks at once, and how many follow each other. */
  visits: number;
  rounds: number;
  /**
   * Iterated: rate; time in the device without waits for slots; waits for a slot of the LUN and of
   * the host.
   */
  rate: number;
  deviceMs: number;
  lunWaitMs: number;
  hostWaitMs: number;
  /**
   * Iterated: sequential I/Os turned random; disk accesses at once an I/O, how many it waits for,
   * the mean time of one, and its service; disk time at once and later an I/O.
   */
  broken: number;
  visitsPerIo: number;
  diskRounds: number;
  onceMs: number;
  serviceMs: number;
  nowMs: number;
  laterMs: number;
  /** Iterated: times at the controller, array port and host port; the whole cycle. */
  controllerMs: number;
  portWaitMs: number;
  hbaWaitMs: number;
  cycleMs: number;
  /** Iterated: I/Os in the device after the last round. */
  active: number;
  /**
   * Scratch of a wait's step: population that answers to it, its cycle without that wait, its part
   * of the wait, and what it asks of the room at a rate of 1.
   */
  inside: number;
  insideMs: number;
  share: number;
  weight: number;
  /** Iterated: part of a full cache's wait that an I/O takes. */
  heldBy: number;
  /**
   * Iterated: I/Os of the flow in the queues of the disks, controller, array ports and host ports.
   */
  diskQueue: number;
  controllerQueue: number;
  portQueue: number;
  hbaQueue: number;
}

const cacheHit = (station: LunStation): number =>
  station.array.totalKb > 0 ? Math.min(0.98, station.array.readCacheKb / station.array.totalKb) : 0;

/**
 * Each stream cut over the LUNs it uses, its population in equal parts; streams without population,
 * host, or path are left out.
 */
export function flowsOf(
  topology: StorageTopology,
  streams: readonly StorageStream[],
): { flows: Flow[]; unreachable: Set<number> } {
  const flows: Flow[] = [];
  const unreachable = new Set<number>();
  streams.forEach((stream, index) => {
    const host = topology.hosts.get(stream.hostId);
    const all = topology.datastores.get(stream.datastoreId) ?? [];
    const luns = stream.extents ? stream.extents.flatMap((position) => all[position] ?? []) : all;
    if (
      !host ||
      luns.length === 0 ||
      host.ports === 0 ||
      luns.some(({ array }) => array.ports === 0)
    ) {
      unreachable.add(index);
      return;
    }
    if (!(stream.outstanding > 0) || stream.iopsLimit === 0) return;
    for (const station of luns) flows.push(flow(index, stream, host, station, luns.length));
  });
  return { flows, unreachable };
}

function flow(
  stream: number,
  asked: StorageStream,
  host: HostStation,
  station: LunStation,
  parts: number,
): Flow {
  const { lun, array } = station;
  const population = asked.outstanding / parts;
  const random = asked.randomShare;
  const read = asked.readShare;
  const { visits, rounds } = writePenalty(lun.raid);
  // Array cache hits of random reads: the cache holds an even part of what is read at random.
  const hits = 1 - (1 - (asked.hitShare ?? 0)) * (1 - cacheHit(station) * random);
  const mb = asked.sizeKb / 1_024;
  return {
    stream,
    lun: station.index,
    array: array.index,
    host: host.index,
    population,
    thinkMs: Math.max(0, asked.thinkMs),
    limit: (asked.iopsLimit ?? Number.POSITIVE_INFINITY) / parts / 1_000,
    own: 1 / Math.max(1, population),
    sizeKb: asked.sizeKb,
    read,
    write: 1 - read,
    sequential: 1 - random,
    missing: read * (1 - hits),
    transferMs: transferMs(lun, asked.sizeKb) * station.slow,
    portMs: (mb / array.portMbps) * 1_000,
    hbaMs: (mb / host.portMbps) * 1_000,
    visits,
    rounds,
    rate: 0,
    deviceMs: 0,
    lunWaitMs: 0,
    hostWaitMs: 0,
    broken: 0,
    visitsPerIo: 0,
    diskRounds: 0,
    onceMs: 0,
    serviceMs: 0,
    nowMs: 0,
    laterMs: 0,
    heldBy: 0,
    controllerMs: 0,
    portWaitMs: 0,
    hbaWaitMs: 0,
    cycleMs: 0,
    active: 0,
    inside: 0,
    insideMs: 0,
    share: 1,
    weight: 0,
    diskQueue: 0,
    controllerQueue: 0,
    portQueue: 0,
    hbaQueue: 0,
  };
}

/**
 * Disk time of a full-stripe byte stream, in ms for one I/O of the flow: transfer, and one
 * positioning a piece.
 */
export const stripedWorkMs = (
  f: Flow,
  station: LunStation,
  positionMs: number,
  brokenPieces: number,
): number =>
  (f.transferMs + positionMs * Math.max(brokenPieces, Math.min(1, f.sizeKb / pieceKb))) *
  stripeOverhead(station.lun.raid, station.lun.disks);
