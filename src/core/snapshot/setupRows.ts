import { byNaturalOrder } from '../base/naturalOrder.ts';
import type { Snapshot, Thing } from './snapshot.ts';
import { sayValue } from './snapshotDiff.ts';
import {
  type Effect,
  type FieldMeaning,
  isEntry,
  meaningOf,
  type PartKind,
  partKinds,
  partNames,
  snapshotGroups,
  type SnapshotValue,
  type ThingKind,
  thingNames,
  type Values,
} from './snapshotFields.ts';

/**
 * One thing in which runs differ, with what each of them had, in words, in the order of the runs.
 */
export interface SetupDifference {
  group: string;
  label: string;
  values: string[];
  /** Likely effect on results, in this app's judgement, and why; '' where it needs no reason. */
  effect: Effect;
  why: string;
  /** The things that all runs had and that differ, one by one; empty where only the sum is told. */
  subjects: { name: string; values: string[] }[];
}
export const notRecorded = 'not recorded';

/** One run's set-up, told with the ids and names that all runs share. */
export interface Side {
  read: Snapshot['read'];
  things: readonly Thing[];
  idOf: (thing: Thing) => string;
  /** Name of what an id refers to, as the first run calls it. */ nameOf: (id: string) => string;
}
type Sides = readonly (Side | null)[];

/** Values with how many have them, reduced: twice the tiles with the same mix is the same mix. */
function mix(values: readonly string[]): { text: string; key: string } {
  const counts = new Map<string, number>();
  for (const one of values) counts.set(one, (counts.get(one) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => byNaturalOrder(a, b));
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  const by = sorted.reduce((sum, [, n]) => gcd(sum, n), 0);
  return {
    text:
      sorted.length === 1 ? sorted[0]![0] : sorted.map(([one, n]) => `${n} × ${one}`).join(', '),
    key: JSON.stringify(sorted.map(([one, n]) => [one, n / by])),
  };
}

const isNumbers = (values: readonly SnapshotValue[]): values is number[] =>
  values.every((value) => typeof value === 'number');

/** One field over all things of a kind: what each run had, or null where they do not differ. */
function compareField(
  field: FieldMeaning,
  label: string,
  group: string,
  perRun: readonly (readonly SnapshotValue[] | null)[],
): Omit<SetupDifference, 'subjects'> | null {
  const known = perRun.filter(
    (values) => values !== null && values.length > 0,
  ) as (readonly SnapshotValue[])[];
  if (known.length === 0) return null;
  const head = { group, label, effect: field.effect, why: field.why };
  const { same } = field;
  if (same !== undefined && known.every(isNumbers)) {
    const ranges = known.map((values) => [Math.min(...values), Math.max(...values)] as const);
    const [first] = ranges;
    if (ranges.every(([low, high]) => same(first![0], low, {}) && same(first![1], high, {})))
      return null;
    return {
      ...head,
      values: perRun.map((values) => {
        if (values === null || values.length === 0) return notRecorded;
        const [low, high] = [Math.min(...(values as number[])), Math.max(...(values as number[]))];
        return low === high
          ? sayValue(low, field.unit ?? null)
          : `${sayValue(low, field.unit ?? null)} to ${sayValue(high, field.unit ?? null)}`;
      }),
    };
  }
  const mixes = perRun.map((values) =>
    values === null || values.length === 0
      ? null
      : mix(values.map((value) => sayValue(value, field.unit ?? null))),
  );
  if (new Set(mixes.flatMap((one) => one?.key ?? [])).size <= 1) return null;
  return { ...head, values: mixes.map((one) => one?.text ?? notRecorded) };
}

/** Things that all runs have, with what each run says of them, where that differs. */
function subjectsOf(
  sides: Sides,
  kind: ThingKind,
  say: (thing: Thing, side: Side) => string | null,
): SetupDifference['subjects'] {
  if (sides.some((side) => side === null)) return [];
  const tables = (sides as readonly Side[]).map(
    (side) =>
      new Map(side.things.filter((t) => t.kind === kind).map((t) => [side.idOf(t), say(t, side)])),
  );
  return sides[0]!.things
    .filter((t) => t.kind === kind)
    .flatMap((thing) => {
      const id = sides[0]!.idOf(thing);
      const values = tables.map((table) => table.get(id));
      if (
        values.some((value) => value === undefined || value === null) ||
        new Set(values).size === 1
      )
        return [];
      return [{ name: thing.name, values: values as string[] }];
    });
}

const valuesIn = (
  side: Side | null,
  kind: ThingKind,
  of: (thing: Thing) => readonly (SnapshotValue | undefined)[],
): SnapshotValue[] | null =>
  side &&
  side.things
    .filter((t) => t.kind === kind)
    .flatMap((thing) => of(thing).filter((value) => value !== undefined));

/** One thing that can differ, with what each run had of it. */
interface Held {
  field: FieldMeaning;
  label: string;
  perRun: (SnapshotValue[] | null)[];
  say: (thing: Thing) => string | null;
}

/**
 * Fields and parts of things of a kind in which runs differ; `settings`: how many of them any run
 * has.
 */
export function fieldRows(
  sides: Sides,
  kind: ThingKind,
): { rows: SetupDifference[]; settings: number } {
  const held = [
    ...meaningOf(kind).flatMap((field) => heldField(sides, kind, field)),
    ...partKinds.flatMap((part) => heldParts(sides, kind, part)),
  ].filter(({ perRun }) => perRun.some((values) => values !== null && values.length > 0));
  const rows = held.flatMap(({ field, label, perRun, say }) => {
    const row = compareField(field, label, snapshotGroups[field.group], perRun);
    return row ? [{ ...row, subjects: subjectsOf(sides, kind, say) }] : [];
  });
  return { rows, settings: held.length };
}

function heldField(sides: Sides, kind: ThingKind, field: FieldMeaning): Held[] {
  if (field.effect === 'none' || field.place) return [];
  return [
    {
      field,
      label: `${thingNames[kind]}: ${field.label}`,
      perRun: sides.map((side) => valuesIn(side, kind, (t) => [t.values[field.key]])),
      say: (t) =>
        t.values[field.key] === undefined
          ? null
          : sayValue(t.values[field.key]!, field.unit ?? null),
    },
  ];
}

/** Settings, options and drivers by their names; adapters, HBAs and disks all together. */
function heldParts(sides: Sides, kind: ThingKind, part: PartKind): Held[] {
  const byName = isEntry(part);
  const all = sides.flatMap((side) =>
    (side?.things ?? [])
      .filter((t) => t.kind === kind)
      .flatMap((t) => Object.keys(t.parts[part] ?? {})),
  );
  if (all.length === 0) return [];
  const kinds: readonly { name: string | null; label: string }[] = byName
    ? [...new Set(all)]
        .sort(byNaturalOrder)
        .map((name) => ({ name, label: `${thingNames[kind]}: ${name}` }))
    : [{ name: null, label: `${thingNames[kind]}: ${partNames[part].name}` }];
  const take = (thing: Thing, name: string | null): Values[] =>
    name === null
      ? Object.values(thing.parts[part] ?? {})
      : [thing.parts[part]?.[name] ?? []].flat();
  return kinds.flatMap(({ name, label }) =>
    meaningOf(part)
      .filter((field) => field.effect !== 'none' && !field.place)
      .map((field): Held => ({
        field,
        label: byName ? label : `${label} ${field.label}`,
        perRun: sides.map((side) =>
          valuesIn(side, kind, (t) => take(t, name).map((values) => values[field.key])),
        ),
        say: (t) =>
          take(t, name)
            .map((values) => sayValue(values[field.key] ?? null, field.unit ?? null))
            .join(', '),
      })),
  );
}

/** Which things each run had: their number, and their names where it is not the same things. */
export function memberRows(sides: Sides, kind: ThingKind): SetupDifference[] {
  if (kind === 'vcenter' || kind === 'network') return [];
  const members = sides.map((side) => {
    const things = side?.things.filter((t) => t.kind === kind) ?? [];
    // Where no array was recorded nobody knows which there was.
    const isRead =
      kind === 'client'
        ? side?.read.clients
        : side?.read.inventory && (kind !== 'array' || things.length > 0);
    return isRead ? things : null;
  });
  const keys = sides.map(
    (side, i) => members[i] && JSON.stringify(members[i].map((t) => side!.idOf(t)).sort()),
  );
  if (new Set(keys.filter((key) => key !== null)).size <= 1) return [];
  const sorted = (things: readonly Thing[]): string[] =>
    things.map((t) => t.name).sort(byNaturalOrder);
  const listed = (names: readonly string[]): string =>
    names.length <= 4
      ? names.join(', ')
      : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
  return [
    {
      group:
        snapshotGroups[
          (
            {
              cluster: 'policy',
              host: 'hardware',
              datastore: 'storage',
              lun: 'storage',
              array: 'storage',
              vm: 'vms',
              client: 'clients',
            } as const
          )[kind]
        ],
      label: `${thingNames[kind]}s`,
      effect: kind === 'client' ? 'moderate' : 'strong',
      why: 'not the same ones',
      values: members.map((things) =>
        things
          ? things.length === 0
            ? 'none'
            : `${things.length}: ${listed(sorted(things))}`
          : notRecorded,
      ),
      subjects: [],
    },
  ];
}

/** How VMs are spread, and which of those that all runs have were elsewhere. */
export function placementRows(sides: Sides): SetupDifference[] {
  return (['host', 'datastores'] as const).flatMap((key) => {
    const where = (thing: Thing, side: Side): string | null => {
      const ids = thing.values[key];
      return Array.isArray(ids) ? ids.map(side.nameOf).sort(byNaturalOrder).join(' + ') : null;
    };
    const spread = sides.map((side) => {
      if (side === null) return null;
      const counts = new Map<string, number>();
      for (const thing of side.things) {
        const at = thing.kind === 'vm' ? where(thing, side) : null;
        if (at !== null) counts.set(at, (counts.get(at) ?? 0) + 1);
      }
      return (
        [...counts]
          .sort(([a], [b]) => byNaturalOrder(a, b))
          .map(([name, n]) => `${name} ${n}`)
          .join(', ') || null
      );
    });
    const subjects = subjectsOf(sides, 'vm', where);
    if (subjects.length === 0 && new Set(spread.filter((one) => one !== null)).size <= 1) return [];
    return [
      {
        group: snapshotGroups.vms,
        label: key === 'host' ? 'VMs on each host' : 'VMs on each datastore',
        values: spread.map((one) => one ?? notRecorded),
        effect: 'strong' as const,
        why: 'another share of a machine',
        subjects,
      },
    ];
  });
}
