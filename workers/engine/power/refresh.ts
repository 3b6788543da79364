import { toAppError } from '../../../src/core/base/errors.ts';
import { median } from '../../../src/core/stats/summary.ts';
import type { Clock } from '../deps.ts';
import { secondsWords } from './meterFacts.ts';

/** How often a meter is asked while it is watched, and for how long at most. */
const askEveryMs = 1_000;
const watchedMs = 60_000;
/** So many times between two new values are enough. */
const enoughSpans = 3;
/** Two questions further apart than this tell nothing of what came between. */
const lateMs = 2_500;

/**
 * Assumed of a meter that nobody has watched yet: within it the same value again is the same
 * reading. This app's choice; the test measures it.
 */
export const assumedUpdateMs = 10_000;

export interface Refresh {
  /** Time between two new values, in ms; null = none came. */
  updateMs: number | null;
  words: string;
}

/**
 * Watches how often a new value comes: asks each second until four did, a minute at most. No vendor
 * says it of `PowerConsumedWatts`, and most plugs do not. The median of the times between changes in
 * which every question came in time; what changes faster than it is asked is said to come with each
 * question. A question that fails counts for nothing, unless the first does.
 */
export async function measureRefresh(
  read: () => Promise<number | string>,
  clock: Pick<Clock, 'now' | 'sleep'>,
  signal?: AbortSignal,
): Promise<Refresh> {
  const startMs = clock.now();
  const spans: number[] = [];
  let changes = 0;
  let changedAtMs: number | null = null;
  let askedAtMs = startMs;
  let last: number | string | null = null;
  for (;;) {
    const value = await read().catch((error: unknown) => {
      signal?.throwIfAborted();
      if (last === null) throw toAppError(error);
      return last;
    });
    const nowMs = clock.now();
    // Late by the machine or by the device: what changed meanwhile is not known.
    if (nowMs - askedAtMs > lateMs) changedAtMs = null;
    askedAtMs = nowMs;
    if (last !== null && value !== last) {
      changes += 1;
      if (changedAtMs !== null) spans.push(nowMs - changedAtMs);
      changedAtMs = nowMs;
    }
    last = value;
    if (spans.length >= enoughSpans || nowMs - startMs >= watchedMs) break;
    await clock.sleep(askEveryMs, signal);
  }
  const watched = secondsWords(Math.round((clock.now() - startMs) / 1_000) * 1_000);
  if (spans.length === 0)
    return {
      updateMs: null,
      words:
        `${changes === 0 ? 'No' : changes} new value${changes > 1 ? 's' : ''} in ${watched}: how often it measures is ` +
        'not known. Test again while the machine works.',
    };
  const medianMs = median(spans);
  // Questions come a second apart: a time between two new values is known to a tenth at best.
  const updateMs = Math.max(askEveryMs, Math.round(medianMs / 100) * 100);
  return {
    updateMs,
    words: `A new value about every ${secondsWords(updateMs)} (${changes} in ${watched}).`,
  };
}
