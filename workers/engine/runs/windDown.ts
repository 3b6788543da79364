import { toAppError } from '../../../src/core/base/errors.ts';
import type { RunContext } from './context.ts';
import { fired, withDeadline } from './deadline.ts';

/**
 * Ends all load of a run: TERM to each job's process group, KILL after the grace or when a hard
 * abort comes. Has its own deadline, never the run's signal, which is already aborted here. A
 * client that cannot be reached becomes a finding: its load ends by its own time limit.
 */
export async function endLoad(context: RunContext, graceMs: number): Promise<void> {
  const { run, db, peers, limits, deps } = context;
  const jobs = db.runs.jobs(run.id).filter((job) => !job.ended);
  await withDeadline(deps.clock, graceMs + limits.cleanUpMs, async (deadline) => {
    await Promise.all(
      jobs.map(async (job) => {
        try {
          run.workload(job.entityId, { state: 'stopping' });
          const host = await peers.client(job.clientId);
          const graceful = host.endJob(job.handle, graceMs, deadline);
          // Asked to end at once while the grace lasts: the second order kills, and the first finds
          // nothing left.
          await (graceMs > 0
            ? Promise.race([
                graceful,
                fired(run.hard).then(() => host.endJob(job.handle, 0, deadline)),
              ])
            : graceful);
        } catch (error) {
          run.finding({
            id: `stop.${job.entityId}`,
            severity: 'warn',
            text:
              `The load of ${job.entityId} could not be ended: ${toAppError(error).message}. ` +
              'It ends by its own time limit.',
            fix: `On the client: kill -s KILL -- -${job.handle.pgid}`,
          });
        }
      }),
    );
    await Promise.race([Promise.allSettled(context.workers.values()), fired(deadline)]);
  });
}

/**
 * Removes the run's directories on its clients, ending whatever still runs below them. Gives the
 * clients where it could not; each is a finding.
 */
export async function sweepClients(
  context: RunContext,
  only: (clientId: string) => boolean = () => true,
): Promise<string[]> {
  const { run, peers, limits, units, deps } = context;
  const failed: string[] = [];
  await withDeadline(deps.clock, limits.cleanUpMs, (deadline) =>
    Promise.all(
      [...new Set(units.map((u) => u.assignment.clientId))].filter(only).map(async (id) => {
        try {
          await (await peers.client(id)).cleanRun(run.id, deadline);
        } catch (error) {
          failed.push(id);
          const name = context.connections.find((c) => c.id === id)?.name ?? id;
          run.finding({
            id: `sweep.${id}`,
            severity: 'warn',
            text: `${name} could not be cleaned: ${toAppError(error).message}. Its load ends by its own time limit.`,
            fix: `Remove ~/.tilebench/${run.id} on ${name}.`,
          });
        }
      }),
    ),
  );
  return failed;
}
