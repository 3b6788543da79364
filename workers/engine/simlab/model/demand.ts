import type { WorkloadDemand } from '../../../../src/shared/lab.ts';

/** Users and I/O of a load `elapsedMs` after its start: schedule steps and bursts as factors. */
export function demandAt(demand: WorkloadDemand, elapsedMs: number): { users: number; ioFactor: number } {
  const seconds = elapsedMs / 1000;
  let users = demand.users, ioFactor = 1;
  for (const step of demand.schedule) if (step.fromS <= seconds) { users = demand.users * step.usersFactor; ioFactor = step.ioFactor; }
  const burst = demand.burst;
  if (burst && elapsedMs - Math.floor(elapsedMs / (burst.periodS * 1000)) * burst.periodS * 1000 < burst.onS * 1000) users *= burst.factor;
  return { users, ioFactor };
}

/** Milliseconds after the start at which the demand changes next; null = never again. */
export function nextChangeMs(demand: WorkloadDemand, elapsedMs: number): number | null {
  let next: number | null = null;
  const take = (ms: number): void => { if (ms > elapsedMs && (next === null || ms < next)) next = ms; };
  for (const step of demand.schedule) take(step.fromS * 1000);
  if (demand.burst) {
    const period = demand.burst.periodS * 1000, start = Math.floor(elapsedMs / period) * period;
    take(start + demand.burst.onS * 1000);
    take(start + period);
  }
  return next;
}
