import type { IoDemand, WorkloadDemand } from '../../../../src/core/lab/lab.ts';

/** A cache that fills is stepped so often. */
const warmStepS = 300;

/**
 * Part of an I/O stream that is still asked of the disks while a cache fills: 1 − share·(1 −
 * e^(−t/τ)).
 */
export const coldShare = ({ warmUp }: Pick<IoDemand, 'warmUp'>, warmS: number): number =>
  warmUp ? 1 - warmUp.share * (1 - Math.exp(-warmS / warmUp.tauS)) : 1;

/**
 * How long the caches of a load have filled, by steps: the middle of the present one; after ten
 * time constants the last.
 */
function warmedS(demand: WorkloadDemand, seconds: number): number {
  const tauS = Math.max(0, ...demand.io.map((io) => io.warmUp?.tauS ?? 0));
  return tauS === 0 ? 0 : (Math.floor(Math.min(seconds, 10 * tauS) / warmStepS) + 0.5) * warmStepS;
}

/** Users and I/O of a load `elapsedMs` after its start: schedule steps and bursts as factors. */
export function demandAt(
  demand: WorkloadDemand,
  elapsedMs: number,
): { users: number; ioFactor: number; warmS: number } {
  const seconds = elapsedMs / 1000;
  let users = demand.users,
    ioFactor = 1;
  for (const step of demand.schedule)
    if (step.fromS <= seconds) {
      users = demand.users * step.usersFactor;
      ioFactor = step.ioFactor;
    }
  const burst = demand.burst;
  if (
    burst &&
    elapsedMs - Math.floor(elapsedMs / (burst.periodS * 1000)) * burst.periodS * 1000 <
      burst.onS * 1000
  )
    users *= burst.factor;
  return { users, ioFactor, warmS: warmedS(demand, seconds) };
}

/** Milliseconds after the start at which the demand changes next; null = never again. */
export function nextChangeMs(demand: WorkloadDemand, elapsedMs: number): number | null {
  let next: number | null = null;
  const take = (ms: number): void => {
    if (ms > elapsedMs && (next === null || ms < next)) next = ms;
  };
  for (const step of demand.schedule) take(step.fromS * 1000);
  const warm = warmedS(demand, elapsedMs / 1000);
  if (warm > 0 && warmedS(demand, warm + warmStepS) > warm) take((warm + warmStepS / 2) * 1000);
  if (demand.burst) {
    const period = demand.burst.periodS * 1000,
      start = Math.floor(elapsedMs / period) * period;
    take(start + demand.burst.onS * 1000);
    take(start + period);
  }
  return next;
}
