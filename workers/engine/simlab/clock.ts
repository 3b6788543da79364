import { fail } from '../../../src/core/base/errors.ts';
import type { Clock } from '../deps.ts';
import { createTimerHeap, type Timer } from './timerHeap.ts';

/** `speed`: virtual seconds a real second; null = as fast as the machine goes. */
export interface Pace {
  speed: number | null;
  paused: boolean;
}

export interface VirtualClock extends Clock {
  pace(): Pace;
  setPace(pace: Pace): void;
  /** Told when the pace changes, and about once a real second while time passes. */
  onTick(listener: () => void): () => void;
  /** Ends the pump. Nothing that sleeps wakes any more. */
  close(): void;
}

export interface VirtualClockOptions extends Partial<Pace> {
  /** Epoch ms. */
  startMs: number;
  /** Real milliseconds from any origin; never goes back. */
  wall?: () => number;
  /** Calls back after real milliseconds; gives the way to cancel. */
  timer?: (ms: number, ring: () => void) => () => void;
  /** Resolves when everything that was ready to run has run. */
  turn?: () => Promise<void>;
}

const tickEveryMs = 1_000;
/** From this speed on nobody can watch single seconds: five of them are looked at together. */
const fastFrom = 300;
const fastGrainMs = 5_000;
/** A machine that cannot keep the pace is not made to hurry after it. */
const mostBehindMs = 500;

function realTimer(ms: number, ring: () => void): () => void {
  const timer = setTimeout(ring, Math.min(ms, 2 ** 30));
  return () => clearTimeout(timer);
}
/**
 * One turn of the event loop: promise chains end before it, and messages of other threads come in
 * on the way.
 */
const realTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Tells its listeners at most once a real second, unless forced. */
function createTicker(wall: () => number): {
  tick: (force: boolean) => void;
  onTick: VirtualClock['onTick'];
} {
  const listeners = new Set<() => void>();
  let tickedWall = -Infinity;
  return {
    tick(force) {
      if (!force && wall() - tickedWall < tickEveryMs) return;
      tickedWall = wall();
      for (const listener of [...listeners]) listener();
    },
    onTick(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Waits for the wall, one at a time; `interrupt` ends the wait there is. */
function createRest(timer: NonNullable<VirtualClockOptions['timer']>): {
  wait: (ms: number) => Promise<void>;
  interrupt: () => void;
} {
  let kick: (() => void) | null = null;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const done = (): void => {
          kick = null;
          resolve();
        };
        const cancel = timer(ms, done);
        kick = () => {
          cancel();
          done();
        };
      }),
    interrupt() {
      kick?.();
    },
  };
}

/** The timer of a sleep, not yet in the heap; null where it was cancelled before it began. */
function timerOf(sleep: {
  dueMs: number;
  order: number;
  signal: AbortSignal | undefined;
  heap: ReturnType<typeof createTimerHeap>;
  resolve: () => void;
  reject: (error: Error) => void;
}): Timer | null {
  const { dueMs, order, signal, heap, resolve, reject } = sleep;
  const cancelled = (): void => {
    heap.cancel(entry);
    reject(fail('aborted', 'The wait was cancelled.'));
  };
  const entry: Timer = {
    dueMs,
    order,
    live: true,
    wake: () => {
      signal?.removeEventListener('abort', cancelled);
      resolve();
    },
  };
  if (signal?.aborted) {
    entry.live = false;
    cancelled();
    return null;
  }
  signal?.addEventListener('abort', cancelled, { once: true });
  return entry;
}

/**
 * Virtual time as a discrete-event scheduler: it stands while work is going on, jumps to the next
 * timer when all of it has drained, and at a finite speed never runs ahead of the wall. With no
 * timer it follows the wall at its speed; as fast as the machine goes means then: it stands. Timers
 * of equal time wake in the order they were set.
 */
export function createVirtualClock(options: VirtualClockOptions): VirtualClock {
  const { wall = () => performance.now(), timer = realTimer, turn = realTurn } = options;
  const heap = createTimerHeap();
  const ticker = createTicker(wall);
  const rest = createRest(timer);
  let pace: Pace = {
    speed: options.speed === undefined ? 1 : options.speed,
    paused: options.paused ?? false,
  };
  let nowMs = options.startMs;
  /** Virtual time `baseMs` was allowed at wall time `baseWall`. */
  let baseMs = nowMs;
  let baseWall = wall();
  let order = 0;
  let working = false;
  let pumping = false;
  let closed = false;

  const allowedMs = (): number =>
    pace.paused
      ? nowMs
      : pace.speed === null
        ? Infinity
        : baseMs + (wall() - baseWall) * pace.speed;
  const rebase = (): void => {
    baseMs = nowMs;
    baseWall = wall();
  };
  /** Outside the pump's work time follows the wall, up to the next timer. */
  const follow = (): number => {
    if (!working && !pace.paused && pace.speed !== null)
      nowMs = Math.max(nowMs, Math.floor(Math.min(allowedMs(), heap.peek()?.dueMs ?? Infinity)));
    return nowMs;
  };
  async function pump(): Promise<void> {
    for (;;) {
      // Also when the last timer has just rung: what it woke works now, and time must stand for it.
      working = true;
      await turn();
      const next = heap.peek();
      if (!next || closed) break;
      const aheadMs = next.dueMs - allowedMs();
      if (aheadMs > 0) {
        working = false;
        // Paused: until the pace changes or another timer is set.
        await rest.wait(
          pace.paused || pace.speed === null ? 2 ** 30 : Math.max(1, aheadMs / pace.speed),
        );
        continue;
      }
      nowMs = Math.max(nowMs, next.dueMs);
      if (pace.speed !== null && -aheadMs > mostBehindMs * pace.speed) rebase();
      for (let one = heap.peek(); one && one.dueMs <= nowMs; one = heap.peek()) {
        heap.pop();
        one.wake();
      }
      ticker.tick(false);
    }
    working = false;
  }
  const startPump = (): void => {
    if (pumping || closed) return;
    pumping = true;
    void pump().finally(() => {
      pumping = false;
      if (heap.size > 0 && !closed) startPump();
    });
  };

  return {
    now: follow,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        const dueMs = follow() + Math.max(0, ms);
        const entry = timerOf({ dueMs, order: (order += 1), signal, heap, resolve, reject });
        if (!entry) return;
        const first = heap.peek();
        heap.push(entry);
        if (first === undefined || entry.dueMs < first.dueMs) rest.interrupt();
        startPump();
      });
    },
    grainMs: () => (pace.speed === null || pace.speed >= fastFrom ? fastGrainMs : 0),
    pace: () => pace,
    setPace(next) {
      follow();
      pace = { ...next };
      rebase();
      rest.interrupt();
      ticker.tick(true);
    },
    onTick: ticker.onTick,
    close() {
      closed = true;
      rest.interrupt();
    },
  };
}
