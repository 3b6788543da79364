import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { Pipeline } from '../metrics/pipeline.ts';
import type { VerdictSink } from '../metrics/verdictSink.ts';
import type { OwnMoves } from './drs/ownMoves.ts';
import type { LiveRun } from './liveRun.ts';
import type { Outages } from './outages.ts';
import type { SaturationWatch } from './saturation.ts';
import type { SeriesIndex, WorkloadUnit } from './series.ts';

/** How patient a run is. Defaults suit a lab; tests make them short. */
export interface RunLimits {
  /** A client that cannot be reached, or a workload that is silent, for this long ends the run. */
  lostMs: number;
  /** A workload without a sample for this long is shown as lost and becomes a finding. */
  silentMs: number;
  /** How long load may take to end by itself before it is killed. */
  graceMs: number;
  /** Deadline of the whole clean-up on the clients. */
  cleanUpMs: number;
  /** Deadline for putting back what infrastructure operations moved: copies of whole disks. */
  restoreMs: number;
  /**
   * A task of an infrastructure operation without progress for this long is stuck: it is cancelled.
   */
  stuckTaskMs: number;
  /**
   * Pause before a failed infrastructure operation is tried again; each further pause is three
   * times as long.
   */
  retryPauseMs: number;
  /** How long VMs may take to get to where the plan starts them. */
  placeMs: number;
  /** How long collecting waits for the last counters of the steady state. */
  lastCountersMs: number;
  /** Samples are kept in memory for this long while the disk is full; then the run ends. */
  storePatienceMs: number;
}
export const defaultLimits: RunLimits = {
  lostMs: 300_000,
  silentMs: 15_000,
  graceMs: 10_000,
  cleanUpMs: 60_000,
  restoreMs: 1_800_000,
  stuckTaskMs: 600_000,
  retryPauseMs: 5_000,
  placeMs: 3_600_000,
  lastCountersMs: 45_000,
  storePatienceMs: 30_000,
};

/** What every part of a run gets. Lives as long as the run is driven by this engine. */
export interface RunContext {
  deps: Deps;
  db: Database;
  peers: Peers;
  emit: Emit;
  limits: RunLimits;
  run: LiveRun;
  connections: readonly Connection[];
  units: readonly WorkloadUnit[];
  seriesId: SeriesIndex;
  pipeline: Pipeline;
  verdict: VerdictSink;
  clockWatch: ClockWatch;
  /** Peers that are away, each told once. */
  outages: Outages;
  /** Clients that fell behind their load, each told once. */
  saturation: SaturationWatch;
  /** Fires when the engine goes away, or the run is over: stop following, leave the load alone. */
  detached: AbortSignal;
  release: () => void;
  /** Workers in flight, so that nobody is left behind. */
  workers: Map<string, Promise<void>>;
  /** What this run itself does to VMs in vCenter: tells its own events from those of others. */
  ownMoves: OwnMoves;
}

/** Fires on graceful abort or when the engine goes away. */
export function stopOrDetached(context: RunContext): AbortSignal {
  return AbortSignal.any([context.run.stop, context.detached]);
}

/** What this computer's own time did to a run. */
export interface ClockWatch {
  /** Silence of a peer before this is not its own: the engine was not there to hear it. */
  excusedUntilMs(): number;
  /** When this computer last came back from sleep. */
  awayUntilMs(): number;
  /** The clock stepped while no engine looked. */
  realign(steppedMs: number): void;
  release(): void;
}
