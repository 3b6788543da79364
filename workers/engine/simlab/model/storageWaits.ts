import type { Flow } from './storageFlows.ts';

/**
 * Waits that hold a population back until something has room: command slots, or the cache's destaging.
 * Each is the smallest wait w ≥ 0 at which Σ weight·rate(w) ≤ room, with rate(w) = min(limit, n ÷ (cycle + share·w)).
 * The sum falls with w and is convex, so Newton's steps from the left end at the root without passing it.
 */

/** One step towards that wait from `wait`; repeated by the fixed point around it. */
export function stepWait(flows: readonly Flow[], wait: number, room: number, weight: (flow: Flow) => number, share: (flow: Flow) => number, cycle: (flow: Flow) => number, population: (flow: Flow) => number): number {
  let used = 0;
  let slope = 0;
  for (const flow of flows) {
    const part = share(flow);
    const time = cycle(flow) + part * wait;
    const free = population(flow) / Math.max(time, 1e-9);
    const rate = Math.min(flow.limit, free);
    const load = weight(flow) * rate;
    used += load;
    // At its limit a flow does not answer to the wait yet; the slope is what it would answer, so that the step is not too long.
    slope -= load * part / Math.max(time, 1e-9);
  }
  if (wait === 0 && used <= room) return 0;
  if (slope >= 0) return wait;
  const next = wait - (used - room) / slope;
  return next > 0 ? next : used <= room ? wait / 4 < 1e-9 ? 0 : wait / 4 : 0;
}
