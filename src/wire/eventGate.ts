import type { EventName, EventPayload } from './contract.ts';
import type { Reply } from './messages.ts';

/**
 * Events under way that the other end has not acknowledged; beyond it, events wait or are dropped.
 */
export const maxUnacknowledged = 64;
/** Notices and new series that wait; older ones go first. */
const maxWaiting = 200;
/** Runs one port may follow at once. */
const maxFollowed = 200;

export interface EventGate {
  push<E extends EventName>(event: E, payload: EventPayload<E>): void;
  ack(n: number): void;
  /** From now on samples of this run are sent, or no longer. */
  follow(runId: string, follows: boolean): void;
  /** Events that wait here; bounded whatever comes in. */
  readonly waiting: number;
}

/**
 * Keeps memory flat when the other end is slow, and sends samples only of the runs it follows.
 * Batches of samples are dropped (and a `gap` of their run is told when it is over); of snapshots
 * and list changes only the last is kept; notices and new series wait in order, up to a bound.
 */
export function createEventGate(send: (message: Reply) => void): EventGate {
  let sent = 0;
  let acknowledged = 0;
  const followed = new Set<string>();
  /** Runs of which samples were dropped. */
  const gaps = new Set<string>();
  const waiting = new Map<string, { event: EventName; payload: unknown }>();
  let unique = 0;

  const post = (event: EventName, payload: unknown): void => {
    sent += 1;
    send({ k: 'event', n: sent, event, payload });
  };
  const hold = (event: EventName, payload: unknown): void => {
    const key = keyOf(event, payload) ?? `${event} ${unique++}`;
    waiting.delete(key);
    waiting.set(key, { event, payload });
    if (waiting.size <= maxWaiting) return;
    const oldest = [...waiting.entries()].find(
      ([, { event: name }]) => name === 'notice' || name === 'run.series',
    );
    if (oldest !== undefined) waiting.delete(oldest[0]);
  };
  return {
    push(event, payload) {
      const runId = sampledRun(event, payload);
      if (runId !== null && !followed.has(runId)) return;
      if (sent - acknowledged < maxUnacknowledged && waiting.size === 0) post(event, payload);
      else if (runId !== null) gaps.add(runId);
      else hold(event, payload);
    },
    ack(n) {
      acknowledged = Math.min(sent, Math.max(acknowledged, n));
      for (const [key, { event, payload }] of waiting) {
        if (sent - acknowledged >= maxUnacknowledged) return;
        waiting.delete(key);
        post(event, payload);
      }
      if (sent - acknowledged >= maxUnacknowledged / 2) return;
      for (const runId of gaps) send({ k: 'gap', runId });
      gaps.clear();
    },
    follow(runId, follows) {
      if (!follows) {
        followed.delete(runId);
        gaps.delete(runId);
      } else if (followed.size < maxFollowed) followed.add(runId);
    },
    get waiting() {
      return waiting.size;
    },
  };
}

/** The run whose samples this is, or null: any other event. */
const sampledRun = (event: EventName, payload: unknown): string | null =>
  event === 'run.samples' ? (payload as EventPayload<'run.samples'>).runId : null;

/** What a later event of the same kind replaces; null = each counts. */
function keyOf(event: EventName, payload: unknown): string | null {
  switch (event) {
    case 'run.changed':
      return `run.changed ${(payload as EventPayload<'run.changed'>).id}`;
    case 'study.changed':
      return `study.changed ${(payload as EventPayload<'study.changed'>).spec.id}`;
    case 'provision.changed':
      return `provision.changed ${(payload as EventPayload<'provision.changed'>).testbedId}`;
    case 'guest.changed':
      return `guest.changed ${(payload as EventPayload<'guest.changed'>).testbedId}`;
    case 'report.progress':
      return `report.progress ${(payload as EventPayload<'report.progress'>).key}`;
    case 'check.changed':
      return `check.changed ${(payload as EventPayload<'check.changed'>).planId}`;
    case 'lab.changed':
    case 'update.changed':
    case 'history.changed':
      return event;
    case 'list.changed':
      return `list.changed ${(payload as EventPayload<'list.changed'>).list}`;
    case 'run.samples':
    case 'run.series':
    case 'notice':
      return null;
  }
}
