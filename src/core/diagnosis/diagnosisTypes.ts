import type { Alignment, Cause, Evidence } from './diagnosis.ts';

/** A hypothesis before it is weighed against the others. */
export interface Candidate {
  cause: Cause;
  subjects: string[];
  /** Ids of the subjects. */ refs: string[];
  score: number;
  alignment: Alignment | null;
  on: { on: number; of: number; share: number; tiles: number[] };
  evidence: Evidence[];
  explanation: string;
  remedy: string;
  /** Processors of every host in use are full. */
  everywhere?: boolean;
  /** Clock lost to a power limit, in percent. */
  lostPct?: number;
}
