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
  type SnapshotGroup,
  snapshotGroups,
  type SnapshotValue,
  type ThingKind,
  thingKinds,
  thingNames,
  type Values,
} from './snapshotFields.ts';

/** One figure of one thing, in words. */
export interface SnapshotFact {
  group: SnapshotGroup;
  thing: ThingKind;
  subject: string;
  field: string;
  value: string;
  /** The field without the name of the adapter or disk it is of: what is summed up. */ sum: string;
  effect: Effect;
}
/**
 * One field over all things that have it: `4 × R740, 2 × R750`, or the one value that all have;
 * `each` where they differ.
 */
export interface SummaryRow {
  group: SnapshotGroup;
  thing: ThingKind;
  field: string;
  value: string;
  count: number;
  each: { name: string; value: string }[];
}

function say(value: SnapshotValue, field: FieldMeaning, { names }: Snapshot): string {
  return field.place && Array.isArray(value)
    ? value.map((id) => names[id] ?? id).join(', ')
    : sayValue(value, field.unit ?? null);
}

function factsOf(snapshot: Snapshot, thing: Thing): SnapshotFact[] {
  const told = (
    kind: ThingKind | PartKind,
    values: Values,
    label: (field: FieldMeaning) => string,
    sum = label,
  ): SnapshotFact[] =>
    meaningOf(kind).flatMap((field) => {
      const value = values[field.key];
      return value === undefined
        ? []
        : [
            {
              group: field.group,
              thing: thing.kind,
              subject: thing.name,
              field: label(field),
              value: say(value, field, snapshot),
              sum: sum(field),
              effect: field.effect,
            },
          ];
    });
  return [
    ...told(thing.kind, thing.values, (field) => field.label),
    ...partKinds.flatMap((part) =>
      Object.entries(thing.parts[part] ?? {}).flatMap(([name, values]) =>
        told(
          part,
          values,
          (field) =>
            isEntry(part)
              ? name
              : part === 'disk' || part === 'vnic'
                ? `${name} ${field.label}`
                : `${partNames[part].name} ${name} ${field.label}`,
          (field) => (isEntry(part) ? name : `${partNames[part].name} ${field.label}`),
        ),
      ),
    ),
  ];
}

/** Every figure of a snapshot, thing by thing. */
export const snapshotFacts = (snapshot: Snapshot): SnapshotFact[] =>
  snapshot.things.flatMap((thing) => factsOf(snapshot, thing));

/**
 * How many things of each kind a snapshot has, in words: `1 Cluster`, `4 Hosts`. Only kinds that
 * `counted` takes.
 */
export function countThings(
  snapshot: Snapshot,
  counted: (kind: ThingKind) => boolean = () => true,
): string[] {
  return thingKinds
    .filter((kind) => kind !== 'vcenter' && counted(kind))
    .flatMap((kind) => {
      const count = snapshot.things.filter((thing) => thing.kind === kind).length;
      return count === 0 ? [] : [`${count} ${thingNames[kind]}${count === 1 ? '' : 's'}`];
    });
}

/**
 * Facts in which every word of a query stands somewhere: in the thing, the field, the value or the
 * group. Case does not matter.
 */
export function searchFacts(facts: readonly SnapshotFact[], query: string): SnapshotFact[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return facts.filter((fact) => {
    const text = (
      `${thingNames[fact.thing]} ${fact.subject} ${fact.field} ${fact.value} ` +
      snapshotGroups[fact.group]
    ).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function tally(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size === 1) return values[0]!;
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || byNaturalOrder(a, b));
  const shown = sorted.slice(0, 4).map(([value, n]) => `${n} × ${value}`);
  return sorted.length > 4
    ? `${shown.join(', ')} and ${sorted.length - 4} other values`
    : shown.join(', ');
}

/**
 * The set-up, a row a field, in the order of the groups. What only names a thing (serial numbers,
 * addresses) is left to the search.
 */
export function summarise(snapshot: Snapshot): SummaryRow[] {
  const rows = new Map<string, SnapshotFact[]>();
  for (const fact of snapshotFacts(snapshot)) {
    if (fact.effect === 'none') continue;
    const key = `${fact.group}\n${fact.thing}\n${fact.sum}`;
    rows.set(key, [...(rows.get(key) ?? []), fact]);
  }
  const groups = Object.keys(snapshotGroups);
  return [...rows.values()]
    .map((facts): SummaryRow => {
      const { group, thing, sum } = facts[0]!;
      const uniform = facts.every((fact) => fact.value === facts[0]!.value);
      return {
        group,
        thing,
        field: sum,
        value: tally(facts.map((fact) => fact.value)),
        count: facts.length,
        each: uniform
          ? []
          : facts
              .map(({ subject, field, value }) => ({
                name: field === sum ? subject : `${subject} ${field}`,
                value,
              }))
              .sort((a, b) => byNaturalOrder(a.name, b.name)),
      };
    })
    .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}
