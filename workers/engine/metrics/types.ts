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

/**
 * Stores a batch a second, and gives back what of it was new: what repeats a sample, or lies before
 * one, is left out.
 */
export interface StoreSink {
  readonly name: 'store';
  write(flush: SampleFlush): SampleBatch;
  close(): void;
}

/** Takes what was stored, a batch a second; never blocks the pipeline. */
export interface FollowerSink {
  readonly name: 'live' | 'verdict';
  write(flush: SampleFlush): void;
  close(): void;
}

export type Sink = StoreSink | FollowerSink;
