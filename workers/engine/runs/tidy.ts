import { fail, toAppError } from '../../../src/core/base/errors.ts';
import { leftBehind, owed, undone } from '../../../src/core/run/leftBehind.ts';
import type { RunFinding, RunOverview } from '../../../src/core/run/run.ts';
import { pause } from '../clock/jumps.ts';
import { restoreActs } from './acts/restore.ts';
import type { RunContext } from './context.ts';
import { withDeadline } from './deadline.ts';
import { restoreDrs } from './drs/setting.ts';
import { restoreInfrastructure } from './infra/restore.ts';
import { contextOf, demandFree, endedRun, recordOf, type RunsInHand } from './inHand.ts';
import type { LiveRun } from './liveRun.ts';
import { readOwed } from './owedOutput.ts';
import { undoLoads } from './undoLoads.ts';
import { sweepClients } from './windDown.ts';

const sweep = 'sweep.';
/** How long until it is tried again to store what found no space. */
export const storeAgainMs = 5_000;

/**
 * Puts back what an ended run left behind; gives the run as it is then. Throws conflict where there
 * is nothing to put back, or somebody works on the same testbed or clients.
 */
export async function tidyRun(runs: RunsInHand, id: string): Promise<RunOverview> {
  const { active, tidying } = runs;
  const record = recordOf(runs, id);
  if (active.has(id) || leftBehind(record.overview).length === 0)
    throw fail(
      'conflict',
      `${record.overview.name} left nothing behind that is known here.`,
      'See its findings.',
    );
  if (record.imported)
    throw fail('conflict', `${record.overview.name} came in a bundle: it was not run here.`);
  if (tidying.has(id))
    throw fail('conflict', `What ${record.overview.name} left behind is being put back already.`);
  demandFree(runs, record, 'Wait for its end.');
  const run = endedRun(runs, record);
  const done = tidyInContext(runs, run);
  tidying.set(id, { record, done });
  await done.finally(() => {
    tidying.delete(id);
  });
  return run.overview();
}

async function tidyInContext(runs: RunsInHand, run: LiveRun): Promise<void> {
  const { db } = runs;
  const { testbed, overview } = run.record();
  const since = db.runs
    .list('all')
    .filter(
      (one) =>
        (one.startedAtMs ?? 0) > (overview.startedAtMs ?? overview.createdAtMs) &&
        one.importedFrom === undefined,
    );
  // A testbed may have another name by now.
  const later = since.some(
    (one) => one.testbedName === testbed.name || db.runs.find(one.id)?.testbed.id === testbed.id,
  );
  const context = contextOf(runs, run);
  try {
    await tidy(context, later);
  } finally {
    await context.pipeline.close();
    context.release();
  }
}

/**
 * Tries once more what an ended run could not put back. What succeeds becomes a note that says so,
 * what fails keeps its warning with the newest reason.
 * `ownOnly`: later runs worked on the same testbed, so that only what this run made goes, and no VM is moved.
 */
async function tidy(context: RunContext, ownOnly: boolean): Promise<void> {
  const { run, deps, limits } = context;
  const open = new Map(leftBehind(run.overview()).map((finding) => [finding.id, finding]));
  const within = (work: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> =>
    withDeadline(deps.clock, limits.restoreMs, (deadline) =>
      work(AbortSignal.any([deadline, context.detached])),
    );
  const settle = ({ id, text }: RunFinding, now = 'It was put right later.'): void => {
    run.finding({ id, severity: 'info', text: `${text} ${now}` });
  };
  const acts = open.get('acts.restore');
  if (acts !== undefined && (await within((signal) => restoreActs(context, signal, 1))))
    settle(acts);
  const drs = open.get('drs.restore');
  if (drs !== undefined && (await within((signal) => restoreDrs(context, signal, 1)))) settle(drs);
  const vms = open.get('infra.restore');
  if (
    vms !== undefined &&
    (await within((signal) => restoreInfrastructure(context, signal, ownOnly)))
  )
    settle(
      vms,
      ownOnly
        ? 'What the run made is gone now; other VMs stay where they are, because later runs used this testbed.'
        : undefined,
    );
  const data = [...open.keys()].filter((id) => id.startsWith(undone));
  if (data.length > 0) {
    const left = await undoLoads(context, ({ entityId }) => data.includes(`${undone}${entityId}`));
    for (const id of data)
      if (!left.includes(id.slice(undone.length))) settle(open.get(id)!, 'It was removed later.');
  }
  for (const [id, finding] of open) {
    if (!id.startsWith(owed)) continue;
    const clientId = id.slice(owed.length);
    const left = await readOwed(context, clientId, context.detached);
    if (left !== null) continue;
    settle(finding, 'It was read and stored later.');
    await sweepClients(context, (one) => one === clientId);
  }
  const clients = [...open.keys()]
    .filter((id) => id.startsWith(sweep))
    .map((id) => id.slice(sweep.length));
  if (clients.length === 0) return;
  const failed = await sweepClients(context, (id) => clients.includes(id));
  for (const id of clients) if (!failed.includes(id)) settle(open.get(`${sweep}${id}`)!);
}

/** True where output of a run stays on its clients until it is read. */
export const owesOutput = (overview: RunOverview): boolean =>
  leftBehind(overview).some(({ id }) => id.startsWith(owed));

/** Output that stays on clients because the disk is full is read as soon as there is space. */
export async function readLater(runs: RunsInHand, id: string): Promise<void> {
  const { deps, db, closing, unstored } = runs;
  while (!closing.signal.aborted) {
    await pause(deps.clock, storeAgainMs, closing.signal);
    if (closing.signal.aborted || db.room.isLow() || unstored.has(id)) continue;
    try {
      if (!owesOutput(await tidyRun(runs, id))) return;
    } catch (error) {
      deps.log.warn('Output that stays on clients could not be read', {
        run: id,
        error: toAppError(error).message,
      });
      // Removed, or put back by somebody meanwhile: there is nothing more to read.
      if (!db.runs.find(id) || !owesOutput(recordOf(runs, id).overview)) return;
    }
  }
}
