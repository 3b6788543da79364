import { fail } from '../../../src/core/base/errors.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { ClockWatch, RunContext, RunLimits } from './context.ts';
import { createRunContext } from './createContext.ts';
import { createLiveRun, type LiveRun } from './liveRun.ts';

/** The runs an engine works on, and what it works with. */
export interface RunsInHand {
  readonly deps: Deps;
  readonly db: Database;
  readonly peers: Peers;
  readonly emit: Emit;
  readonly limits: RunLimits;
  /** Runs that are driven, until their work is done. */
  readonly active: Map<string, { run: LiveRun; done: Promise<void> }>;
  /** Runs that ended while the disk was full: told from here until they are stored. */
  readonly unstored: Map<string, LiveRun>;
  /** Ended runs that are being tidied up after. */
  readonly tidying: Map<string, { record: RunRecord; done: Promise<void> }>;
  /** Fires when the engine goes away. */
  readonly closing: AbortController;
}

/** The state of a run that is driven here. */
export function liveRun({ deps, db, emit }: RunsInHand, record: RunRecord): LiveRun {
  // What runs on a simulated lab ends with its process: there is nothing to read on, and time
  // flies.
  const lazyMs = deps.lab === null ? 0 : 60_000;
  return createLiveRun(record, { clock: deps.clock, log: deps.log, store: db.runs, emit, lazyMs });
}

/** The state of a run that has ended: what still comes to it is stored at once. */
export function endedRun({ deps, db, emit }: RunsInHand, record: RunRecord): LiveRun {
  return createLiveRun(record, { clock: deps.clock, log: deps.log, store: db.runs, emit });
}

/** What the parts of a run get, of one that is driven or tidied up after. */
export function contextOf(
  { deps, db, peers, emit, limits, closing }: RunsInHand,
  run: LiveRun,
  clockWatch?: ClockWatch,
): RunContext {
  return createRunContext({
    deps,
    db,
    peers,
    emit,
    limits,
    run,
    closing: closing.signal,
    ...(clockWatch ? { clockWatch } : {}),
  });
}

/** A run as it is now, active or stored. Throws notFound. */
export function recordOf({ active, unstored, db }: RunsInHand, id: string): RunRecord {
  const record = active.get(id)?.run.record() ?? unstored.get(id)?.record() ?? db.runs.get(id);
  if (!record) throw fail('notFound', `Run ${id} does not exist.`, 'Refresh the history.');
  return record;
}

/** A run that has not ended. Throws conflict where it has, notFound where there is none. */
export function activeRun({ active, db }: RunsInHand, id: string): LiveRun {
  const found = active.get(id);
  if (found) return found.run;
  if (db.runs.get(id)) throw fail('conflict', 'The run has ended.');
  throw fail('notFound', `Run ${id} does not exist.`, 'Refresh the history.');
}

/** Throws conflict, with what to do, where an active run has the same testbed or a client of it. */
export function demandFree(
  { active }: RunsInHand,
  input: Pick<RunRecord, 'testbed'>,
  fix: string,
): void {
  const busy = [...active.values()].find(({ run }) => sharesClients(run.record(), input));
  if (busy)
    throw fail(
      'conflict',
      `${busy.run.record().overview.name} is running on the same testbed or clients.`,
      fix,
    );
}

/** True where two runs have the testbed in common, or a client. */
export function sharesClients(
  record: Pick<RunRecord, 'testbed'>,
  input: Pick<RunRecord, 'testbed'>,
): boolean {
  const clients = (testbed: RunRecord['testbed']): string[] =>
    testbed.tiles.flatMap((t) => t.workloads.map((w) => w.clientId));
  const mine = new Set(clients(input.testbed));
  return (
    record.testbed.id === input.testbed.id || clients(record.testbed).some((id) => mine.has(id))
  );
}
