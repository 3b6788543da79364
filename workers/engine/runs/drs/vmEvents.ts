import type { VCenterSession, VmEvent } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import type { LiveRun } from '../liveRun.ts';
import { classify, explains, isMove, type Told } from './classify.ts';
import type { VmPlaces } from './vmPlaces.ts';

/** vCenter may write an event a little after its time. */
const overlapMs = 60_000;
const mostTold = 1_000;
const mostFindings = 30;
const mostPages = 20;
const journalKey = 'vcenter.events';

/** Whose events a run follows. */
export interface Followed {
  vms: ReadonlySet<string>;
  hosts: ReadonlySet<string>;
  nameOf: { vm: (ref: string) => string; host: (ref: string) => string };
}

export interface VmEventReader {
  /** Reads what is new since the last call, or since an engine before; tells it of the run. */
  read(session: VCenterSession, offsetMs: number, signal: AbortSignal): Promise<void>;
  /** Says how many were too many to be told. */
  tellRest(): void;
}

/** `startMs`: events before the run are not its own. */
export function createVmEventReader(
  context: RunContext,
  followed: Followed,
  places: VmPlaces,
  startMs: number,
): VmEventReader {
  const { run, db, ownMoves } = context;
  const { overview } = run.record();
  const journal = db.samples.journal(run.id).find((entry) => entry.key === journalKey);
  const knownKey = journal?.resume.offset ?? -1;
  let sinceMs = journal && Number.isFinite(journal.lastTMs) ? journal.lastTMs : startMs;
  const seen = new Set<number>();
  // Told and stored by the engine before, between two flushes of the journal.
  const toldBefore = new Set(overview.events.map((event) => `${event.tMs} ${event.text}`));
  let told = overview.events.filter((event) => event.by !== undefined && event.by !== 'run').length;
  let untold = 0;

  function apply(event: VmEvent, offsetMs: number): void {
    const tMs = event.tMs - offsetMs;
    if (event.key <= knownKey || seen.has(event.key) || tMs < startMs - 1_000) return;
    if (!concerns(followed, event)) return;
    seen.add(event.key);
    const ours = ownMoves.isOurs(event, tMs);
    if (isMove(event) && event.vmRef !== null)
      places.moved(event.vmRef, event.hostRef, tMs, movedBy(event, ours));
    const what = classify(event, ours, followed.nameOf);
    if (what === null || toldBefore.has(`${tMs} ${what.text}`)) return;
    if (told >= mostTold) {
      untold += 1;
      return;
    }
    told += 1;
    tell(run, event, what, tMs);
  }

  return {
    async read(session, offsetMs, signal) {
      let fromMs = Math.max(startMs, sinceMs - overlapMs) + offsetMs;
      for (let page = 1; ; page += 1) {
        const { events, truncated } = await session.events(fromMs, signal);
        for (const event of events) apply(event, offsetMs);
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
    },
    tellRest() {
      if (untold > 0)
        run.finding({
          id: 'vm.events',
          severity: 'info',
          text: `${untold} further events of vCenter are not listed: ${mostTold} are.`,
        });
    },
  };
}

const concerns = ({ vms, hosts }: Followed, { vmRef, hostRef }: VmEvent): boolean =>
  vmRef !== null ? vms.has(vmRef) : hostRef !== null ? hosts.has(hostRef) : true;

function movedBy(event: VmEvent, ours: boolean): 'run' | 'other' | 'drs' {
  if (ours) return 'run';
  return event.type === 'VmMigratedEvent' || event.type === 'VmRelocatedEvent' ? 'other' : 'drs';
}

/** Whether acts of the plan that have begun explain it. */
function isOfAct(run: LiveRun, event: VmEvent): boolean {
  const begun = (id: string): boolean =>
    run
      .overview()
      .acts?.some((one) => one.id === id && (one.before !== null || one.startedMs !== null)) ===
    true;
  return (run.record().plan.acts ?? []).some((act) => begun(act.id) && explains(act, event));
}

function tell(run: LiveRun, event: VmEvent, what: Told, tMs: number): void {
  const entityId = event.vmRef ?? event.hostRef;
  run.event(what.kind, what.text, { tMs, by: what.by, ...(entityId ? { entityId } : {}) });
  if (what.finding === null || isOfAct(run, event)) return;
  const id = `vm.${entityId ?? 'cluster'}.${event.type}`;
  const known = run.overview().findings.filter((one) => one.id.startsWith('vm.'));
  if (known.length < mostFindings || known.some((one) => one.id === id))
    run.finding({ id, ...what.finding });
  else
    run.finding({
      id: 'vm.more',
      severity: 'warn',
      text: `More happened to VMs and hosts than ${mostFindings} findings can say: see the events.`,
    });
}
