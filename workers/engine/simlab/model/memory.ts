/**
 * Page faults that reach the disk a millisecond of guest CPU time, by the share of memory in use
 * that is not resident: the coldest pages go first, so the first ones are hardly missed and the
 * rate then grows steeply (P. Denning, "The working set model for program behavior", CACM 11(5),
 * 1968). The shape is theirs, both figures are chosen.
 */
const faultsPerCpuMs = (missing: number): number => 0.25 * missing + 200 * missing ** 3;
/**
 * Time of one swap-in from disk, ms, and how many the disks behind a host's swap files do side by
 * side. Chosen.
 */
const swapInMs = 6;
export const swapParallel = 16;
/**
 * Memory the hypervisor keeps for itself, and for a VM over its configured size (Mem overhead of
 * the field: about 3 %).
 */
const hypervisorGb = 1,
  vmOverheadShare = 0.03;

export interface MemoryState {
  /** 0 to 1. */ usedShare: number;
  /** Share of the guests' memory that is not resident. */ swappedShare: number;
  /** MB taken by the balloon driver, and swapped beyond it. */ balloonMb: number;
  swapMb: number;
}

/** Idle memory of a guest, which the balloon takes without harm. */
const idleShare = 0.1;
/** A page, KB. */
const pageKb = 4;
/** KB a second read back from swap by operations with this much work of swap disks each. */
export const swapInKBps = (opsPerS: number, swapWorkMs: number): number =>
  ((opsPerS * swapWorkMs) / swapInMs) * pageKb;

/**
 * Memory of one host: what its powered-on VMs claim against what there is, less `takenShare` by a
 * fault.
 */
export function hostMemory(
  memoryGb: number,
  vmMemoryMb: readonly number[],
  virtual: boolean,
  takenShare: number,
): MemoryState {
  const guests =
    vmMemoryMb.reduce((sum, mb) => sum + mb / 1024, 0) * (virtual ? 1 + vmOverheadShare : 1);
  const room = Math.max(
    0.1,
    memoryGb * (1 - Math.min(0.99, Math.max(0, takenShare))) - (virtual ? hypervisorGb : 0),
  );
  const swappedShare = guests > room ? 1 - room / guests : 0;
  return {
    usedShare: Math.min(1, (guests + memoryGb - room) / memoryGb),
    swappedShare,
    balloonMb: Math.min(idleShare, swappedShare) * guests * 1024,
    swapMb: Math.max(0, swappedShare - idleShare) * guests * 1024,
  };
}

/**
 * Delay of one operation by paging, ms, while swap disks have nothing else to do. Guests touch a
 * working set, not all memory: the first tenth that is taken is idle memory (ballooned without
 * harm), from there faults grow with the share.
 */
export function pagingDelayMs(memory: MemoryState, cpuMsPerOp: number): number {
  const missing = Math.max(0, memory.swappedShare - idleShare);
  return faultsPerCpuMs(missing) * swapInMs * cpuMsPerOp;
}
