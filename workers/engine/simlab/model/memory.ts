/** Page faults that reach the disk for each millisecond of guest CPU time when all of a guest's memory is swapped. */
const faultsPerCpuMs = 0.25;
/** Time of one swap-in from disk, ms. */
const swapInMs = 6;
/** Memory the hypervisor keeps for itself, and for a VM over its configured size (Mem overhead of the field: about 3 %). */
const hypervisorGb = 1, vmOverheadShare = 0.03;

export interface MemoryState { /** 0 to 1. */ usedShare: number; /** Share of the guests' memory that is not resident. */ swappedShare: number }

/** Memory of one host: what its powered-on VMs claim against what there is, less `takenShare` by a fault. */
export function hostMemory(memoryGb: number, vmMemoryMb: readonly number[], virtual: boolean, takenShare: number): MemoryState {
  const guests = vmMemoryMb.reduce((sum, mb) => sum + mb / 1024, 0) * (virtual ? 1 + vmOverheadShare : 1);
  const room = Math.max(0.1, memoryGb * (1 - Math.min(0.99, Math.max(0, takenShare))) - (virtual ? hypervisorGb : 0));
  return { usedShare: Math.min(1, (guests + memoryGb - room) / memoryGb), swappedShare: guests > room ? 1 - room / guests : 0 };
}

/**
 * Delay of one operation by paging, ms. Guests touch a working set, not all memory: the first tenth that is taken
 * is idle memory (ballooned without harm), from there faults grow with the share.
 */
export function pagingDelayMs(memory: MemoryState, cpuMsPerOp: number): number {
  return Math.max(0, memory.swappedShare - 0.1) * faultsPerCpuMs * swapInMs * cpuMsPerOp;
}
