import { type EsxtopColumn, esxtopCounter } from '../esxtop/counters.ts';
import type { ImportedSeries } from './types.ts';

/** Kind of thing in a run that each part of esxtop is; what else it counts is of the host's inside. */
const kinds = { host: 'host', power: 'power', device: 'datastore' } as const;

/**
 * The series a column becomes; null = a counter that no chart of an import shows, or a device that
 * the filter leaves out.
 */
export function seriesOfColumn(
  column: EsxtopColumn,
  filter: readonly string[],
  periodMs: number,
): ImportedSeries | null {
  const { host, instance } = column;
  const counter = esxtopCounter(column);
  if (counter === null || counter.of === 'group' || counter.of === 'port') return null;
  const isDevice = counter.of === 'device';
  if (
    isDevice &&
    (instance === null ||
      (filter.length > 0 &&
        !filter.some((text) => instance.toLowerCase().includes(text.toLowerCase()))))
  )
    return null;
  const { metric, unit, decimals } = counter;
  return {
    metric,
    unit,
    decimals,
    periodMs,
    source: `esxtop on ${host}`,
    entity: {
      kind: kinds[counter.of],
      id: isDevice ? `${host}/${instance}` : host,
      name: isDevice ? `${instance} (${host})` : host,
    },
  };
}
