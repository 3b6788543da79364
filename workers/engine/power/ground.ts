import type { Clock, Log } from '../deps.ts';

/** What a meter is made from, beside its source. */
export interface MeterGround {
  /** Of the connection. */ name: string;
  clock: Clock;
  log: Log;
}
