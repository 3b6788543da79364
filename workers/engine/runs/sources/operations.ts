import { infraKey } from '../../../../src/core/run/scoreTypes.ts';
import type { SeriesDraft, Source } from './types.ts';
import { vcenterOf } from './vcenterCounter.ts';

/** Infrastructure operations of the run. `infra/loops.ts` starts and counts them. */
export const operations: Source = {
  series: (of) =>
    (of.operations ?? []).flatMap(({ operation }) => operationSeries(operation, vcenterOf(of))),
};

function operationSeries(
  { id, name }: { id: string; name: string },
  vcenter: string,
): SeriesDraft[] {
  const own = {
    source: `vCenter operations of this run`,
    periodMs: 60_000,
    entity: { kind: 'operation' as const, id: infraKey(id), name },
  };
  // A rate is known when the last operation that began in its interval has ended.
  return [
    { metric: 'throughput', unit: 'operations/h', decimals: 3, lagMs: 600_000, ...own },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 0, ...own, lagMs: 0 },
    { metric: 'taskQueueMs', unit: 'ms', decimals: 0, ...own, source: vcenter, lagMs: 0 },
    { metric: 'taskRunMs', unit: 'ms', decimals: 0, ...own, source: vcenter, lagMs: 0 },
  ];
}
