import type { RunOverview } from '../../../src/core/run/run.ts';
import { restoreActs } from './acts/restore.ts';
import type { RunContext } from './context.ts';
import { withDeadline } from './deadline.ts';
import { restoreDrs } from './drs/setting.ts';
import { restoreInfrastructure } from './infra/restore.ts';

/**
 * Leaves vCenter as the run found it: what acts did first, so that hosts are there, then DRS, so
 * that it decides again where it did, then clones, disks and VMs. Never on the run's own signal:
 * also after an abort everything goes back.
 */
export async function putBack(context: RunContext): Promise<void> {
  const within = (work: (signal: AbortSignal) => Promise<void>): Promise<void> =>
    withDeadline(context.deps.clock, context.limits.restoreMs, (deadline) =>
      work(AbortSignal.any([deadline, context.detached])),
    );
  await within(async (signal) => {
    await restoreActs(context, signal);
  });
  await within(async (signal) => {
    await restoreDrs(context, signal);
  });
  await within(async (signal) => {
    await restoreInfrastructure(context, signal);
  });
}

/** True where the run changed something in vCenter before its load began. */
export function hasArranged({
  drsBefore,
  placedAtMs,
  overview,
}: {
  drsBefore?: { restoredAtMs: number | null } | null | undefined;
  placedAtMs?: number | null | undefined;
  overview: Pick<RunOverview, 'acts'>;
}): boolean {
  return (
    (drsBefore != null && drsBefore.restoredAtMs === null) ||
    placedAtMs != null ||
    overview.acts?.some((act) => act.owed) === true
  );
}
