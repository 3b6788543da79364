import { type GuestJob, isPreparing } from '../../../core/roles/job.ts';

/** What is chosen for one machine; null = not chosen, which leaves it alone. */
export interface Choice {
  roleId: string | null;
  connectionId: string | null;
}

/** Steps that ended, in per cent of all. */
export function progressOf(job: GuestJob): number {
  const all = job.items.flatMap(({ steps, state }) =>
    steps.map((step) => state === 'done' || step.state === 'done' || step.state === 'already'),
  );
  return all.length === 0 || !isPreparing(job)
    ? 100
    : (100 * all.filter(Boolean).length) / all.length;
}
