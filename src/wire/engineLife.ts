import type { AppErrorShape } from '../core/base/errors.ts';
import { beatsFrom, type Heartbeat, lookAt, silenceLimitMs } from './heartbeat.ts';

/*
 * How a host keeps an engine process: starts it, asks it for a sign of life, starts it again after
 * a pause that grows, and ends it. A pure table of states: what happened and the time give the next
 * state and what is to be done. `supervisor.ts` does it.
 */

/**
 * Silence of an engine that was ready, in ms: after the first it is told, after the second it is
 * ended and started again.
 */
export const noticeAfterMs = 10_000;
export const killAfterMs = silenceLimitMs;
/**
 * A start may bring a large database to a new schema: its silence is told, and left to the user.
 */
export const slowStartAfterMs = 60_000;
/** Between two tries for a folder that another Tilebench holds. */
export const waitEveryMs = 3_000;
/** An engine that ran this long without an end has no history of crashes. */
export const quietMs = 60_000;
/** Ends in a row, each before a quiet time; with one more the engine is given up. */
export const maxCrashes = 8;

/** Before the n-th start in a row, n from 1. */
export const pauseMs = (crashes: number): number => Math.min(30_000, 250 * 2 ** (crashes - 1));

export interface EngineLife extends Heartbeat {
  phase: 'starting' | 'running' | 'unresponsive' | 'pausing' | 'failed' | 'stopping' | 'stopped';
  /** There is a process. */
  alive: boolean;
  /** When this process was ready; null = not yet. */
  readyMs: number | null;
  /** When a pause or the grace of a stop is over. */
  dueMs: number;
  crashes: number;
  /** Why it could not start. */
  error: AppErrorShape | null;
  /** The user waits for the folder that another Tilebench holds. */
  waiting: boolean;
}
export type LifeEvent =
  | { k: 'ready' }
  | { k: 'pong' }
  /** It says itself why it cannot start, or its host why it must not run. */
  | { k: 'refused'; error: AppErrorShape }
  | { k: 'exited' }
  | { k: 'tick' }
  /** The user: start again at once. */
  | { k: 'retry' }
  /** The user: start as soon as the folder is free. */
  | { k: 'wait' }
  | { k: 'stop'; graceMs: number };
export type LifeAct = 'launch' | 'ping' | 'askStop' | 'kill';
export interface LifeStep {
  life: EngineLife;
  acts: readonly LifeAct[];
}

/** Another engine has the data folder: it can be waited for. */
export const isHeld = (error: AppErrorShape | null): boolean =>
  error?.details?.['heldBy'] === 'engine';

/** The life of an engine that is launched now. */
export const bornAt = (nowMs: number): EngineLife => ({
  phase: 'starting',
  alive: true,
  readyMs: null,
  ...beatsFrom(nowMs),
  dueMs: 0,
  crashes: 0,
  error: null,
  waiting: false,
});

/** What follows from an event at `nowMs`, a clock that never goes back. */
export function stepLife(life: EngineLife, event: LifeEvent, nowMs: number): LifeStep {
  const none = (next: EngineLife = life): LifeStep => ({ life: next, acts: [] });
  switch (event.k) {
    case 'ready':
      if (!life.alive || life.phase === 'stopping') return none();
      return none({
        ...life,
        phase: 'running',
        readyMs: nowMs,
        heardMs: nowMs,
        error: null,
        waiting: false,
      });
    case 'pong':
      return none({
        ...life,
        heardMs: nowMs,
        phase: life.phase === 'unresponsive' && life.readyMs !== null ? 'running' : life.phase,
      });
    case 'refused':
      // It has nothing to put in order: ended here, so that none stays behind.
      return life.alive && life.phase !== 'stopping'
        ? { life: { ...life, error: event.error }, acts: ['kill'] }
        : none();
    case 'exited':
      return life.alive ? none(afterExit(life, nowMs)) : none();
    case 'tick':
      return tick(life, nowMs);
    case 'retry':
      if (life.phase === 'unresponsive') return { life, acts: ['kill'] };
      return life.phase === 'failed' || life.phase === 'pausing'
        ? launch({ ...life, crashes: 0 }, nowMs)
        : none();
    case 'wait':
      return life.phase === 'failed' && isHeld(life.error)
        ? none({ ...life, phase: 'pausing', waiting: true, dueMs: nowMs + waitEveryMs })
        : none();
    case 'stop':
      if (life.phase === 'stopping' || life.phase === 'stopped') return none();
      if (!life.alive) return none({ ...life, phase: 'stopped' });
      return {
        life: { ...life, phase: 'stopping', dueMs: nowMs + event.graceMs },
        acts: ['askStop'],
      };
  }
}

const launch = (life: EngineLife, nowMs: number): LifeStep => ({
  life: { ...bornAt(nowMs), crashes: life.crashes, waiting: life.waiting },
  acts: ['launch'],
});

function afterExit(before: EngineLife, nowMs: number): EngineLife {
  const life = { ...before, alive: false };
  if (life.phase === 'stopping') return { ...life, phase: 'stopped' };
  if (life.error !== null)
    return life.waiting && isHeld(life.error)
      ? { ...life, phase: 'pausing', dueMs: nowMs + waitEveryMs }
      : { ...life, phase: 'failed', waiting: false };
  const quiet = life.readyMs !== null && nowMs - life.readyMs >= quietMs;
  const crashes = quiet ? 1 : life.crashes + 1;
  if (crashes <= maxCrashes)
    return { ...life, crashes, phase: 'pausing', dueMs: nowMs + pauseMs(crashes) };
  return {
    ...life,
    crashes,
    phase: 'failed',
    waiting: false,
    error: {
      kind: 'internal',
      message: `The engine ended ${crashes} times in a row.`,
      hint: 'See tilebench.log in the folder logs of the data folder.',
    },
  };
}

function tick(before: EngineLife, nowMs: number): LifeStep {
  const { beat: life, silentMs, isPingDue } = lookAt(before, nowMs);
  const acts: LifeAct[] = [];
  switch (life.phase) {
    case 'pausing':
      return nowMs >= life.dueMs ? launch(life, nowMs) : { life, acts };
    case 'stopping':
      return { life, acts: nowMs >= life.dueMs ? ['kill'] : [] };
    case 'starting':
      if (silentMs >= slowStartAfterMs) life.phase = 'unresponsive';
      return { life, acts };
    case 'running':
    case 'unresponsive':
      if (life.readyMs === null) return { life, acts };
      if (silentMs >= noticeAfterMs) life.phase = 'unresponsive';
      if (silentMs >= killAfterMs) return { life, acts: ['kill'] };
      if (!isPingDue) return { life, acts };
      return { life: { ...life, pingedMs: nowMs }, acts: ['ping'] };
    case 'failed':
    case 'stopped':
      return { life, acts };
  }
}
