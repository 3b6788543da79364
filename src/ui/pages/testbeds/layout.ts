import type { DriverParams, Profile } from '../../../core/profile/profile.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Inventory, VmInfo } from '../../../core/testbed/inventory.ts';
import type { Assignment, Testbed, Tile } from '../../../core/testbed/testbed.ts';

/** `tile{tile}-{workload}` for tile 2's `java`: `tile2-java`. `{tile0}` counts from 0. */
export function expandPattern(pattern: string, tileIndex: number, workloadId: string): string {
  return pattern
    .replaceAll('{tile}', String(tileIndex + 1))
    .replaceAll('{tile0}', String(tileIndex))
    .replaceAll('{workload}', workloadId);
}

/** The tile with an assignment for each workload of the profile; what is there already stays. */
function completeTile(
  tile: Tile | undefined,
  index: number,
  profile: Profile,
  clientIds: readonly string[],
): Tile {
  const client = clientIds.length > 0 ? clientIds[index % clientIds.length]! : '';
  return {
    index,
    workloads: profile.workloads.map(
      (w): Assignment =>
        tile?.workloads.find((a) => a.workloadId === w.id) ?? {
          workloadId: w.id,
          vm: null,
          clientId: client,
          params: {},
        },
    ),
  };
}

/** The testbed with `count` tiles, new ones with clients round-robin. */
export function withTiles(
  testbed: Testbed,
  profile: Profile,
  count: number,
  clientIds: readonly string[],
): Testbed {
  return {
    ...testbed,
    tiles: Array.from({ length: count }, (_, index) =>
      completeTile(testbed.tiles[index], index, profile, clientIds),
    ),
  };
}

export function withAssignment(
  testbed: Testbed,
  tileIndex: number,
  workloadId: string,
  patch: Partial<Assignment>,
): Testbed {
  return {
    ...testbed,
    tiles: testbed.tiles.map((tile) =>
      tile.index !== tileIndex
        ? tile
        : {
            ...tile,
            workloads: tile.workloads.map((w) =>
              w.workloadId === workloadId ? { ...w, ...patch } : w,
            ),
          },
    ),
  };
}

/** What a text says for one tile: `db{tile}` is `db2` for the second. Other values stay. */
const forTile = (
  value: DriverParams[string],
  tileIndex: number,
  workloadId: string,
): DriverParams[string] =>
  typeof value === 'string' ? expandPattern(value, tileIndex, workloadId) : value;

/**
 * The testbed with what differs between two sets of parameters carried over to a workload of these
 * tiles, patterns written out for each; what else stands there stays.
 */
export function withParams(
  testbed: Testbed,
  workloadId: string,
  tileIndexes: readonly number[],
  { before, after }: { before: DriverParams; after: DriverParams },
): Testbed {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before[name] !== after[name]);
  return tileIndexes.reduce((bed, tileIndex) => {
    const own = bed.tiles
      .find(({ index }) => index === tileIndex)
      ?.workloads.find((one) => one.workloadId === workloadId);
    if (own === undefined) return bed;
    const kept = Object.entries(own.params).filter(([name]) => !changed.includes(name));
    const set = changed.flatMap((name) => {
      const value = after[name];
      return value === undefined ? [] : [[name, forTile(value, tileIndex, workloadId)] as const];
    });
    return withAssignment(bed, tileIndex, workloadId, {
      params: Object.fromEntries([...kept, ...set]),
    });
  }, testbed);
}

/**
 * Assigns VMs by name; says how many matched. A name without a VM leaves its workload as it was.
 */
export function fillByPattern(
  testbed: Testbed,
  vms: readonly VmInfo[],
  pattern: string,
): { testbed: Testbed; matched: number; missing: string[] } {
  const byName = new Map(vms.map((vm) => [vm.name.toLowerCase(), vm]));
  const missing: string[] = [];
  let matched = 0;
  const tiles = testbed.tiles.map((tile) => ({
    ...tile,
    workloads: tile.workloads.map((w) => {
      const name = expandPattern(pattern, tile.index, w.workloadId);
      const vm = byName.get(name.toLowerCase());
      if (!vm) {
        missing.push(name);
        return w;
      }
      matched += 1;
      return { ...w, vm: { ref: vm.ref, name: vm.name } };
    }),
  }));
  return { testbed: { ...testbed, tiles }, matched, missing };
}

export function fillClients(
  testbed: Testbed,
  clientIds: readonly string[],
  by: 'tile' | 'workload',
): Testbed {
  if (clientIds.length === 0) return testbed;
  let next = 0;
  return {
    ...testbed,
    tiles: testbed.tiles.map((tile) => ({
      ...tile,
      workloads: tile.workloads.map((w) => ({
        ...w,
        clientId: clientIds[(by === 'tile' ? tile.index : next++) % clientIds.length]!,
      })),
    })),
  };
}

/** What is still missing before the testbed can run, in words. */
export function problems(
  testbed: Testbed,
  profile: Profile | undefined,
  connections: readonly Connection[],
): string[] {
  const clients = new Set(connections.filter((c) => c.kind === 'client').map((c) => c.id));
  return [
    ...(testbed.name.trim() === '' ? ['The testbed has no name.'] : []),
    ...(profile ? [] : ['No benchmark profile is chosen.']),
    ...(testbed.tiles.length === 0 ? ['There is no tile.'] : []),
    ...testbed.tiles.flatMap((tile) =>
      tile.workloads
        .filter((w) => !clients.has(w.clientId))
        .map((w) => `Tile ${tile.index + 1} ${w.workloadId} has no client machine.`),
    ),
  ];
}

/** Where a VM is now: host and datastores by name, from the last inventory. */
export function placeOf(
  inventory: Inventory | null | undefined,
  vmRef: string | undefined,
): { host: string; datastore: string; power: string } | null {
  const vm = inventory?.vms.find((one) => one.ref === vmRef);
  if (!vm || !inventory) return null;
  return {
    host: inventory.hosts.find((h) => h.ref === vm.hostRef)?.name ?? '–',
    datastore:
      vm.datastoreRefs
        .map((ref) => inventory.datastores.find((d) => d.ref === ref)?.name ?? ref)
        .join(', ') || '–',
    power: vm.powerState,
  };
}
