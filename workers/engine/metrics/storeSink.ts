import type { SampleStore } from '../db/types.ts';
import type { StoreSink } from './types.ts';

/** Samples and journal into the database, in one transaction a flush. */
export function createStoreSink(samples: SampleStore): StoreSink {
  return {
    name: 'store',
    write: (flush) => samples.append(flush),
    close: () => undefined,
  };
}
