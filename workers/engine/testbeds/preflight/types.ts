import type { CheckFinding } from '../../../../src/shared/plan.ts';
import type { Connection } from '../../../../src/shared/testbed.ts';
import type { Deps } from '../../deps.ts';
import type { Database } from '../../db/types.ts';
import type { Peers } from '../../connections/peers.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import type { WorkloadUnit } from '../../runs/series.ts';

export interface CheckContext {
  deps: Deps; db: Database; peers: Peers;
  inputs: LaunchInputs; units: readonly WorkloadUnit[];
  nameOf: (connectionId: string) => string;
  find: (connectionId: string) => Connection | null;
}

/** One check: reads the real thing and says what it saw. A throw becomes a blocking finding with the error's words. */
export interface Check {
  id: string;
  /** What it is about, for the finding of a check that could not be made. */
  title: string;
  run: (context: CheckContext, signal: AbortSignal) => Promise<CheckFinding[]>;
}
