import type { SampleBatch } from '../../../src/core/metric/metric.ts';
import type { ParserResume } from '../workloads/driver.ts';

/** How far a source was read; stored in the same transaction as the samples it gave. */
export interface JournalEntry {
  key: string;
  /** JSON */ resume: ParserResume;
  lastTMs: number;
}

/** One second of a run. */
export interface SampleFlush {
  runId: string;
  batch: SampleBatch;
  journal: readonly JournalEntry[];
}

/** Where samples are kept. */
export interface SampleKeeper {
  /**
   * Stores one second, and gives back what of it was new: what repeats a sample, or lies before
   * one, is left out. Throws where it cannot be stored.
   */
  append(flush: SampleFlush): SampleBatch;
}

/**
 * Follows what was stored of a run, a batch a second; never blocks the pipeline. One that throws is
 * told and left out from then on. Which sinks a run has: `runs/sinks.ts`.
 */
export interface Sink {
  /** In the finding of one that failed: "The <name> view of the samples failed". */
  readonly name: string;
  accept(batch: SampleBatch): void;
  close(): void;
}
