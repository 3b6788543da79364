import type { RunRecord } from './run.ts';

/** A workload in words, `Tile 2 Database`; positions count from 0, words from 1. */
export const workloadLabel = (tile: number, name: string): string => `Tile ${tile + 1} ${name}`;

/** Names of what a run speaks of, for people: no id of ours stands in a sentence. */
export interface EntityNames {
  /** Of a workload, or of anything a series is about; an unknown id stays as it is. */
  entity(id: string): string;
  client(id: string): string;
}

/** Names from a run's own record: they are what they were when it ran. */
export function entityNames({
  overview,
  profile,
  clients,
}: Pick<RunRecord, 'overview' | 'profile' | 'clients'>): EntityNames {
  const workloads = new Map(profile.workloads.map((w) => [w.id, w.name]));
  const names = new Map([
    ...overview.series.map(({ entity }) => [entity.id, entity.name] as const),
    ...clients.map(({ id, name }) => [id, name] as const),
    ...overview.workloads.map(
      (w) =>
        [
          w.entityId,
          workloadLabel(w.tile, workloads.get(w.workloadId) ?? 'workload of another profile'),
        ] as const,
    ),
  ]);
  return {
    entity: (id) => names.get(id) ?? id,
    client: (id) => names.get(id) ?? 'unnamed client',
  };
}
