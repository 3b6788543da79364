import { fail } from '../../../src/core/base/errors.ts';
import type { Clock } from '../deps.ts';

export interface FakeClock extends Clock {
  /**
   * Lets `ms` pass: wakes sleepers one by one in order of their time, with everything they set off
   * done before the next.
   */
  advance(ms: number): Promise<void>;
  /** Lets time pass until `done` holds; throws when `limitMs` went by without it. */
  advanceUntil(done: () => boolean, limitMs: number, stepMs?: number): Promise<void>;
  /**
   * Lets `ms` pass in which nobody is woken; `timersStand`: timers are late by as much, as while a
   * computer sleeps.
   */
  skip(ms: number, timersStand?: boolean): void;
  readonly sleepers: number;
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const readsFiles = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/**
 * Everything that is ready to run does: promise chains settle between two ticks, and so do reads of
 * real files: on a busy machine fake hours went by while one was waited for.
 */
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await turn();
  while (readsFiles()) await turn();
}

/** A clock that stands until it is told to move. A three-hour run takes as long as its work. */
export function createFakeClock(startMs = 1_700_000_000_000): FakeClock {
  let nowMs = startMs;
  let order = 0;
  const sleepers = new Map<number, { dueMs: number; wake: () => void }>();

  const nextDue = (untilMs: number): [number, { dueMs: number; wake: () => void }] | undefined =>
    [...sleepers]
      .filter(([, s]) => s.dueMs <= untilMs)
      .sort(([a, x], [b, y]) => x.dueMs - y.dueMs || a - b)[0];

  const clock: FakeClock = {
    now: () => nowMs,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        const cancelled = (): void => {
          sleepers.delete(id);
          reject(fail('aborted', 'The wait was cancelled.'));
        };
        const id = (order += 1);
        if (signal?.aborted) {
          cancelled();
          return;
        }
        signal?.addEventListener('abort', cancelled, { once: true });
        sleepers.set(id, {
          dueMs: nowMs + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', cancelled);
            resolve();
          },
        });
      });
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settle();
      for (let next = nextDue(untilMs); next; next = nextDue(untilMs)) {
        const [id, sleeper] = next;
        sleepers.delete(id);
        nowMs = Math.max(nowMs, sleeper.dueMs);
        sleeper.wake();
        await settle();
      }
      nowMs = untilMs;
      await settle();
    },
    async advanceUntil(done, limitMs, stepMs = 1_000) {
      const deadlineMs = nowMs + limitMs;
      await settle();
      while (!done()) {
        if (nowMs >= deadlineMs) throw new Error(`Not reached within ${limitMs} ms of fake time.`);
        await clock.advance(stepMs);
      }
    },
    skip(ms, timersStand = false) {
      nowMs += ms;
      if (timersStand) for (const sleeper of sleepers.values()) sleeper.dueMs += ms;
    },
    get sleepers() {
      return sleepers.size;
    },
  };
  return clock;
}
