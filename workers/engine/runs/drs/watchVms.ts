import { toAppError } from '../../../../src/core/base/errors.ts';
import type { PlacementHistory, RunRecord } from '../../../../src/core/run/run.ts';
import type { VCenterSession, VmEvent } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import { watchedProviders } from '../series.ts';
import { classify, isMove } from './classify.ts';
import { createPlacementLog, type MovedBy } from './placementLog.ts';

const periodMs = 20_000;
/** vCenter may write an event a little after its time. */
const overlapMs = 60_000;
const mostTold = 1_000;
const mostFindings = 30;
const mostPages = 20;
const journalKey = 'vcenter.events';

export interface VmWatch {
  /** Reads once more and ends. */
  finish(): Promise<void>;
}

/** VMs that are followed: those under load by tile, then those that only operations work on. */
function followedVms(
  { testbed, plan }: Pick<RunRecord, 'testbed' | 'plan'>,
  nameOf: (ref: string) => string,
): PlacementHistory['vms'] {
  const tiles = testbed.tiles
    .slice(0, plan.tiles)
    .flatMap((tile, index) =>
      tile.workloads.flatMap((w) =>
        w.vm ? [{ ref: w.vm.ref, name: w.vm.name, tile: index }] : [],
      ),
    );
  const { infrastructure: targets } = testbed;
  const others = [
    ...(targets?.vmotionVmRefs ?? []),
    ...(targets?.xvmotion?.vmRefs ?? []),
    ...(targets?.storageVmotion?.vmRefs ?? []),
    ...(targets?.snapshotVmRefs ?? []),
  ].map((ref) => ({ ref, name: nameOf(ref), tile: null }));
  return [...new Map([...others, ...tiles].map((vm) => [vm.ref, vm])).values()].sort(
    (a, b) => (a.tile ?? Infinity) - (b.tile ?? Infinity),
  );
}

/**
 * Follows what happens to the run's VMs in vCenter until `signal` fires: events every 20 s,
 * back-filled after a gap, and where each VM runs. Null without a vCenter.
 */
export function watchVms(context: RunContext, signal: AbortSignal): VmWatch | null {
  const { run, deps, db } = context;
  const record = run.record();
  const { inventoryBefore: inventory } = record;
  const vcenterId = record.testbed.vcenterId;
  if (vcenterId === null || inventory === null) return null;
  const vmNames = new Map(inventory.vms.map((vm) => [vm.ref, vm.name]));
  const hostNames = new Map(inventory.hosts.map((host) => [host.ref, host.name]));
  const nameOf = {
    vm: (ref: string) => vmNames.get(ref) ?? ref,
    host: (ref: string) => hostNames.get(ref) ?? ref,
  };
  const hosts = new Set(watchedProviders(context.units, inventory).hosts.map((host) => host.ref));
  const stored = record.overview.placement;
  const vms = stored?.vms ?? followedVms(record, nameOf.vm);
  if (vms.length === 0) return null;
  const log = createPlacementLog(
    stored ?? {
      hosts: inventory.hosts
        .filter((host) => hosts.has(host.ref))
        .map(({ ref, name }) => ({ ref, name })),
      vms,
      moves: [],
    },
    nameOf.host,
  );
  const followed = new Set(vms.map((vm) => vm.ref));
  const startMs = record.overview.startedAtMs ?? deps.clock.now();
  const journal = db.samples.journal(run.id).find((entry) => entry.key === journalKey);
  const knownKey = journal?.resume.offset ?? -1;
  let sinceMs = journal && Number.isFinite(journal.lastTMs) ? journal.lastTMs : startMs;
  const seen = new Set<number>();
  /** Moves whose event does not say where to: the next look does. */
  const lately = new Map<string, { tMs: number; by: MovedBy }>();
  // Told and stored by the engine before, between two flushes of the journal.
  const toldBefore = new Set(record.overview.events.map((event) => `${event.tMs} ${event.text}`));
  let told = record.overview.events.filter(
    (event) => event.by === 'drs' || event.by === 'other',
  ).length;
  let untold = 0;
  let first = !stored;
  let awaySinceMs: number | null = null;

  const concerns = (event: VmEvent): boolean =>
    event.vmRef !== null
      ? followed.has(event.vmRef)
      : event.hostRef !== null
        ? hosts.has(event.hostRef)
        : true;
  function take(event: VmEvent, offsetMs: number): void {
    const tMs = event.tMs - offsetMs;
    if (event.key <= knownKey || seen.has(event.key) || tMs < startMs - 1_000 || !concerns(event))
      return;
    seen.add(event.key);
    const ours = context.ownMoves.isOurs(event, tMs);
    if (isMove(event) && event.vmRef !== null) {
      const by: MovedBy = ours
        ? 'run'
        : event.type === 'VmMigratedEvent' || event.type === 'VmRelocatedEvent'
          ? 'other'
          : 'drs';
      if (event.hostRef === null) lately.set(event.vmRef, { tMs, by });
      else log.put(event.vmRef, event.hostRef, tMs, by);
    }
    const what = classify(event, ours, nameOf);
    if (what === null || toldBefore.has(`${tMs} ${what.text}`)) return;
    if (told >= mostTold) {
      untold += 1;
      return;
    }
    told += 1;
    run.event(what.kind, what.text, {
      tMs,
      by: what.by,
      ...((event.vmRef ?? event.hostRef) ? { entityId: event.vmRef ?? event.hostRef! } : {}),
    });
    if (what.finding !== null)
      tellFinding(`vm.${event.vmRef ?? event.hostRef ?? 'cluster'}.${event.type}`, what.finding);
  }
  function tellFinding(
    id: string,
    finding: NonNullable<ReturnType<typeof classify>>['finding'] & object,
  ): void {
    const known = run.overview().findings.filter((one) => one.id.startsWith('vm.'));
    if (known.length < mostFindings || known.some((one) => one.id === id))
      run.finding({ id, ...finding });
    else
      run.finding({
        id: 'vm.more',
        severity: 'warn',
        text: `More happened to VMs and hosts than ${mostFindings} findings can say: see the events.`,
      });
  }

  async function readEvents(
    session: VCenterSession,
    offsetMs: number,
    until: AbortSignal,
  ): Promise<void> {
    let fromMs = Math.max(startMs, sinceMs - overlapMs) + offsetMs;
    for (let page = 1; ; page += 1) {
      const { events, truncated } = await session.events(fromMs, until);
      for (const event of events) take(event, offsetMs);
      const newest = events.at(-1);
      if (newest) {
        sinceMs = Math.max(sinceMs, newest.tMs - offsetMs);
        context.pipeline.journal({
          key: journalKey,
          resume: { offset: Math.max(knownKey, ...events.map((event) => event.key)) },
          lastTMs: sinceMs,
        });
      }
      if (!truncated || !newest || newest.tMs <= fromMs) return;
      if (page >= mostPages) {
        run.finding({
          id: 'vcenter.eventsCut',
          severity: 'warn',
          text:
            'vCenter has more events than can be read: those after ' +
            `${new Date(newest.tMs).toISOString()} came late or are missing.`,
        });
        return;
      }
      fromMs = newest.tMs;
    }
  }
  async function readPlaces(session: VCenterSession, until: AbortSignal): Promise<void> {
    const places = await session.placements([...followed], until);
    for (const [ref, { hostRef }] of places) {
      const { tMs, by } = first
        ? { tMs: startMs, by: 'start' as const }
        : (lately.get(ref) ?? { tMs: deps.clock.now(), by: 'unknown' as const });
      log.put(ref, hostRef, tMs, by);
    }
    lately.clear();
    first = false;
    const { history, changed, left } = log.take();
    if (changed) run.change({}, { placement: history });
    if (left > 0)
      run.finding({
        id: 'placement.cut',
        severity: 'warn',
        text:
          `VMs moved more often than the placement keeps: ${left} ` +
          `${left === 1 ? 'move is' : 'moves are'} not in it.`,
      });
  }
  async function read(until: AbortSignal): Promise<void> {
    try {
      const session = await context.peers.vcenter(vcenterId!, until);
      const { offsetMs } = await session.clockOffset(until);
      if (first) await readPlaces(session, until);
      await readEvents(session, offsetMs, until);
      await readPlaces(session, until);
      if (awaySinceMs !== null)
        run.finding({
          id: 'vcenter.events',
          severity: 'info',
          text:
            'VM events could not be read for ' +
            `${Math.round((deps.clock.now() - awaySinceMs) / 1_000)} s and were read ` +
            'afterwards; where VMs ran meanwhile is known by their events only.',
        });
      awaySinceMs = null;
    } catch (error) {
      if (until.aborted || awaySinceMs !== null) return;
      awaySinceMs = deps.clock.now();
      run.finding({
        id: 'vcenter.events',
        severity: 'warn',
        text: `VM events and places cannot be read: ${toAppError(error).message}`,
      });
    }
  }
  const looking = (async () => {
    while (!signal.aborted) {
      await read(signal);
      await deps.clock
        .sleep(Math.max(periodMs, deps.clock.grainMs?.() ?? 0), signal)
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
    }
  })();
  return {
    async finish() {
      await looking;
      await read(AbortSignal.any([run.hard, context.detached]));
      if (untold > 0)
        run.finding({
          id: 'vm.events',
          severity: 'info',
          text: `${untold} further events of vCenter are not listed: ${mostTold} are.`,
        });
    },
  };
}
