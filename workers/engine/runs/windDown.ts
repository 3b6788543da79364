import { toAppError } from '../../../src/core/base/errors.ts';
import { namesOf } from '../../../src/core/run/outages.ts';
import type { RunContext } from './context.ts';
import { fired, withDeadline } from './deadline.ts';
import { serversOf } from './servers.ts';
import { label, withSubject } from './workload.ts';

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
          const unit = context.units.find((one) => one.entityId === job.entityId);
          const id = `stop.${job.clientId}`;
          const subjects = withSubject(run, id, unit ? label(unit) : 'a workload');
          run.finding({
            id,
            severity: 'warn',
            text:
              `The load of ${namesOf(subjects)} on ${clientName(context, job.clientId)} could ` +
              `not be ended: ${withoutStop(toAppError(error).message)}. It ends by its own time limit.`,
            fix: `On the client, for each: kill -s KILL -- -<process group>, ${job.handle.pgid} for the last.`,
            subjects,
          });
        }
      }),
    );
    await Promise.race([Promise.allSettled(context.workers.values()), fired(deadline)]);
  });
}

const clientName = ({ connections }: RunContext, id: string): string =>
  connections.find((c) => c.id === id)?.name ?? 'a client';
const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/**
 * Removes the run's directories on its clients and on the machines of their servers, ending whatever
 * still runs below them. Gives those where it could not; each is a finding.
 */
export async function sweepClients(
  context: RunContext,
  only: (clientId: string) => boolean = () => true,
): Promise<string[]> {
  const { run, peers, limits, units, deps } = context;
  const failed: string[] = [];
  const servers = serversOf(units, context.connections);
  const machines = new Set([
    ...units.map((unit) => unit.assignment.clientId),
    ...servers.flatMap(({ loginId }) => loginId ?? []),
  ]);
  await withDeadline(deps.clock, limits.cleanUpMs, (deadline) =>
    Promise.all(
      [...machines].filter(only).map(async (id) => {
        try {
          const host = await peers.client(id);
          await host.cleanRun(run.id, deadline);
          for (const { server, loginId } of servers)
            if (loginId === id) await server.cleanup(host, deadline);
        } catch (error) {
          failed.push(id);
          const name = clientName(context, id);
          run.finding({
            id: `sweep.${id}`,
            severity: 'warn',
            text:
              `${name} could not be cleaned: ${withoutStop(toAppError(error).message)}. Its ` +
              'load ends by its own time limit.',
            fix: `Remove ~/.tilebench/${run.id} on ${name}.`,
          });
        }
        // Cleaning ends what still runs there; where it cannot, it says so itself.
        run.withdraw(`stop.${id}`);
      }),
    ),
  );
  return failed;
}
