import { counted } from '../base/counted.ts';
import type { Profile } from '../profile/profile.ts';
import { type SlotKey, slotKey } from '../testbed/layoutModel.ts';
import {
  type Assignment,
  type Layout,
  layoutSchema,
  type NamedRef,
  type Testbed,
  type Tile,
} from '../testbed/testbed.ts';
import type { LayoutChange } from './layoutHistory.ts';

/**
 * Every edit gives the testbed after it and what it did in words; the testbed itself where nothing
 * changed. Tiles that an edit leaves alone stay the same objects.
 */

export const layoutOf = (testbed: Testbed): Layout => testbed.layout ?? layoutSchema.parse({});

/**
 * Changes the assignments whose key is among `keys`; `change` gives the same object back to leave
 * one alone.
 */
export function mapSlots(
  testbed: Testbed,
  keys: Iterable<SlotKey>,
  change: (assignment: Assignment, tile: number) => Assignment,
): Testbed {
  const wanted = new Set(keys);
  const touched = new Set([...wanted].map((key) => Number(key.slice(0, key.indexOf('/')))));
  let changed = false;
  const tiles = testbed.tiles.map((tile, position) => {
    if (!touched.has(position)) return tile;
    const workloads = tile.workloads.map((one) =>
      wanted.has(slotKey(position, one.workloadId)) ? change(one, position) : one,
    );
    if (workloads.every((one, i) => one === tile.workloads[i])) return tile;
    changed = true;
    return { ...tile, workloads };
  });
  return changed ? { ...testbed, tiles } : testbed;
}

/** Keys of all slots of these tiles, counted from 0. */
export const keysOfTiles = (testbed: Testbed, tiles: readonly number[]): SlotKey[] =>
  tiles.flatMap(
    (tile) =>
      testbed.tiles[tile]?.workloads.map(({ workloadId }) => slotKey(tile, workloadId)) ?? [],
  );

const sameRef = (a: NamedRef | null | undefined, b: NamedRef | null | undefined): boolean =>
  (a?.ref ?? null) === (b?.ref ?? null) && (a?.name ?? null) === (b?.name ?? null);

/** Plans a place; both null = wherever it is. */
export function withPlace(
  assignment: Assignment,
  place: { host?: NamedRef | null; datastore?: NamedRef | null },
): Assignment {
  const { planned, ...rest } = assignment;
  const host = place.host === undefined ? (planned?.host ?? null) : place.host,
    datastore = place.datastore === undefined ? (planned?.datastore ?? null) : place.datastore;
  if (sameRef(host, planned?.host) && sameRef(datastore, planned?.datastore)) return assignment;
  return host === null && datastore === null ? rest : { ...rest, planned: { host, datastore } };
}

/** Plans VMs on a host and/or a datastore; null takes the plan back, a member left out stays. */
export function placeSlots(
  testbed: Testbed,
  keys: readonly SlotKey[],
  place: { host?: NamedRef | null; datastore?: NamedRef | null },
): LayoutChange {
  const words = [place.host, place.datastore].flatMap((one) => (one ? [one.name] : []));
  const cleared = [
    place.host === null ? 'host' : null,
    place.datastore === null ? 'datastore' : null,
  ].filter((one) => one !== null);
  const what = whatOf(testbed, keys);
  return {
    label:
      words.length > 0
        ? `Move ${what} to ${words.join(' on ')}`
        : `Leave ${what} on the ${cleared.join(' and ')} they have`,
    testbed: mapSlots(testbed, keys, (one) => withPlace(one, place)),
  };
}
export const moveToHost = (
  testbed: Testbed,
  keys: readonly SlotKey[],
  host: NamedRef | null,
): LayoutChange => placeSlots(testbed, keys, { host });
export const moveToDatastore = (
  testbed: Testbed,
  keys: readonly SlotKey[],
  datastore: NamedRef | null,
): LayoutChange => placeSlots(testbed, keys, { datastore });
export const moveTilesToHost = (
  testbed: Testbed,
  tiles: readonly number[],
  host: NamedRef | null,
): LayoutChange => moveToHost(testbed, keysOfTiles(testbed, tiles), host);
export const moveTilesToDatastore = (
  testbed: Testbed,
  tiles: readonly number[],
  datastore: NamedRef | null,
): LayoutChange => moveToDatastore(testbed, keysOfTiles(testbed, tiles), datastore);

/** `tile 3`, `3 tiles` where the keys are whole tiles, else `3 VMs`. */
function whatOf(testbed: Testbed, keys: readonly SlotKey[]): string {
  const counts = new Map<number, number>();
  for (const key of new Set(keys)) {
    const tile = Number(key.slice(0, key.indexOf('/')));
    counts.set(tile, (counts.get(tile) ?? 0) + 1);
  }
  const whole = [...counts].every(
    ([tile, count]) => testbed.tiles[tile]?.workloads.length === count,
  );
  if (counts.size > 0 && whole)
    return counts.size === 1 ? `tile ${[...counts.keys()][0]! + 1}` : counted(counts.size, 'tile');
  const [only] = keys;
  return keys.length === 1 && only !== undefined
    ? `${only.slice(only.indexOf('/') + 1)} of tile ${Number(only.slice(0, only.indexOf('/'))) + 1}`
    : counted(new Set(keys).size, 'VM');
}

/** Assigns a VM to a slot, or takes it away with null. */
export function assignVm(testbed: Testbed, key: SlotKey, vm: NamedRef | null): LayoutChange {
  return {
    label: vm
      ? `Assign ${vm.name} to ${whatOf(testbed, [key])}`
      : `Take the VM from ${whatOf(testbed, [key])}`,
    testbed: mapSlots(testbed, [key], (one) => (sameRef(one.vm, vm) ? one : { ...one, vm })),
  };
}

/** Assigns many VMs at once, e.g. the matches of a name pattern. */
export function assignVms(
  testbed: Testbed,
  vms: ReadonlyMap<SlotKey, NamedRef>,
  label = `Assign ${counted(vms.size, 'VM')} by name`,
): LayoutChange {
  return {
    label,
    testbed: mapSlots(testbed, vms.keys(), (one, tile) => {
      const vm = vms.get(slotKey(tile, one.workloadId))!;
      return sameRef(one.vm, vm) ? one : { ...one, vm };
    }),
  };
}

/** Sets the client machine that loads these VMs. */
export function setClient(
  testbed: Testbed,
  keys: readonly SlotKey[],
  client: { id: string; name: string },
): LayoutChange {
  return {
    label: `Load ${whatOf(testbed, keys)} from ${client.name}`,
    testbed: mapSlots(testbed, keys, (one) =>
      one.clientId === client.id ? one : { ...one, clientId: client.id },
    ),
  };
}

/** Tiles in this order, numbered from 0; one whose number stays is the same object. */
export const numbered = (tiles: readonly Tile[]): Tile[] =>
  tiles.map((tile, index) => (tile.index === index ? tile : { ...tile, index }));

/** A tile of the profile with no VM and this client. */
export const emptyTile = (profile: Profile, index: number, clientId: string): Tile => ({
  index,
  workloads: profile.workloads.map((w): Assignment => ({
    workloadId: w.id,
    vm: null,
    clientId,
    params: {},
  })),
});

/** Adds empty tiles at the end, with clients round-robin. */
export function addTiles(
  testbed: Testbed,
  profile: Profile,
  count: number,
  clientIds: readonly string[],
): LayoutChange {
  if (count <= 0) return { label: 'Add no tile', testbed };
  const from = testbed.tiles.length;
  const added = Array.from({ length: count }, (_, i) =>
    emptyTile(
      profile,
      from + i,
      clientIds.length > 0 ? clientIds[(from + i) % clientIds.length]! : '',
    ),
  );
  return {
    label: `Add ${counted(count, 'tile')}`,
    testbed: { ...testbed, tiles: [...testbed.tiles, ...added] },
  };
}

/** Removes tiles; those after them move up. The VMs themselves stay where they are in vCenter. */
export function removeTiles(testbed: Testbed, tiles: readonly number[]): LayoutChange {
  const gone = new Set(tiles.filter((tile) => testbed.tiles[tile] !== undefined));
  const label =
    gone.size === 1 ? `Remove tile ${[...gone][0]! + 1}` : `Remove ${counted(gone.size, 'tile')}`;
  return {
    label,
    testbed:
      gone.size === 0
        ? testbed
        : {
            ...testbed,
            tiles: numbered(testbed.tiles.filter((_, position) => !gone.has(position))),
          },
  };
}

/**
 * Copies tiles to the end: same clients, parameters and places, no VMs, for a VM serves one tile.
 */
export function duplicateTiles(testbed: Testbed, tiles: readonly number[]): LayoutChange {
  const copies = tiles
    .flatMap((tile) => testbed.tiles[tile] ?? [])
    .map((tile): Tile => ({
      ...tile,
      workloads: tile.workloads.map((one) => ({ ...one, vm: null })),
    }));
  return {
    label:
      copies.length === 1
        ? `Duplicate tile ${tiles[0]! + 1}`
        : `Duplicate ${counted(copies.length, 'tile')}`,
    testbed:
      copies.length === 0
        ? testbed
        : { ...testbed, tiles: numbered([...testbed.tiles, ...copies]) },
  };
}

/**
 * Moves tiles so that the first of them stands before tile `before`. Order matters: a plan of N
 * tiles runs the first N.
 */
export function reorderTiles(
  testbed: Testbed,
  tiles: readonly number[],
  before: number,
): LayoutChange {
  const moving = new Set(tiles);
  const head = testbed.tiles.filter((_, i) => i < before && !moving.has(i)),
    tail = testbed.tiles.filter((_, i) => i >= before && !moving.has(i));
  const order = numbered([...head, ...testbed.tiles.filter((_, i) => moving.has(i)), ...tail]);
  const label =
    `Move ${tiles.length === 1 ? `tile ${tiles[0]! + 1}` : counted(tiles.length, 'tile')} to ` +
    `position ${head.length + 1}`;
  return {
    label,
    testbed: order.every((tile, i) => tile === testbed.tiles[i])
      ? testbed
      : { ...testbed, tiles: order },
  };
}
