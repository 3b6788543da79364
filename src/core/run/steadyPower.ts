import * as z from 'zod';

import { field } from '../base/field.ts';
import { formatExact } from '../base/format.ts';

/** Watts of the testbed without load, and over how long they were seen. */
const idleBaseline = z.object({
  watts: field.figure().positive(),
  windowS: field.figure().positive(),
  by: z.enum(['given', 'measured']),
});
export type IdleBaseline = z.infer<typeof idleBaseline>;

/** What a run used in its steady state, by the power source that speaks for it. */
export const steadyPowerSchema = z.object({
  measuredBy: field.freeText(),
  meanW: field.figure().positive(),
  energyWh: field.figure().positive(),
  /** `counter`: between the steps of energy counters; `mean`: mean of the samples × time. */
  method: z.enum(['counter', 'mean']),
  windowS: field.figure().positive(),
  /** Of the mean, in W; null = a source does not state its uncertainty. */
  uncertaintyW: field.figure().nonnegative().nullable(),
  /** null = neither given nor measured. */
  idle: idleBaseline.nullable(),
  tiles: field.count().positive(),
  /** VMs under load; 0 = the loads have none. */
  vms: field.count(),
});
export type SteadyPower = z.infer<typeof steadyPowerSchema>;

/** Watts with their uncertainty in W; null = not stated. */
export interface UncertainW {
  watts: number;
  uncertaintyW: number | null;
}

/**
 * One share of a power that is parted equally among `count`, idle baseline included: P / n, and its
 * uncertainty u / n, as a known divisor adds none (JCGM 100:2008, 5.1.2).
 */
export const shareOf = ({ watts, uncertaintyW }: UncertainW, count: number): UncertainW => ({
  watts: watts / count,
  uncertaintyW: uncertaintyW === null ? null : uncertaintyW / count,
});

/**
 * What load adds to idle: P − P₀. Of a baseline that the same sources measured the relative
 * uncertainty is theirs, and u² = u(P)² + u(P₀)² (JCGM 100:2008, 5.1.2, taken as independent: of
 * one meter's own bias it is rather too large). A baseline given by hand has none that is stated.
 */
export function aboveIdle({ meanW, uncertaintyW, idle }: SteadyPower): UncertainW | null {
  if (idle === null) return null;
  return {
    watts: meanW - idle.watts,
    uncertaintyW:
      uncertaintyW === null || idle.by === 'given'
        ? null
        : Math.hypot(uncertaintyW, (uncertaintyW / meanW) * idle.watts),
  };
}

/** `103.1 W ± 1.0 W`, or that nothing is stated. */
export const uncertainText = ({ watts, uncertaintyW }: UncertainW): string =>
  uncertaintyW === null
    ? `${formatExact(watts, 1)} W (uncertainty not stated)`
    : `${formatExact(watts, 1)} W ± ${formatExact(uncertaintyW, 1)} W`;

export const methodWords: Readonly<Record<SteadyPower['method'], string>> = {
  counter: 'difference of the energy counter between the edges of the steady state',
  mean: 'mean of the samples × time, as no energy counter tells it whole',
};
export const sharedWords = 'parted equally, idle baseline included: a choice of this app';
export const idleWords = ({ watts, windowS, by }: IdleBaseline): string =>
  `${formatExact(watts, 1)} W idle over ${formatExact(windowS, 0)} s, ` +
  (by === 'given' ? 'given by hand' : 'measured before the load');

/** What is known of the power of a run, in sentences for a report. */
export function powerSentences(power: SteadyPower): string[] {
  const { meanW, uncertaintyW, tiles, vms, idle } = power;
  const mean = { watts: meanW, uncertaintyW };
  const above = aboveIdle(power);
  return [
    `${uncertainText(mean)} in the steady state, measured by ${power.measuredBy}; ` +
      `${formatExact(power.energyWh, 2)} Wh in ${formatExact(power.windowS, 0)} s, by the ` +
      `${methodWords[power.method]}.`,
    `Per tile ${uncertainText(shareOf(mean, tiles))}` +
      (vms > 0 ? `, per VM ${uncertainText(shareOf(mean, vms))}` : '') +
      `, ${sharedWords}.`,
    idle === null || above === null
      ? 'No idle baseline: what the machines use without load is in these figures.'
      : `Above idle ${uncertainText(above)}, per tile ${uncertainText(shareOf(above, tiles))} ` +
        `(${idleWords(idle)}).`,
  ];
}
