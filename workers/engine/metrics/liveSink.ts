import type { Emit } from '../../../src/wire/contract.ts';
import type { Sink } from './types.ts';

/** One event a flush to everybody who watches. */
export function createLiveSink(emit: Emit, runId: string): Sink {
  return {
    name: 'live',
    accept: (batch) => {
      if (batch.length > 0) emit('run.samples', { runId, batch });
    },
    close: () => undefined,
  };
}
