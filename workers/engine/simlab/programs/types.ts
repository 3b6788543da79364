import type { LabSpec, WorkloadDemand } from '../../../../src/core/lab/lab.ts';
import type { LoadReport } from '../model/types.ts';

/**
 * What a program knows of the moment it prints an interval. Times in ms; `clientMs` is the client's
 * clock.
 */
export interface Interval {
  /** Intervals before this one. */
  index: number;
  /** Since the start of the program. */
  elapsedMs: number;
  lengthMs: number;
  clientMs: number;
}

/**
 * How a tool prints. Text is a function of the numbers alone, so that a job keeps numbers and
 * prints them again when somebody reads from the middle. `S`: what the tool has counted so far;
 * cloned at checkpoints.
 */
export interface Format<S = unknown> {
  /** Before the first interval. ASCII, as all of it. */
  header: string;
  /** Numbers kept of an interval. */
  fields: number;
  /** The figures of an interval as they are kept; `report` null = nothing was measured. */
  take(report: LoadReport | null, interval: Interval): readonly number[];
  begin(): S;
  /** The text of one interval; moves `state` on. */
  print(state: S, values: Float32Array, interval: Interval): string;
  /** The tool's own report at an end in order. */
  trailer(state: S): string;
}

/** A recognised command line. */
export type Program =
  | {
      kind: 'runs';
      durationMs: number;
      intervalMs: number;
      /** null: nothing in the lab is loaded by it. */ load: {
        vmId: string;
        demand: WorkloadDemand;
      } | null;
      format: Format;
    }
  /** Ends at once. */
  | { kind: 'fails'; exitCode: number; stderr: string };

/** Where a program runs and what it can reach. */
export interface Place {
  spec: LabSpec;
  /** VM of this guest; null on a client machine. */
  guestVmId: string | null;
  /** VM id of an address; null where no VM of this lab has it. */
  resolveVm(address: string): string | null;
}

/** What a program sees of the lab. */
export interface Surroundings extends Place {
  /** Round trip in ms to an address at a client time; null where nothing answers. */
  tripMs(address: string): (clientMs: number) => number | null;
}

/** A tool that clients and guests of simulated labs have. */
export interface SimulatedTool {
  /** What it prints of its version. */
  version: string;
  /** What a command line of it does, program and `exec` left out. */
  run: (words: readonly string[], at: Surroundings) => Program;
}
