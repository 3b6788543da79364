import type { Profile, ProfileWorkload } from '../profile/profile.ts';
import type { Limit, LimitKind } from './types.ts';

/** The one place that knows of both bounds. */
const kinds: readonly LimitKind[] = ['max', 'min'];

/** Id of a workload's entity in series and statuses. */
export function workloadEntityId(tile: number, workloadId: string): string {
  return `t${tile}.${workloadId}`;
}

/**
 * Every limit of one workload of one tile, in the profile's order; one whose figure is not set
 * gives none.
 */
export function limitsOfWorkload(workload: ProfileWorkload, tile: number): Limit[] {
  return workload.qos.flatMap(
    ({ metric, unit, source, over = 'period', operation, measure, ...bounds }) =>
      kinds.flatMap((kind): Limit[] => {
        const limit = bounds[kind];
        if (limit === undefined) return [];
        return [
          {
            tile,
            workloadId: workload.id,
            name: workload.name,
            entityId: workloadEntityId(tile, workload.id),
            rateUnit: workload.unit,
            metric,
            unit,
            kind,
            limit,
            source,
            over,
            ...(operation === undefined ? {} : { operation }),
            ...(measure === undefined ? {} : { measure }),
          },
        ];
      }),
  );
}

/** Every limit of every tile: tile by tile, in the profile's order. */
export function limitsOf(profile: Pick<Profile, 'workloads'>, tiles: number): Limit[] {
  return Array.from({ length: tiles }, (_, tile) =>
    profile.workloads.flatMap((w) => limitsOfWorkload(w, tile)),
  ).flat();
}

/**
 * Whether the samples of one series tell of it: not where it is on a named operation or on a share
 * of failures.
 */
export const isOfOneSeries = ({
  operation,
  measure,
}: Pick<Limit, 'operation' | 'measure'>): boolean =>
  operation === undefined && measure !== 'failurePct';

/** What tells two limits of a run apart. */
export const limitKey = (
  limit: Pick<Limit, 'entityId' | 'kind' | 'operation' | 'measure'> & {
    metric: string;
    over?: Limit['over'] | undefined;
  },
): string =>
  [
    limit.entityId,
    limit.metric,
    limit.kind,
    limit.operation ?? '',
    limit.measure ?? 'value',
    limit.over ?? 'period',
  ].join('/');
