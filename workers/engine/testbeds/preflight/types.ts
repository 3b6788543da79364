import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { Connection } from '../../../../src/core/testbed/connection.ts';
import type { Peers } from '../../connections/peers.ts';
import type { Database } from '../../db/types.ts';
import type { Deps } from '../../deps.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import type { WorkloadUnit } from '../../runs/series.ts';
import type { World } from './world.ts';

export interface CheckContext {
  deps: Deps;
  db: Database;
  peers: Peers;
  inputs: LaunchInputs;
  units: readonly WorkloadUnit[];
  nameOf: (connectionId: string) => string;
  find: (connectionId: string) => Connection | null;
  /** What several checks look at, read once. */
  world: World;
  /** The last smoke run of this plan. */
  smokeRunId: string | null;
}

/**
 * One check: reads the real thing and says what it saw. A throw becomes a blocking finding with the
 * error's words.
 */
export interface Check<Id extends string = string> {
  /** `what.question`. */
  readonly id: Id;
  /** What it is about, for progress and for the finding of a check that could not be made. */
  title: string;
  /**
   * `vcenter`: left out where the testbed has none; not made where it does not answer, which `vcenter.answers` tells.
   */
  needs?: 'vcenter';
  run: (context: CheckContext, signal: AbortSignal) => Promise<CheckFinding[]>;
}

/** A check as it is told, with its id as a type of its own: who names it elsewhere names one there is. */
export const defineCheck = <const Id extends string>(check: Check<Id>): Check<Id> => check;
