import { fail } from '../base/errors.ts';
import { maximumTiles, type Profile } from '../profile/profile.ts';
import type { Inventory } from '../testbed/inventory.ts';
import {
  type ClientFacts,
  type LayoutView,
  type LayoutVm,
  slotKey,
} from '../testbed/layoutModel.ts';
import { layoutView } from '../testbed/layoutView.ts';
import { matchNames, type NamingPreview, parsePattern, slotsOf } from '../testbed/naming.ts';
import type { NamedRef, Testbed, Tile } from '../testbed/testbed.ts';
import { assignClients, type ClientPolicy } from './layoutClients.ts';
import { emptyTile, mapSlots, withPlace } from './layoutEdit.ts';
import type { LayoutChange } from './layoutHistory.ts';
import {
  type AbleHosts,
  dealHosts,
  packHosts,
  type Placement,
  placeTiles,
  spreadHosts,
} from './layoutPlacement.ts';

export type DatastorePolicy = 'each' | 'one' | 'roundRobin' | 'asIs';
export type HostPolicy = 'roundRobin' | 'pack' | 'spread' | 'allOnOne' | 'asIs';
export interface GenerateOptions {
  /** Tiles that the testbed has afterwards. */
  tiles: number;
  datastore: DatastorePolicy;
  host: HostPolicy;
  client: ClientPolicy;
  /** What host policies place as one: whole tiles, or every VM by itself. */
  unit: 'tile' | 'vm';
  /** Pools, in the order they are used. The maintenance datastore is left out of the datastores. */
  hosts: readonly NamedRef[];
  datastores: readonly NamedRef[];
  clientIds: readonly string[];
  /**
   * Pack: vCPUs for each core, and share of memory, up to which a host is filled; 1 = never more
   * than there is.
   */
  vcpusPerCore: number;
  memoryShare: number;
  /** Match VMs by the testbed's name pattern; null = leave the VMs as they are. */
  pattern: string | null;
  ignoreCase: boolean;
}
export interface Generated {
  change: LayoutChange;
  /**
   * What could not be held, in words: two tiles on one LUN, a host fuller than asked. Empty =
   * everything was held.
   */
  notes: string[];
  /** What the name pattern found; null = none was asked for. */
  naming: NamingPreview | null;
}

/** Beginning values: a LUN each, whole tiles spread over the hosts. */
export const generateDefaults: Omit<GenerateOptions, 'hosts' | 'datastores' | 'clientIds'> = {
  tiles: 1,
  datastore: 'each',
  host: 'spread',
  client: 'roundRobin',
  unit: 'tile',
  vcpusPerCore: 1,
  memoryShare: 1,
  pattern: null,
  ignoreCase: false,
};

/**
 * Lays out N tiles of the profile by policy. Pure: the same input gives the same layout. Tiles that
 * exist keep their VMs and parameters unless a pattern assigns others. Throws invalidInput where a
 * policy has nothing to choose from.
 */
export function generateLayout(
  testbed: Testbed,
  inventory: Inventory | null,
  profile: Profile,
  clients: readonly ClientFacts[],
  options: GenerateOptions,
): Generated {
  check(options, profile);
  const notes: string[] = [];
  const tiles = Array.from({ length: options.tiles }, (_, index): Tile =>
    completed(testbed.tiles[index], profile, index),
  );
  const sized: Testbed = { ...testbed, tiles };
  const { testbed: namedTestbed, naming } = withNames(sized, inventory, profile, options, notes);
  const placedDisks = withDatastores(namedTestbed, options, notes);
  const view = layoutView(placedDisks, inventory, profile, clients);
  const placement = hostPlacement(view, options, notes);
  const placed = placement
    ? mapSlots(placedDisks, placement.keys(), (one, tile) =>
        withPlace(one, { host: placement.get(slotKey(tile, one.workloadId))! }),
      )
    : placedDisks;
  const loaded = assignClients(placed, options.client, options.clientIds, notes);
  const placing = [words[options.datastore], words[options.host]].filter((word) => word !== '');
  const label =
    `Lay out ${options.tiles} ${options.tiles === 1 ? 'tile' : 'tiles'}: ` +
    (placing.join(', ') || 'places left as they are');
  return { change: { label, testbed: loaded }, notes, naming };
}

const words: Readonly<Record<DatastorePolicy | HostPolicy, string>> = {
  each: 'a datastore each',
  one: 'all on one datastore',
  roundRobin: 'round-robin',
  pack: 'packed',
  spread: 'spread',
  allOnOne: 'all on one host',
  asIs: '',
};

function check(
  { tiles, host, datastore, client, hosts, datastores, clientIds }: GenerateOptions,
  profile: Profile,
): void {
  const most = profile.maximumTiles ?? maximumTiles;
  if (!Number.isInteger(tiles) || tiles < 1 || tiles > most)
    throw fail(
      'invalidInput',
      `${tiles} tiles: ${profile.name} takes 1 to ${most}.`,
      'Choose a number in that range.',
    );
  if (host !== 'asIs' && hosts.length === 0)
    throw fail(
      'invalidInput',
      'No host is chosen to place VMs on.',
      'Choose hosts, or leave hosts as they are.',
    );
  if (datastore !== 'asIs' && datastores.length === 0)
    throw fail(
      'invalidInput',
      'No datastore is chosen to place VMs on.',
      'Choose datastores beside the maintenance datastore, or leave datastores as they are.',
    );
  if (client !== 'asIs' && clientIds.length === 0)
    throw fail(
      'invalidInput',
      'No client machine is chosen to load the tiles from.',
      'Connect a client machine, or leave clients as they are.',
    );
}

/**
 * The tile with an assignment for each workload of the profile, in its order; what is there already
 * stays.
 */
function completed(tile: Tile | undefined, profile: Profile, index: number): Tile {
  const empty = emptyTile(profile, index, tile?.workloads[0]?.clientId ?? '');
  const workloads = empty.workloads.map(
    (one) => tile?.workloads.find((w) => w.workloadId === one.workloadId) ?? one,
  );
  return tile?.index === index &&
    workloads.length === tile.workloads.length &&
    workloads.every((one, i) => one === tile.workloads[i])
    ? tile
    : { index, workloads };
}

function withNames(
  testbed: Testbed,
  inventory: Inventory | null,
  profile: Profile,
  { pattern, ignoreCase, tiles }: GenerateOptions,
  notes: string[],
): { testbed: Testbed; naming: NamingPreview | null } {
  if (pattern === null) return { testbed, naming: null };
  const excludedRefs = new Set(testbed.layout?.excludedVms.map(({ ref }) => ref));
  const naming = matchNames(parsePattern(pattern), slotsOf(profile, tiles), inventory?.vms ?? [], {
    ignoreCase,
    excludedRefs,
  });
  const found = new Map(naming.matched.map(({ slot, vm }) => [slot.key, vm]));
  const open =
    naming.unmatched.length +
    naming.ambiguous.length +
    naming.double.reduce((sum, { slots }) => sum + slots.length, 0);
  if (open > 0)
    notes.push(
      `${open} of ${tiles * profile.workloads.length} workloads have no VM by the pattern ${pattern}.`,
    );
  return {
    testbed: mapSlots(testbed, found.keys(), (one, tile) => {
      const vm = found.get(slotKey(tile, one.workloadId))!;
      return one.vm?.ref === vm.ref && one.vm.name === vm.name ? one : { ...one, vm };
    }),
    naming,
  };
}

function withDatastores(
  testbed: Testbed,
  { datastore, datastores }: GenerateOptions,
  notes: string[],
): Testbed {
  if (datastore === 'asIs') return testbed;
  const scratch = testbed.layout?.maintenanceDatastore?.ref;
  const pool = datastores.filter(({ ref }) => ref !== scratch);
  if (pool.length < datastores.length)
    notes.push(
      `${testbed.layout!.maintenanceDatastore!.name} is the maintenance datastore and takes no tile.`,
    );
  if (pool.length === 0)
    throw fail(
      'invalidInput',
      'The maintenance datastore is the only one chosen.',
      'Choose another datastore for the tiles.',
    );
  const count = testbed.tiles.length;
  if (datastore === 'each' && pool.length < count)
    notes.push(
      `${count} tiles on ${pool.length} datastores: ${count - pool.length} share one. Choose ` +
        `${count - pool.length} more for a datastore each.`,
    );
  let next = 0;
  const keys = testbed.tiles.flatMap((tile, position) =>
    tile.workloads.map((one) => slotKey(position, one.workloadId)),
  );
  // Round-robin deals out VMs one by one; a datastore each deals out tiles.
  return mapSlots(testbed, keys, (one, tile) =>
    withPlace(one, {
      datastore:
        datastore === 'one'
          ? pool[0]!
          : pool[(datastore === 'each' ? tile : next++) % pool.length]!,
    }),
  );
}

function hostPlacement(
  view: LayoutView,
  options: GenerateOptions,
  notes: string[],
): Placement | null {
  if (options.host === 'asIs') return null;
  const units =
    options.unit === 'tile'
      ? view.tiles.map((tile) => tile.vms)
      : view.tiles.flatMap(({ vms }) => vms.map((vm) => [vm]));
  const pool = options.hosts.map(
    (one) => view.hostByRef.get(one.ref) ?? { ...one, cores: null, memoryMb: null },
  );
  // A datastore that was not discovered, or that all of them mount, is no reason against a host.
  const mounts = new Map(
    view.datastores
      .filter(
        ({ info, hostRefs }) =>
          info !== null && options.hosts.some(({ ref }) => !hostRefs.includes(ref)),
      )
      .map(({ ref, hostRefs }) => [ref, new Set(hostRefs)]),
  );
  const ableHosts: AbleHosts = (unit) =>
    unit.reduce<ReadonlySet<string> | null>((able, { datastore }) => {
      const here = datastore === null ? undefined : mounts.get(datastore.ref);
      return here === undefined || here === able
        ? able
        : able === null
          ? here
          : new Set([...here].filter((ref) => able.has(ref)));
    }, null);
  const placement = place(options, units, pool, ableHosts, notes);
  const apart = units
    .filter((unit) => ableHosts(unit)?.has(placement.get(unit[0]!.key)!.ref) === false)
    .flat().length;
  if (apart > 0)
    notes.push(
      `${apart} VMs are on a host that does not mount their datastore: choose datastores that the hosts share.`,
    );
  const away = options.hosts.filter(
    ({ ref }) =>
      view.hostByRef.get(ref)?.maintenance || view.hostByRef.get(ref)?.connected === false,
  );
  if (away.length > 0)
    notes.push(`${away.map(({ name }) => name).join(', ')}: in maintenance mode or not connected.`);
  return placement;
}

function place(
  options: GenerateOptions,
  units: readonly (readonly LayoutVm[])[],
  pool: Parameters<typeof packHosts>[1],
  ableHosts: AbleHosts,
  notes: string[],
): Placement {
  switch (options.host) {
    case 'allOnOne':
      return placeTiles(units, () => options.hosts[0]!);
    case 'spread':
      return spreadHosts(units, pool, ableHosts);
    case 'pack':
      return packHosts(units, pool, ableHosts, options, notes);
    default:
      return dealHosts(units, options.hosts, ableHosts);
  }
}
