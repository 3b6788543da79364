import { leftBehind, owed } from '../../../src/core/run/leftBehind.ts';
import type { RunFinding } from '../../../src/core/run/run.ts';
import type { RunContext } from './context.ts';
import { withDeadline } from './deadline.ts';
import { restoreDrs } from './drs/setting.ts';
import { restoreInfrastructure } from './infra/restore.ts';
import { readOwed } from './owedOutput.ts';
import { sweepClients } from './windDown.ts';

const sweep = 'sweep.';

/**
 * Tries once more what an ended run could not put back. What succeeds becomes a note that says so,
 * what fails keeps its warning with the newest reason.
 * `ownOnly`: later runs worked on the same testbed, so that only what this run made goes, and no VM is moved.
 */
export async function tidy(context: RunContext, ownOnly: boolean): Promise<void> {
  const { run, deps, limits } = context;
  const open = new Map(leftBehind(run.overview()).map((finding) => [finding.id, finding]));
  const within = (work: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> =>
    withDeadline(deps.clock, limits.restoreMs, (deadline) =>
      work(AbortSignal.any([deadline, context.detached])),
    );
  const settle = ({ id, text }: RunFinding, now = 'It was put right later.'): void => {
    run.finding({ id, severity: 'info', text: `${text} ${now}` });
  };
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
