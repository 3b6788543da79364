/**
 * Frame bytes that counters do not see: preamble and start 8, check sequence 4, gap 12 (IEEE
 * 802.3).
 */
export const wireBytesPerFrame = 24;
/** Largest frame counted by a switch, Ethernet header included. */
const frameBytes = 1_514;
/** Frames an uplink holds for one direction: transmit ring and switch port together. */
const bufferFrames = 512;

/**
 * Frames on the wire: a segment that the device cuts up (TSO) or puts together (LRO) counts once at
 * the port and often here.
 */
export const framesOf = (packets: number, bytes: number): number =>
  Math.max(packets, bytes / frameBytes);

export interface LinkQueue {
  /** Part of the offered traffic that gets through. */
  deliveredShare: number;
  /** Mean time of one frame in queue and on the wire, in ms. */
  frameMs: number;
  /** Busy part of the link, 0 to 1. */
  utilisation: number;
}

/**
 * One direction of a full-duplex link as an M/M/1/K queue: finite buffer, so that overload shows as
 * loss and a bounded wait instead of infinity. Source: L. Kleinrock, Queueing Systems I (1975),
 * 3.6; D. Gross, C. Harris, Fundamentals of Queueing Theory, 2.5.
 * `bytesPerS` and `framesPerS` as offered, `gbps` of the link.
 */
export function linkQueue(bytesPerS: number, framesPerS: number, gbps: number): LinkQueue {
  const wire = bytesPerS + framesPerS * wireBytesPerFrame;
  const capacity = (gbps * 1e9) / 8;
  const serviceMs = framesPerS > 0 ? (wire / framesPerS / capacity) * 1_000 : 0;
  const load = wire / capacity;
  if (load <= 0) return { deliveredShare: 1, frameMs: 0, utilisation: 0 };
  const k = bufferFrames;
  // Both sums lose all digits near 1, where the distribution is uniform.
  if (Math.abs(load - 1) < 1e-6)
    return {
      deliveredShare: k / (k + 1),
      frameMs: (serviceMs * (k + 1)) / 2,
      utilisation: k / (k + 1),
    };
  // In powers of the load below 1, so that neither overflows.
  const ratio = load < 1 ? load : 1 / load;
  const power = ratio ** (k + 1);
  const empty = load < 1 ? (1 - ratio) / (1 - power) : ((1 - ratio) * ratio ** k) / (1 - power);
  const utilisation = Math.min(1, 1 - empty);
  const inSystem =
    load < 1
      ? ratio / (1 - ratio) - ((k + 1) * power) / (1 - power)
      : k - ratio / (1 - ratio) + ((k + 1) * power) / (1 - power);
  return {
    deliveredShare: Math.min(1, utilisation / load),
    frameMs: (serviceMs * inSystem) / utilisation,
    utilisation,
  };
}
