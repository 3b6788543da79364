import { getDriver } from '../../workloads/index.ts';
import type { Source } from './types.ts';

/** The load itself, tile by tile. `workload.ts` starts it and reads what its driver prints. */
export const workloads: Source = {
  series: ({ units, plan, connections }) =>
    units.flatMap(({ workload, params, entityId, tile, assignment: { clientId } }) => {
      const client = connections.find((one) => one.id === clientId)?.name ?? clientId;
      return getDriver(workload.driver)
        .series(params)
        .map((series) => ({
          ...series,
          lagMs: 0,
          periodMs: plan.sampling.workloadMs,
          source: `${workload.driver} on ${client}`,
          entity: {
            kind: 'workload' as const,
            id: entityId,
            name: `Tile ${tile + 1} ${workload.name}`,
            tile,
          },
        }));
    }),
};
