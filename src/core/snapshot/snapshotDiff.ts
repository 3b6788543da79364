import { byNaturalOrder } from '../base/naturalOrder.ts';
import type { Snapshot, Thing } from './snapshot.ts';
import {
  type Effect,
  effects,
  type FieldMeaning,
  groupOfThing,
  isEntry,
  meaningOf,
  type PartKind,
  partKinds,
  partNames,
  type SnapshotGroup,
  snapshotGroups,
  type SnapshotValue,
  type ThingKind,
  thingNames,
  type Values,
} from './snapshotFields.ts';

export type ChangeKind = 'changed' | 'added' | 'removed' | 'renamed' | 'moved';
/** One difference by meaning. Places are names of things, lists are joined by `, `. */
export interface Change {
  group: SnapshotGroup;
  /** Kind and name of the thing, by its newer name; `ref` is its newer reference. */
  thing: ThingKind;
  subject: string;
  ref: string;
  /** What of it, e.g. `vmnic0 driver`; empty where the thing itself came, went or was renamed. */
  field: string;
  before: SnapshotValue | null;
  after: SnapshotValue | null;
  unit: string | null;
  kind: ChangeKind;
  /** Likely effect on results, in this app's judgement, and why. */
  effect: Effect;
  why: string;
}
/** A figure that only one of two snapshots told: no statement can be made. */
export interface OneSided {
  thing: ThingKind;
  subject: string;
  field: string;
  told: 'before' | 'after';
}
export interface SnapshotDiff {
  changes: Change[];
  oneSided: OneSided[];
}

/**
 * Pairs of things that are the same: by identity; then by reference where only one of the two told
 * its identity.
 */
export function matchThings(
  a: Snapshot,
  b: Snapshot,
): { pairs: [Thing, Thing][]; gone: Thing[]; come: Thing[] } {
  const weak = (thing: Thing): boolean => thing.id.startsWith('ref:');
  const byId = new Map(b.things.map((thing) => [thing.id, thing]));
  const pairs: [Thing, Thing][] = [];
  const left: Thing[] = [];
  for (const thing of a.things) {
    const other = byId.get(thing.id);
    if (other) {
      pairs.push([thing, other]);
      byId.delete(thing.id);
    } else left.push(thing);
  }
  const byRef = new Map([...byId.values()].map((thing) => [`${thing.kind} ${thing.ref}`, thing]));
  const gone = left.filter((thing) => {
    const other = byRef.get(`${thing.kind} ${thing.ref}`);
    if (!other || (!weak(thing) && !weak(other))) return true;
    pairs.push([thing, other]);
    byId.delete(other.id);
    return false;
  });
  return { pairs, gone, come: [...byId.values()] };
}

/** Ids of `b` as `a` calls the same thing, so that a place is compared by what it is. */
type SameAs = ReadonlyMap<string, string>;
interface Sides {
  a: Snapshot;
  b: Snapshot;
  sameAs: SameAs;
  diff: SnapshotDiff;
  /** Everything a change says but what it changed. */ head: {
    thing: ThingKind;
    subject: string;
    ref: string;
  };
}

const equal = (before: SnapshotValue, after: SnapshotValue): boolean =>
  JSON.stringify(before) === JSON.stringify(after);
const namesOf = (value: SnapshotValue, { names }: Snapshot): SnapshotValue =>
  Array.isArray(value) ? value.map((id) => names[id] ?? id).join(', ') : value;
const shown = (value: SnapshotValue, field: FieldMeaning, snapshot: Snapshot): SnapshotValue =>
  field.place ? namesOf(value, snapshot) : value;

function compareValues(
  sides: Sides,
  kind: ThingKind | PartKind,
  prefix: string,
  before: Values,
  after: Values,
): void {
  for (const field of meaningOf(kind)) {
    const was = before[field.key];
    const is = after[field.key];
    if (was === undefined && is === undefined) continue;
    const label =
      prefix === '' ? field.label : `${prefix}${isEntry(kind) ? '' : ` ${field.label}`}`;
    if (was === undefined || is === undefined) {
      sides.diff.oneSided.push({
        thing: sides.head.thing,
        subject: sides.head.subject,
        field: label,
        told: was === undefined ? 'after' : 'before',
      });
      continue;
    }
    const canonical =
      field.place && Array.isArray(is) ? is.map((id) => sides.sameAs.get(id) ?? id).sort() : is;
    if (
      equal(was, canonical) ||
      (field.same !== undefined &&
        typeof was === 'number' &&
        typeof is === 'number' &&
        field.same(was, is, after))
    )
      continue;
    sides.diff.changes.push({
      ...sides.head,
      group: field.group,
      field: label,
      before: shown(was, field, sides.a),
      after: shown(is, field, sides.b),
      unit: field.unit ?? null,
      kind: field.place ? 'moved' : 'changed',
      effect: field.effect,
      why: field.why,
    });
  }
}

const partLabel = (kind: PartKind, name: string): string =>
  (isEntry(kind) && kind !== 'package') || kind === 'disk' || kind === 'vnic'
    ? name
    : `${partNames[kind].name} ${name}`;

function compareParts(sides: Sides, before: Thing['parts'], after: Thing['parts']): void {
  for (const kind of partKinds) {
    const [was, is] = [before[kind], after[kind]];
    if (was === undefined || is === undefined) {
      if (was !== is && Object.keys(was ?? is ?? {}).length > 0)
        sides.diff.oneSided.push({
          thing: sides.head.thing,
          subject: sides.head.subject,
          field: `${partNames[kind].name}s`,
          told: was === undefined ? 'after' : 'before',
        });
      continue;
    }
    for (const name of [...new Set([...Object.keys(was), ...Object.keys(is)])].sort(
      byNaturalOrder,
    )) {
      const [old, now] = [was[name], is[name]];
      if (old && now) {
        compareValues(sides, kind, partLabel(kind, name), old, now);
        continue;
      }
      const { group, effect, why, unlisted = null } = partNames[kind];
      const [only] = Object.values(old ?? now ?? {});
      const told = isEntry(kind) ? (only ?? name) : name;
      sides.diff.changes.push({
        ...sides.head,
        group,
        field: partLabel(kind, name),
        before: old ? told : unlisted,
        after: now ? told : unlisted,
        unit: null,
        kind: unlisted !== null ? 'changed' : now ? 'added' : 'removed',
        effect,
        why,
      });
    }
  }
}

/**
 * What differs between two snapshots, by meaning, sorted by likely effect. A renamed or
 * re-registered thing is matched by its identity and said as renamed; figures within their stated
 * tolerance are equal; figures that only one side told are listed apart and are no change. Pure;
 * the order of things does not matter; `diff(b, a)` is `diff(a, b)` with before and after, added
 * and removed exchanged.
 */
export function diffSnapshots(a: Snapshot, b: Snapshot): SnapshotDiff {
  const diff: SnapshotDiff = { changes: [], oneSided: [] };
  const { pairs, gone, come } = matchThings(a, b);
  // Where no array was recorded nobody knows which there was.
  const told = ({ things }: Snapshot): boolean => things.some(({ kind }) => kind === 'array');
  const both = (thing: Thing): boolean =>
    thing.kind === 'client'
      ? a.read.clients && b.read.clients
      : a.read.inventory && b.read.inventory && (thing.kind !== 'array' || (told(a) && told(b)));
  const sameAs = new Map(pairs.map(([was, is]) => [is.id, was.id]));
  for (const [was, is] of pairs) {
    const head = { thing: is.kind, subject: is.name, ref: is.ref };
    const sides: Sides = { a, b, sameAs, diff, head };
    if (was.name !== is.name)
      diff.changes.push({
        ...head,
        group: groupOfThing[is.kind],
        field: '',
        before: was.name,
        after: is.name,
        unit: null,
        kind: 'renamed',
        effect: 'none',
        why: 'the same thing under another name',
      });
    compareValues(sides, is.kind, '', was.values, is.values);
    compareParts(sides, was.parts, is.parts);
  }
  const whole = (thing: Thing, kind: 'added' | 'removed'): Change => ({
    group: groupOfThing[thing.kind],
    thing: thing.kind,
    subject: thing.name,
    ref: thing.ref,
    field: '',
    before: kind === 'removed' ? thing.name : null,
    after: kind === 'added' ? thing.name : null,
    unit: null,
    kind,
    effect: thing.kind === 'network' ? 'slight' : 'strong',
    why: kind === 'added' ? 'was not part of the testbed' : 'is not part of the testbed any more',
  });
  diff.changes.push(
    ...gone.filter(both).map((thing) => whole(thing, 'removed')),
    ...come.filter(both).map((thing) => whole(thing, 'added')),
  );
  return { changes: diff.changes.sort(byEffect), oneSided: diff.oneSided };
}

const groupKeys = Object.keys(snapshotGroups);
function byEffect(a: Change, b: Change): number {
  return (
    effects.indexOf(a.effect) - effects.indexOf(b.effect) ||
    groupKeys.indexOf(a.group) - groupKeys.indexOf(b.group) ||
    byNaturalOrder(a.subject, b.subject) ||
    byNaturalOrder(a.field, b.field)
  );
}

const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
const binary = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
/** A value in words: `512 GiB`, `25,000 Mb/s`, `on`; null is `none`. */
export function sayValue(value: SnapshotValue | null, unit: string | null): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (unit !== 'B' || value < 65_536)
    return unit === null ? exact.format(value) : `${exact.format(value)} ${unit}`;
  const step = Math.min(binary.length - 1, Math.floor(Math.log2(value) / 10));
  return `${exact.format(Number((value / 1_024 ** step).toPrecision(4)))} ${binary[step]!}`;
}

/** One difference as a sentence without its full stop: `Host esx1: ESXi build 1 → 2`. */
export function sayChange(change: Change): string {
  const subject = `${thingNames[change.thing]} ${change.subject}`;
  const [before, after] = [
    sayValue(change.before, change.unit),
    sayValue(change.after, change.unit),
  ];
  if (change.kind === 'renamed') return `${subject} is renamed: ${before} → ${after}`;
  const what = change.field === '' ? subject : `${subject}: ${change.field}`;
  if (change.kind === 'added')
    return change.field === '' || after === change.field || change.field.endsWith(` ${after}`)
      ? `${what} is new`
      : `${what} is new: ${after}`;
  if (change.kind === 'removed')
    return change.field === '' || before === change.field || change.field.endsWith(` ${before}`)
      ? `${what} is gone`
      : `${what} is gone; it was ${before}`;
  return `${what} ${before} → ${after}`;
}
