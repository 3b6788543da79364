import type { Flow } from './storageFlows.ts';
import type { LunStation } from './storageTopology.ts';

/** State of one LUN between rounds. */
export interface LunState {
  station: LunStation;
  flows: Flow[];
  disks: number;
  /** Flows by host, each with the commands that host may have under way here. */
  hosts: { flows: Flow[]; depth: number }[];
  /** Wait for a free cache page and for a command slot of the LUN. */
  cacheWaitMs: number;
  slotWaitMs: number;
  positionMs: number;
  destageMs: number;
  /**
   * I/Os at the disks, work queued there, disks busy with what cannot wait, destage share of the
   * disks' time, rate of all flows.
   */
  queued: number;
  queuedMs: number;
  busy: number;
  later: number;
  rate: number;
}
