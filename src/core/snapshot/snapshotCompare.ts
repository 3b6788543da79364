import type { RunRecord } from '../run/run.ts';
import { parameterRows } from './parameterRows.ts';
import { setupFacts } from './setupFacts.ts';
import {
  fieldRows,
  memberRows,
  notRecorded,
  placementRows,
  type SetupDifference,
  type Side,
} from './setupRows.ts';
import type { Snapshot } from './snapshot.ts';
import { matchThings } from './snapshotDiff.ts';
import { type Effect, effects, snapshotGroups, thingKinds } from './snapshotFields.ts';
import { snapshotOfRun } from './snapshotTake.ts';

/**
 * Groups of `setupFacts` with their weight; of `Software` all but the vCenter, which is part of the
 * snapshot.
 */
const planned: Readonly<Record<string, Effect>> = {
  Profile: 'strong',
  Workloads: 'strong',
  Plan: 'strong',
  Testbed: 'none',
  Power: 'slight',
  Software: 'slight',
};
const plannedWhy: Readonly<Record<string, string>> = {
  Profile: 'other rules and another tile',
  Plan: 'another load or length',
  Power: 'another meter',
  Software: 'another measuring tool',
};

/**
 * A run's own calls for a thing: the id that the first run with it uses, so that one machine has
 * one id in all runs.
 */
function unify(snapshots: readonly (Snapshot | null)[]): Map<string, string>[] {
  const seen: { snapshot: Snapshot; ids: Map<string, string> }[] = [];
  return snapshots.map((snapshot) => {
    const ids = new Map<string, string>();
    if (snapshot === null) return ids;
    for (const earlier of seen)
      for (const [was, is] of matchThings(earlier.snapshot, snapshot).pairs)
        if (!ids.has(is.id)) ids.set(is.id, earlier.ids.get(was.id) ?? was.id);
    seen.push({ snapshot, ids });
    return ids;
  });
}

function weightOf(group: string, label: string): Pick<SetupDifference, 'effect' | 'why'> {
  if (group === 'Plan' && label === 'Score reference')
    return { effect: 'moderate', why: 'another scale of the score, the same measurements' };
  return { effect: planned[group] ?? 'none', why: plannedWhy[group] ?? '' };
}

/** Told by `parameterRows`: by name and tile. */
const isParameter = (group: string): boolean => group === 'Workloads';
/** Bookkeeping of one testbed: of interest only where nothing says what was changed in it. */
const isVersion = ({ group, label }: SetupDifference): boolean =>
  group === 'Testbed' && label === 'Testbed version';

function plannedRows(records: readonly RunRecord[]): {
  rows: SetupDifference[];
  settings: number;
} {
  const facts = records.map(
    (record) =>
      new Map(
        setupFacts(record)
          .filter(
            ([group, label]) =>
              Object.hasOwn(planned, group) && !isParameter(group) && label !== 'vCenter',
          )
          .map(([group, label, value]) => [`${group}\n${label}`, value] as const),
      ),
  );
  const keys = [...new Set(facts.flatMap((map) => [...map.keys()]))];
  const rows = keys.flatMap((key) => {
    const [group = '', label = ''] = key.split('\n');
    const values = facts.map((map) => map.get(key) ?? notRecorded);
    return new Set(values).size > 1
      ? [{ group, label, values, ...weightOf(group, label), subjects: [] }]
      : [];
  });
  const parameters = parameterRows(records);
  return {
    rows: [...rows, ...parameters.rows],
    settings: keys.length + parameters.settings,
  };
}

/**
 * Only what differs between the set-ups of up to eight runs, as they were before each: profile,
 * plan and load, then the testbed by meaning: groups together, the one with the strongest likely
 * effect first, and within each the strongest first. Machines are told apart by their identity, so
 * a renamed host is no difference. A run whose set-up was not recorded says so in each row; rows
 * where only it stands apart are left out. `settings`: how many things were held beside each other.
 */
export function compareSetups(records: readonly RunRecord[]): {
  differences: SetupDifference[];
  settings: number;
} {
  const snapshots = records.map((record) => snapshotOfRun(record, 'before'));
  const ids = unify(snapshots);
  const canonical = (run: number, id: string): string => ids[run]!.get(id) ?? id;
  const names = new Map<string, string>();
  snapshots.forEach((snapshot, run) => {
    for (const [id, name] of Object.entries(snapshot?.names ?? {}))
      if (!names.has(canonical(run, id))) names.set(canonical(run, id), name);
  });
  const sides = snapshots.map(
    (snapshot, run): Side | null =>
      snapshot && {
        read: snapshot.read,
        things: snapshot.things,
        idOf: (thing) => canonical(run, thing.id),
        nameOf: (id) => names.get(canonical(run, id)) ?? id,
      },
  );
  const plan = plannedRows(records);
  const fields = thingKinds.map((kind) => fieldRows(sides, kind));
  const members = thingKinds.flatMap((kind, i) => [...memberRows(sides, kind), ...fields[i]!.rows]);
  const order = [...Object.keys(planned), ...Object.values<string>(snapshotGroups)];
  const all = [...plan.rows, ...members, ...placementRows(sides)];
  const oneTestbed = new Set(records.map(({ testbed }) => testbed.id)).size === 1;
  const told = all.filter((row) => !isVersion(row));
  return {
    differences: byStrongestGroup(oneTestbed && told.length > 0 ? told : all, order),
    settings: fields.reduce((sum, { settings }) => sum + settings, plan.settings),
  };
}

/** Groups stay together, in the order of their strongest row; equals keep the order given. */
export function byStrongestGroup<T extends { group: string; effect: Effect }>(
  rows: readonly T[],
  groupOrder: readonly string[],
): T[] {
  const weight = (row: T): number => effects.indexOf(row.effect);
  const strongest = new Map<string, number>();
  for (const row of rows)
    strongest.set(row.group, Math.min(strongest.get(row.group) ?? effects.length, weight(row)));
  return [...rows].sort(
    (a, b) =>
      strongest.get(a.group)! - strongest.get(b.group)! ||
      groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group) ||
      weight(a) - weight(b),
  );
}
