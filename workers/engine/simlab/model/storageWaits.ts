import type { Flow } from './storageFlows.ts';

/**
 * Waits that hold a population back until something has room: command slots, or the cache's
 * destaging. Each is the smallest wait w ≥ 0 at which Σ weight·rate(w) ≤ room, with rate(w) =
 * min(limit, inside ÷ (insideMs + share·w)).
 */

/** Newton's steps a round of the fixed point around it. */
const steps = 3;

/** Steps towards that wait from `wait`: it answers at once while there is room. */
export function stepWait(flows: readonly Flow[], wait: number, room: number): number {
  let next = wait;
  for (let step = 0; step < steps; step += 1) {
    const last = next;
    next = newton(flows, last, room);
    if (Math.abs(next - last) <= 1e-9 * last) break;
  }
  return next;
}

function newton(flows: readonly Flow[], wait: number, room: number): number {
  let used = 0;
  let slope = 0;
  for (const flow of flows) {
    const part = flow.share;
    const time = Math.max(flow.insideMs + part * wait, 1e-9);
    // At its limit a flow does not answer to the wait yet; the slope is what it would answer, so
    // that the step is not too long.
    const load = flow.weight * Math.min(flow.limit, flow.inside / time);
    used += load;
    slope -= (load * part) / time;
  }
  if (wait === 0 && used <= room) return 0;
  if (slope >= 0) return wait;
  // Newton's step of the reciprocal: one flow alone is a straight line there, and is met at once
  // from either side.
  return Math.max(0, wait + ((1 / room - 1 / used) * used * used) / -slope);
}
