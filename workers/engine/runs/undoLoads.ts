import { toAppError } from '../../../src/core/base/errors.ts';
import { undone } from '../../../src/core/run/leftBehind.ts';
import { getDriver } from '../workloads/index.ts';
import type { RunContext } from './context.ts';
import { withDeadline } from './deadline.ts';
import type { LiveRun } from './liveRun.ts';
import type { WorkloadUnit } from './series.ts';
import { label } from './workload.ts';

const begun = new WeakMap<LiveRun, Set<string>>();

/** Notes that a workload's preparation began: from now on there may be something to undo. */
export function preparing(run: LiveRun, entityId: string): void {
  begun.set(run, (begun.get(run) ?? new Set()).add(entityId));
}

/** Whether this run has made anything for it, in this engine or in one before. */
const isBegun = ({ run, db }: RunContext, { entityId }: WorkloadUnit): boolean =>
  begun.get(run)?.has(entityId) === true ||
  db.runs.jobs(run.id).some((job) => job.entityId === entityId);

/**
 * Takes back what drivers made for the loads, as far as their parameters ask for it: data sets that
 * are unloaded, programs that were put on clients. One after the other on a client, clients side by
 * side; never on the run's signal, which may be aborted here. Gives the workloads where it failed;
 * each is a finding.
 */
export async function undoLoads(
  context: RunContext,
  only: (unit: WorkloadUnit) => boolean = (unit) => isBegun(context, unit),
): Promise<string[]> {
  const { run, deps, limits, peers } = context;
  const failed: string[] = [];
  const units = context.units.filter(only);
  const clients = [...new Set(units.map((unit) => unit.assignment.clientId))];
  // Who ended the run at once does not wait for hours of mailboxes.
  const limitMs = run.hard.aborted ? limits.cleanUpMs : limits.restoreMs;
  await withDeadline(deps.clock, limitMs, (deadline) =>
    Promise.all(
      clients.map(async (clientId) => {
        for (const unit of units.filter((one) => one.assignment.clientId === clientId)) {
          const driver = getDriver(unit.workload.driver);
          if (!driver.afterRun) continue;
          try {
            const signal = AbortSignal.any([deadline, context.detached]);
            await driver.afterRun(await peers.client(clientId), unit.params, signal);
          } catch (error) {
            // The next engine goes on with the run, and does it.
            context.detached.throwIfAborted();
            failed.push(unit.entityId);
            run.finding({
              id: `${undone}${unit.entityId}`,
              severity: 'warn',
              text: `${label(unit)}: what was made for its load could not be removed. ${toAppError(error).message}`,
              fix: 'Let what the run left behind be put back once its server and client answer.',
            });
          }
        }
      }),
    ),
  );
  return failed;
}
