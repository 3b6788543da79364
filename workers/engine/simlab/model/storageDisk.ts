import type { LabLun } from '../../../../src/core/lab/lab.ts';

/**
 * Service times of disks and RAID groups, in ms.
 *
 * Sources: C. Ruemmler, J. Wilkes, "An Introduction to Disk Drive Modeling", IEEE Computer 27(3),
 * 1994 (seek = settle + b·√distance, rotation, transfer); M. Seltzer, P. Chen, J. Ousterhout, "Disk
 * Scheduling Revisited", USENIX Winter 1990 (what a queue gives the elevator); D. Patterson, G.
 * Gibson, R. Katz, "A Case for RAID", SIGMOD 1988 (disk accesses of a small write); P. Chen et al.,
 * "RAID: High-Performance, Reliable Secondary Storage", ACM Computing Surveys 26(2), 1994
 * (full-stripe writes).
 */

/**
 * Part of the mean seek that does not depend on distance: head settle. A fifth, as the curves of
 * Ruemmler & Wilkes have it.
 */
const settleShare = 0.2;
/** Commands a disk's destage batch is sorted over. */
const destageDepth = 16;
/** Sequential dirty data is destaged, and read ahead, in pieces of this size. */
export const pieceKb = 1_024;

/**
 * Disk accesses of one small write, and the rounds of them that follow each other (read old data
 * and parity, then write).
 */
const smallWrite: Record<LabLun['raid'], { visits: number; rounds: number }> = {
  0: { visits: 1, rounds: 1 },
  1: { visits: 2, rounds: 1 },
  10: { visits: 2, rounds: 1 },
  5: { visits: 4, rounds: 2 },
  6: { visits: 6, rounds: 2 },
};

/**
 * Accesses of a small write; `visits` load the disks, `rounds` make the latency where nothing
 * caches it.
 */
export const writePenalty = (raid: LabLun['raid']): { visits: number; rounds: number } =>
  smallWrite[raid];

/**
 * Bytes written to disks for a byte of full-stripe write: mirrors double, parity adds its share of
 * the stripe.
 */
export function stripeOverhead(raid: LabLun['raid'], disks: number): number {
  if (raid === '0') return 1;
  if (raid === '1' || raid === '10') return 2;
  const parity = raid === '5' ? 1 : 2;
  return disks > parity ? disks / (disks - parity) : smallWrite[raid].visits;
}

/** Half a turn. */
export const rotationMs = (rpm: number): number => 30_000 / rpm;

/** Time the heads read or write `sizeKb`. */
export const transferMs = (lun: Pick<LabLun, 'diskMbps'>, sizeKb: number): number =>
  (sizeKb / 1_024 / lun.diskMbps) * 1_000;

/**
 * Seek and rotation before a random access while `queue` commands wait at the disk for the elevator
 * to choose from. Of q uniformly spread requests the next one in the sweep is 1/(q+2) of the stroke
 * away (1/3 for one alone), and seek grows with √distance.
 */
export function positionMs(lun: Pick<LabLun, 'seekMs' | 'rpm'>, queue: number): number {
  const gain = queue > 1 ? Math.sqrt(3 / (queue + 2)) : 1;
  return rotationMs(lun.rpm) + lun.seekMs * (settleShare + (1 - settleShare) * gain);
}

/**
 * Positioning of one destaged page: the cache sorts its dirty pages, as many as it holds for the
 * disk up to one batch.
 */
export const destagePositionMs = (
  lun: Pick<LabLun, 'seekMs' | 'rpm'>,
  dirtyPagesPerDisk: number,
): number => positionMs(lun, Math.min(destageDepth, dirtyPagesPerDisk));
