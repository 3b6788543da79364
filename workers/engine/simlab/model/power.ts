import type { LabHost } from '../../../../src/core/lab/lab.ts';

type PowerProfile = LabHost['power'];

/**
 * Power of a host in watts at a utilisation of 0 to 1 and a clock of 0 to 1: idle plus a dynamic
 * part that falls with the square of the clock at equal utilisation (voltage follows the clock).
 * Utilisation model: Fan, Weber and Barroso, "Power provisioning for a warehouse-sized computer"
 * (ISCA 2007).
 */
export function hostPower(power: PowerProfile, utilisation: number, clock = 1): number {
  return (
    power.idleW +
    (power.busyW - power.idleW) *
      Math.min(1, Math.max(0, utilisation)) ** power.curve *
      clock *
      clock
  );
}

/**
 * Highest clock (0.2 to 1) that keeps a host below its cap while it does `work` (share of its full
 * capacity, 0 to 1). A lower clock makes the same work longer: utilisation = work / clock.
 */
export function cappedClock(power: PowerProfile, capW: number | undefined, work: number): number {
  if (capW === undefined || capW >= hostPower(power, work)) return 1;
  let low = 0.2,
    high = 1;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (hostPower(power, work / middle, middle) > capW) high = middle;
    else low = middle;
  }
  return low;
}
