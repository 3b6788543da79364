import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import { infraKey } from '../../../src/core/run/scoreTypes.ts';

const prefix = infraKey('');

/**
 * Series of an infrastructure operation (entity `infra.<operation id>`, throughput in
 * operations/h): they stand beside the tiles.
 */
export const isInfrastructure = (def: SeriesDef): boolean => def.entity.id.startsWith(prefix);

/**
 * Operations an hour by operation id, as `period.infrastructure`; nothing where no series counts
 * any.
 */
export function infrastructureOf(
  series: readonly SeriesDef[],
  meanOf: (def: SeriesDef) => number | null,
): { infrastructure?: Record<string, number> } {
  const own = series.filter((def) => isInfrastructure(def) && def.metric === 'throughput');
  if (own.length === 0) return {};
  return {
    infrastructure: Object.fromEntries(
      own.flatMap((def) => {
        const mean = meanOf(def);
        return mean === null ? [] : [[def.entity.id.slice(prefix.length), mean]];
      }),
    ),
  };
}
