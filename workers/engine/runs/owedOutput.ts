import { toAppError } from '../../../src/core/base/errors.ts';
import { owed } from '../../../src/core/run/leftBehind.ts';
import type { RunContext } from './context.ts';
import { sweepClients } from './windDown.ts';
import { readOutput } from './workload.ts';

/**
 * Removes the run's directories where all their output is stored. What could not be stored, on a
 * full disk, stays on its client, and a finding says where: it is the only copy.
 */
export async function sweepRead(context: RunContext): Promise<void> {
  const { run, db, pipeline } = context;
  const stored = await pipeline.flush();
  const unread = new Set(
    stored
      ? []
      : db.runs
          .jobs(run.id)
          .filter((job) => !job.ended)
          .map((job) => job.clientId),
  );
  await sweepClients(context, (id) => !unread.has(id));
  for (const id of unread) {
    const name = context.connections.find((c) => c.id === id)?.name ?? id;
    run.finding({
      id: `${owed}${id}`,
      severity: 'warn',
      text: `The last output of ${name} could not be stored. It stays there in ~/.tilebench/${run.id} until it is.`,
      fix: 'Free space in the data folder. It is read when there is some, or by putting back what the run left behind.',
    });
  }
}

/**
 * Reads on what a client kept. Gives why it could not be read or stored; null = all of it is
 * stored.
 */
export async function readOwed(
  context: RunContext,
  clientId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { run, db, peers, pipeline, units } = context;
  try {
    const host = await peers.client(clientId);
    for (const job of db.runs.jobs(run.id)) {
      const unit = units.find((one) => one.entityId === job.entityId);
      if (job.ended || job.clientId !== clientId || !unit) continue;
      await readOutput(context, unit, host, job, () => undefined, signal);
    }
    if (!(await pipeline.flush())) return 'the disk is still full';
    db.samples.finish(run.id);
    return null;
  } catch (error) {
    return toAppError(error).message;
  }
}
