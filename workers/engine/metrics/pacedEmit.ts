import type { RunOverview } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { Emit, EventName, EventPayload } from '../../../src/wire/contract.ts';
import { mergeThinned } from './thin.ts';

export interface PacedEmit {
  emit: Emit;
  /** Sends what is held back, and holds nothing back from then on. */
  close(): void;
}
export interface PacedEmitOptions {
  emit: Emit;
  /** Least real time between two events of one kind about one thing. */
  everyMs?: number;
  /** Points a series in one batch, where more have gathered. */
  pointsPerSeries?: number;
  /** Real milliseconds from any origin. */
  wall?: () => number;
  /** Calls back after real milliseconds; gives the way to cancel. */
  timer?: (ms: number, ring: () => void) => () => void;
}

function realTimer(ms: number, ring: () => void): () => void {
  // Keeps the process: what is held must be told before it ends.
  const timer = setTimeout(ring, ms);
  return () => clearTimeout(timer);
}

/** What an event is about; null: told at once, for what is rare and must not wait. */
function subjectOf(event: EventName, payload: unknown): string | null {
  switch (event) {
    case 'run.changed':
      return `${event} ${(payload as RunOverview).id}`;
    case 'run.samples':
      return `${event} ${(payload as EventPayload<'run.samples'>).runId}`;
    case 'list.changed':
      return `${event} ${(payload as EventPayload<'list.changed'>).list}`;
    case 'provision.changed':
      return `${event} ${(payload as EventPayload<'provision.changed'>).testbedId}`;
    case 'guest.changed':
      return `${event} ${(payload as EventPayload<'guest.changed'>).testbedId}`;
    case 'lab.changed':
      return event;
    // A study changes a few times a run, a check as often as it has parts.
    case 'run.series':
    case 'notice':
    case 'study.changed':
    case 'check.changed':
    case 'history.changed':
    case 'update.changed':
    case 'report.progress':
      return null;
  }
}

/**
 * Keeps events to the speed of who watches, not of the virtual clock: of one subject one event
 * every `everyMs` of real time, the newest state or all samples since, thinned. What is held back
 * is always told later; an end of a run at once.
 */
export function createPacedEmit(options: PacedEmitOptions): PacedEmit {
  const {
    emit,
    everyMs = 100,
    pointsPerSeries = 9,
    wall = () => performance.now(),
    timer = realTimer,
  } = options;
  const sentWall = new Map<string, number>();
  /** In the order in which they will be told. */
  const held = new Map<string, { event: EventName; payload: unknown; batches: Float64Array[] }>();
  let cancel: (() => void) | null = null;
  let closed = false;

  const tell = (subject: string): void => {
    const one = held.get(subject);
    if (!one) return;
    held.delete(subject);
    sentWall.set(subject, wall());
    if (one.event === 'run.samples')
      emit('run.samples', {
        runId: (one.payload as EventPayload<'run.samples'>).runId,
        batch: mergeThinned(one.batches, pointsPerSeries),
      });
    else emit(one.event, one.payload as never);
  };
  const tellDue = (): void => {
    cancel = null;
    const now = wall();
    let nextMs = Infinity;
    for (const subject of [...held.keys()]) {
      const waitMs = everyMs - (now - (sentWall.get(subject) ?? -Infinity));
      if (waitMs <= 0) tell(subject);
      else nextMs = Math.min(nextMs, waitMs);
    }
    if (Number.isFinite(nextMs)) cancel = timer(nextMs, tellDue);
  };

  return {
    emit(event, payload) {
      const subject = subjectOf(event, payload);
      if (subject === null || closed) {
        emit(event, payload);
        return;
      }
      const known = held.get(subject) ?? { event, payload, batches: [] };
      known.payload = payload;
      if (event === 'run.samples')
        known.batches.push((payload as EventPayload<'run.samples'>).batch);
      held.set(subject, known);
      if (event === 'run.changed' && isEnd((payload as RunOverview).state)) {
        tell(`run.samples ${(payload as RunOverview).id}`);
        tell(subject);
        sentWall.delete(`run.samples ${(payload as RunOverview).id}`);
        return;
      }
      const waitMs = everyMs - (wall() - (sentWall.get(subject) ?? -Infinity));
      if (waitMs <= 0) tell(subject);
      else cancel ??= timer(waitMs, tellDue);
    },
    close() {
      closed = true;
      cancel?.();
      for (const subject of [...held.keys()]) tell(subject);
    },
  };
}
