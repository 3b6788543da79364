import { groupBy } from '../base/groupBy.ts';
import { byNaturalOrder } from '../base/naturalOrder.ts';
import { tileWords } from '../base/tileWords.ts';
import { arrayColumns } from './arrayFacts.ts';
import { type SlotKey, slotKey } from './layoutModel.ts';
import type { Assignment, NamedRef, Testbed } from './testbed.ts';
import { diffLayout } from './testbedDiffLayout.ts';
import { matchTiles, type TilePair } from './testbedDiffTiles.ts';
import {
  type DiffGroup,
  diffGroups,
  type NameOf,
  type SameThing,
  type TestbedDifference,
} from './testbedDiffTypes.ts';

const own: NameOf = (_, id) => id;

/**
 * Only what differs between two testbeds or two versions of one, by meaning: a renamed host is the
 * same host, a tile that moved up is the same tile, and what all VMs of a tile or all tiles have in
 * common is said once. Things of two vCenters are compared by name.
 */
export function diffTestbeds(
  before: Testbed,
  after: Testbed,
  nameOf: NameOf = own,
): TestbedDifference[] {
  const idOf: SameThing =
    before.vcenterId === after.vcenterId ? ({ ref }) => ref : ({ name }) => name;
  const pairs = matchTiles(before.tiles, after.tiles, idOf);
  return [
    ...general(before, after, nameOf),
    ...tileList(pairs),
    ...slots(pairs, idOf, nameOf),
    ...diffLayout(before, after, idOf, nameOf),
  ];
}

/** `Tiles 1 to 3, host: esx1 → esx2`. */
export const differenceWords = ({ label, before, after }: TestbedDifference): string =>
  before === null && after === null ? label : `${label}: ${before ?? 'none'} → ${after ?? 'none'}`;

function general(before: Testbed, after: Testbed, nameOf: NameOf): TestbedDifference[] {
  const line = (label: string, was: string | null, is: string | null): TestbedDifference[] =>
    was === is ? [] : [{ group: 'general', label, before: was, after: is, keys: [] }];
  const named = (kind: 'profile' | 'vcenter', id: string | null): string | null =>
    id === null ? null : nameOf(kind, id);
  const powers = ({ powerIds }: Testbed): string | null =>
    powerIds.length === 0
      ? null
      : powerIds
          .map((id) => nameOf('power', id))
          .sort(byNaturalOrder)
          .join(', ');
  const logins = ({ hostLogins = [] }: Testbed): string | null =>
    hostLogins.length === 0
      ? null
      : hostLogins
          .map((login) => {
            const machine = nameOf('client', login.connectionId);
            return login.system === 'linux' ? machine : `${login.host.name} by ${machine}`;
          })
          .sort(byNaturalOrder)
          .join(', ');
  return [
    ...line('Name', before.name, after.name),
    ...line('Profile', named('profile', before.profileId), named('profile', after.profileId)),
    ...line('vCenter', named('vcenter', before.vcenterId), named('vcenter', after.vcenterId)),
    ...line('Power sources', powers(before), powers(after)),
    ...line('Logins to hosts under test', logins(before), logins(after)),
    ...line('Number of tiles', String(before.tiles.length), String(after.tiles.length)),
    ...line('Disk arrays', arrayWords(before), arrayWords(after)),
    ...line('Notes', before.notes || null, after.notes || null),
  ];
}

/** Each array with what is known of it, in the order of their names. */
function arrayWords({ arrays = [] }: Testbed): string | null {
  const words = arrays.map((array) =>
    [
      array.name,
      ...Object.entries(arrayColumns).flatMap(([key, { label, unit }]) => {
        const value = array[key as keyof typeof arrayColumns];
        return key === 'name' || value === null || value === ''
          ? []
          : [`${label.toLowerCase()} ${value}${unit === null ? '' : ` ${unit}`}`];
      }),
      ...(array.datastores.length === 0
        ? []
        : [`datastores ${array.datastores.map(({ name }) => name).join(' + ')}`]),
    ].join(', '),
  );
  return words.length === 0 ? null : words.sort(byNaturalOrder).join('; ');
}

function tileList(pairs: readonly TilePair[]): TestbedDifference[] {
  const keysOf = (position: number, assignments: readonly Assignment[]): SlotKey[] =>
    assignments.map(({ workloadId }) => slotKey(position, workloadId));
  const line = (
    label: string,
    list: readonly TilePair[],
    keys: (pair: TilePair) => SlotKey[],
  ): TestbedDifference[] =>
    list.length === 0
      ? []
      : [{ group: 'tiles', label, before: null, after: null, keys: list.flatMap(keys) }];
  const gone = pairs.filter(({ after }) => after === null),
    added = pairs.filter(({ before }) => before === null);
  const both = pairs
    .filter(({ before, after }) => before && after)
    .sort((a, b) => a.after!.position - b.after!.position);
  // Tiles that others overtook, not those that moved up because one before them went.
  const moved = both.filter(({ before }, i) =>
    both.some(
      (other, j) =>
        (i < j && other.before!.position < before!.position) ||
        (j < i && other.before!.position > before!.position),
    ),
  );
  return [
    ...line(
      `${tileWords(gone.map(({ before }) => before!.position))} removed`,
      gone,
      ({ before }) => keysOf(before!.position, before!.tile.workloads),
    ),
    ...line(`${tileWords(added.map(({ after }) => after!.position))} added`, added, ({ after }) =>
      keysOf(after!.position, after!.tile.workloads),
    ),
    ...line(
      `Order of tiles: ${moved.map(({ before }) => before!.position + 1).join(', ')} of before now stand in this order`,
      moved,
      ({ after }) => keysOf(after!.position, after!.tile.workloads),
    ),
  ];
}

interface Change {
  group: DiffGroup;
  aspect: string;
  before: string | null;
  after: string | null;
}
type Facet = Omit<Change, 'before' | 'after'> & {
  read: (one: Assignment) => { id: string; words: string } | null;
};

function slots(pairs: readonly TilePair[], idOf: SameThing, nameOf: NameOf): TestbedDifference[] {
  const thing = (one: NamedRef | null | undefined): { id: string; words: string } | null =>
    one ? { id: idOf(one), words: one.name } : null;
  const facets: Facet[] = [
    { group: 'vms', aspect: 'VM', read: ({ vm }) => thing(vm) },
    { group: 'places', aspect: 'planned host', read: ({ planned }) => thing(planned?.host) },
    {
      group: 'places',
      aspect: 'planned datastore',
      read: ({ planned }) => thing(planned?.datastore),
    },
    {
      group: 'clients',
      aspect: 'client',
      read: ({ clientId }) =>
        clientId === '' ? null : { id: clientId, words: nameOf('client', clientId) },
    },
  ];
  const found: { change: Change; workloads: string; position: number; keys: SlotKey[] }[] = [];
  for (const { before, after } of pairs) {
    if (!before || !after || before.tile === after.tile) continue;
    const ids = [
      ...new Set(
        [...before.tile.workloads, ...after.tile.workloads].map(({ workloadId }) => workloadId),
      ),
    ];
    const changes = ids.flatMap((id) =>
      slotChanges(
        before.tile.workloads.find((one) => one.workloadId === id),
        after.tile.workloads.find((one) => one.workloadId === id),
        facets,
      ).map((change) => ({ id, change })),
    );
    // What every workload of a tile has in common is a change of the tile.
    for (const list of groupBy(changes, ({ change }) => textOf(change)).values())
      found.push({
        change: list[0]!.change,
        workloads:
          list.length === ids.length && ids.length > 1 ? '' : list.map(({ id }) => id).join(', '),
        position: after.position,
        keys: list.map(({ id }) => slotKey(after.position, id)),
      });
  }
  return [...groupBy(found, ({ change, workloads }) => `${textOf(change)}\n${workloads}`).values()]
    .map((list): TestbedDifference => {
      const {
        change: { group, aspect, before, after },
        workloads,
      } = list[0]!;
      return {
        group,
        label: [tileWords(list.map(({ position }) => position)), workloads, aspect]
          .filter((word) => word !== '')
          .join(', '),
        before,
        after,
        keys: list.flatMap(({ keys }) => keys),
      };
    })
    .sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}
const order = Object.keys(diffGroups) as DiffGroup[];
const textOf = ({ aspect, before, after }: Change): string =>
  JSON.stringify([aspect, before, after]);

function slotChanges(
  before: Assignment | undefined,
  after: Assignment | undefined,
  facets: readonly Facet[],
): Change[] {
  if (!before || !after)
    return [
      {
        group: 'tiles',
        aspect: 'workload',
        before: before ? 'there' : null,
        after: after ? 'there' : null,
      },
    ];
  const params = [...new Set([...Object.keys(before.params), ...Object.keys(after.params)])].filter(
    (name) => before.params[name] !== after.params[name],
  );
  const text = (value: string | number | boolean | undefined): string | null =>
    value === undefined ? null : String(value);
  return [
    ...facets.flatMap(({ group, aspect, read }): Change[] => {
      const [was, is] = [read(before), read(after)];
      return (was?.id ?? null) === (is?.id ?? null)
        ? []
        : [{ group, aspect, before: was?.words ?? null, after: is?.words ?? null }];
    }),
    ...params.map((name): Change => ({
      group: 'params',
      aspect: name,
      before: text(before.params[name]),
      after: text(after.params[name]),
    })),
  ];
}
