import type { Testbed } from '../testbed/testbed.ts';

export type ClientPolicy = 'roundRobin' | 'onePerTile' | 'asIs';

/** Gives every workload a client: one by one in turn, or one machine a tile. */
export function assignClients(
  testbed: Testbed,
  policy: ClientPolicy,
  clientIds: readonly string[],
  notes: string[],
): Testbed {
  if (policy === 'asIs') return testbed;
  const tiles = testbed.tiles.length;
  if (policy === 'onePerTile' && clientIds.length < tiles)
    notes.push(
      `${tiles} tiles and ${clientIds.length} clients: ${tiles - clientIds.length} tiles share one.`,
    );
  let next = 0;
  return {
    ...testbed,
    tiles: testbed.tiles.map((tile, position) => {
      const workloads = tile.workloads.map((one) => {
        const clientId =
          clientIds[(policy === 'onePerTile' ? position : next++) % clientIds.length]!;
        return one.clientId === clientId ? one : { ...one, clientId };
      });
      return workloads.every((one, i) => one === tile.workloads[i]) ? tile : { ...tile, workloads };
    }),
  };
}
