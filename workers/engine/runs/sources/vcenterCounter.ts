import type { SeriesDef } from '../../../../src/core/metric/metric.ts';
import type { SeriesBasis } from './types.ts';

/** 20 s is the period of vCenter's real-time samples, whatever interval it is asked at. */
export const counterMs = 20_000;

/** How a series of vCenter names where it is from; '' = the run has no inventory. */
export const vcenterOf = ({ inventory, connections }: SeriesBasis): string => {
  if (!inventory) return '';
  const { vcenterId } = inventory;
  return `vCenter ${connections.find((one) => one.id === vcenterId)?.name ?? vcenterId}`;
};

/** What all series of vCenter's counters say of themselves. */
export const counterFacts = (
  of: SeriesBasis,
): Pick<SeriesDef, 'periodMs' | 'lagMs' | 'source'> => ({
  periodMs: counterMs,
  lagMs: counterMs,
  source: vcenterOf(of),
});
