import type { RunFinding, RunRecord } from '../run/run.ts';
import type { Snapshot } from './snapshot.ts';
import { type Change, diffSnapshots, type OneSided, sayChange, sayValue } from './snapshotDiff.ts';
import { clockToleranceMs, thingNames } from './snapshotFields.ts';
import { snapshotOfRun } from './snapshotTake.ts';

/** What a run's set-up did while it ran. */
export interface Drift {
  before: Snapshot;
  after: Snapshot;
  /** Changed, and nothing of the run accounts for it; the strong first. */
  changes: Change[];
  /** Moves that DRS or the run itself made: part of the run, no drift. */
  moves: Change[];
  /** Told before or after only. */
  oneSided: OneSided[];
  /** What could not be compared as it was read on one side only, in words. */
  unread: string[];
}

/**
 * VMs whose moves are accounted for: those the run's own operations or its start placement move,
 * and those of which an event says who moved them.
 */
function movedByRun(record: RunRecord): (change: Change) => boolean {
  const { plan, testbed, overview, inventoryBefore } = record;
  const infra = testbed.infrastructure;
  const refs = new Set([
    ...(infra?.vmotionVmRefs ?? []),
    ...(infra?.storageVmotion?.vmRefs ?? []),
    ...(infra?.xvmotion?.vmRefs ?? []),
  ]);
  for (const { kind, entityId, operation, by } of overview.events) {
    if (operation?.vmRef) refs.add(operation.vmRef);
    if (
      entityId !== undefined &&
      (kind === 'drs' || (kind === 'vm' && (by === 'run' || by === 'drs')))
    )
      refs.add(entityId);
  }
  const roaming = new Set(
    (inventoryBefore?.clusters ?? [])
      .filter((c) => c.drsEnabled === true && c.drsBehavior === 'fullyAutomated')
      .flatMap((c) => c.hostRefs),
  );
  const hostOf = new Map((inventoryBefore?.vms ?? []).map((vm) => [vm.ref, vm.hostRef]));
  // DRS that acts by itself moves from host to host; it leaves datastores and pools alone.
  return ({ ref, field }) =>
    refs.has(ref) ||
    plan.startPlacement !== undefined ||
    (field === 'Host' && roaming.has(hostOf.get(ref) ?? ''));
}

/**
 * The set-up before a run against the one after it; null where one of them was not recorded at all.
 */
export function driftOf(record: RunRecord): Drift | null {
  const before = snapshotOfRun(record, 'before');
  const after = snapshotOfRun(record, 'after');
  if (before === null || after === null) return null;
  const { changes, oneSided } = diffSnapshots(before, after);
  const explained = movedByRun(record);
  const isMove = (change: Change): boolean =>
    change.thing === 'vm' && change.kind === 'moved' && explained(change);
  // A client that did not answer afterwards has a finding of its own.
  const silent = (change: Change): boolean =>
    change.thing === 'client' &&
    change.field === '' &&
    (change.kind === 'removed' || change.kind === 'added');
  const answered = new Set((record.clientsAfter ?? []).map((client) => client.id));
  return {
    before,
    after,
    oneSided,
    changes: changes.filter((change) => !isMove(change) && !silent(change)),
    moves: changes.filter(isMove),
    unread: [
      ...(before.read.inventory && !after.read.inventory
        ? ['The inventory was not read after the run.']
        : !before.read.inventory && after.read.inventory
          ? ['The inventory was not read before the run.']
          : []),
      ...(!after.read.clients
        ? ['The client machines were not read after the run.']
        : record.clients
            .filter((client) => !answered.has(client.id))
            .map((client) => `${client.name} did not answer after the run.`)),
    ],
  };
}

const isClientClock = ({ thing, field }: Change): boolean =>
  thing === 'client' && field === 'Clock against the engine';

/** Clocks of clients that moved by no more than this against each other moved alike. */
const alikeMs = 500;

/**
 * Where the clocks of two clients or more all moved alike, it is the clock of this computer that
 * moved; else null.
 */
function ownClockFinding(record: RunRecord): Omit<RunFinding, 'tMs'> | null {
  const after = new Map((record.clientsAfter ?? []).map((c) => [c.id, c.clockOffsetMs]));
  const moved = record.clients.flatMap(({ id, clockOffsetMs }) => {
    const later = after.get(id) ?? null;
    return clockOffsetMs === null || later === null ? [] : [later - clockOffsetMs];
  });
  const least = Math.min(...moved);
  const largest = Math.max(...moved);
  if (
    moved.length < 2 ||
    largest - least > alikeMs ||
    Math.min(Math.abs(least), Math.abs(largest)) <= clockToleranceMs
  )
    return null;
  return {
    id: 'drift.clock',
    severity: 'info',
    text:
      `The clocks of all ${moved.length} clients moved alike against this computer's during ` +
      `the run: its own moved by ${sayValue(Math.round(-(least + largest) / 2), 'ms')}. ` +
      'Samples keep the time of the clients.',
    fix: 'Keep this computer in step with NTP or chrony.',
  };
}

/** Most findings of drift a run gets; the set-up tab has all. */
const most = 20;
const moreWords = (names: readonly string[]): string =>
  names.length <= 3
    ? names.join(', ')
    : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;

/**
 * Drift as findings of the run, the same change of many things in one: a warning where it may well
 * move the result, else a note.
 * `id`s are stable, so that a second look replaces the first.
 */
export function driftFindings(record: RunRecord): Omit<RunFinding, 'tMs'>[] {
  const drift = driftOf(record);
  if (drift === null) return [];
  const groups = new Map<string, Change[]>();
  const own = ownClockFinding(record);
  for (const change of drift.changes) {
    // What all clients' clocks did alike, ours did.
    if (own !== null && isClientClock(change)) continue;
    const alone = change.kind === 'renamed' || change.field === '' || change.unit === 'ms';
    const key = JSON.stringify([
      change.thing,
      change.field,
      change.kind,
      change.before,
      change.after,
      alone ? change.ref : '',
    ]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const findings = [...groups.values()].map((changes): Omit<RunFinding, 'tMs'> => {
    const [first] = changes;
    const { thing, ref, field, effect, before, after } = first!;
    if (isClientClock(first!)) {
      const ms = Math.round(Number(after) - Number(before));
      return {
        id: `drift.${ref}`,
        severity: 'warn',
        text:
          `The clock of ${first!.subject} moved by ${sayValue(ms, 'ms')} during the run: its ` +
          'samples are shifted by up to that.',
        fix: 'Keep the clients in step with NTP or chrony.',
      };
    }
    const what =
      changes.length === 1
        ? sayChange(first!)
        : sayChange({
            ...first!,
            subject: `${moreWords(changes.map((c) => c.subject))} (${changes.length} ${thingNames[thing]}s)`,
          });
    const warn = effect === 'strong' || effect === 'moderate';
    return {
      id: `drift.${thing}.${ref}.${field === '' ? first!.kind : field}`,
      severity: warn ? 'warn' : 'info',
      text: `The set-up changed during the run. ${what}.`,
      ...(warn
        ? {
            fix:
              first!.kind === 'moved'
                ? 'Neither DRS nor the run moved it: find out who did in vCenter’s events, and run again.'
                : 'Find out what changed it, put it back, and run again.',
          }
        : {}),
    };
  });
  const told = own === null ? findings : [own, ...findings];
  const left = told.length - most;
  return left <= 0
    ? told
    : [
        ...told.slice(0, most),
        {
          id: 'drift.more',
          severity: 'warn',
          text: `The set-up changed during the run in ${left} more ways; the set-up tab lists them.`,
        },
      ];
}
