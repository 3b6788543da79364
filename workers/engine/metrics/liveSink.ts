import type { Emit } from '../../../src/wire/contract.ts';
import type { FollowerSink } from './types.ts';

/** One event a flush to everybody who watches. */
export function createLiveSink(emit: Emit): FollowerSink {
  return {
    name: 'live',
    write: ({ runId, batch }) => {
      if (batch.length > 0) emit('run.samples', { runId, batch });
    },
    close: () => undefined,
  };
}
