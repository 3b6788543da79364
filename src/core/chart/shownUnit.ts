import type { SeriesDef } from '../metric/metric.ts';

export interface ShownUnit {
  unit: string;
  /** Shown value = stored value × factor. */ factor: number;
  decimals: number;
}

/**
 * The unit a series is drawn in: an uplink in Gb/s, as links are named, although vCenter counts
 * KB/s; all others as stored.
 */
export const shownUnit = ({
  metric,
  entity,
  unit,
  decimals,
}: Pick<SeriesDef, 'metric' | 'entity' | 'unit' | 'decimals'>): ShownUnit =>
  entity.kind === 'uplink' && metric === 'netKbps'
    ? { unit: 'Gb/s', factor: 8e-6, decimals: 3 }
    : { unit, factor: 1, decimals };
