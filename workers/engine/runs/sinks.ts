import type { Emit } from '../../../src/wire/contract.ts';
import { createLiveSink } from '../metrics/liveSink.ts';
import type { Sink } from '../metrics/types.ts';
import type { VerdictSink } from '../metrics/verdictSink.ts';

/** What a sink may be made of. */
export interface SinkParts {
  emit: Emit;
  runId: string;
  /** The run's own: the rest of the run asks it. */
  verdict: VerdictSink;
}

/** What follows the samples of every run, in the order in which a batch reaches it. */
export const sinks: readonly ((of: SinkParts) => Sink)[] = [
  ({ emit, runId }) => createLiveSink(emit, runId),
  ({ verdict }) => verdict,
];
