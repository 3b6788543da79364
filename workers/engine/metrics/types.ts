import type { SampleBatch } from '../../../src/shared/metric.ts';
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

/** Takes a batch a second; never blocks the pipeline. */
export interface Sink {
  readonly name: 'store' | 'live' | 'verdict';
  write(flush: SampleFlush): void;
  close(): void;
}
