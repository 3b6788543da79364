/** What one line of a log tells: counts of that moment, and how long a request took. Times in ms. */
export interface LoggedWork {
  /** When it was over, on the client's clock. */
  endMs: number;
  done?: number;
  failed?: number;
  tookMs?: number;
}
type WindowMetric =
  'throughput' | 'errorRate' | 'latencyMeanMs' | 'latencyP95Ms' | 'latencyP99Ms' | 'latencyMaxMs';

/** Where the first window begins (epoch ms; null before the first request), and the first not told. */
export interface WindowPlace {
  originMs: number | null;
  next: number;
}

interface Window {
  done: number;
  failed: number;
  /** Latencies in bins that are half a percent wide, so that memory does not grow with the rate. */
  bins: Map<number, number>;
  timed: number;
  sumMs: number;
  maxMs: number;
  /** Of the first line in it. */
  offset: number;
}
const newWindow = (offset: number): Window => ({
  done: 0,
  failed: 0,
  bins: new Map(),
  timed: 0,
  sumMs: 0,
  maxMs: 0,
  offset,
});

function addTo(window: Window, { done = 0, failed = 0, tookMs }: LoggedWork): void {
  window.done += done;
  window.failed += failed;
  if (tookMs === undefined) return;
  const bin = binOf(tookMs);
  window.bins.set(bin, (window.bins.get(bin) ?? 0) + 1);
  window.timed += 1;
  window.sumMs += tookMs;
  window.maxMs = Math.max(window.maxMs, tookMs);
}

const binBase = Math.log(1.005);
const leastMs = 0.001;
const binOf = (ms: number): number => Math.round(Math.log(Math.max(ms, leastMs)) / binBase);

/** Nearest rank; within half a percent, and never above the longest. */
function percentile({ bins, timed, maxMs }: Window, share: number): number {
  let left = Math.ceil(timed * share);
  for (const [bin, count] of [...bins].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return Math.min(maxMs, Math.exp(bin * binBase));
  }
  return maxMs;
}
const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Below this part of an interval a last window is too short for a rate. */
const shortest = 0.4;
/** More silent windows than this in one go are a clock that was set, not silence. */
const mostSilent = 3_600;

export interface WindowSum {
  /** `late`: its window was told before. `ahead`: further on than silence reaches. Both are not added. */
  add(work: LoggedWork, offset?: number): 'added' | 'late' | 'ahead';
  /**
   * Tells what is open, up to then (the last request unless said); a last window that is too short
   * for a rate is not told.
   */
  end(untilMs?: number): void;
  readonly place: Readonly<WindowPlace>;
  /** Of the first line in the oldest window that is open; Infinity where none is. */
  readonly firstOffset: number;
}

/**
 * Adds single requests up in windows of an interval, the first of which begins where the first
 * request did. A window is told `openAfter` intervals after its end, as requests are written a
 * little out of order. One without any work has a rate of 0.
 */
export function createWindowSum({
  intervalMs,
  emit,
  openAfter = 1,
  place: { originMs, next } = { originMs: null, next: 0 },
}: {
  intervalMs: number;
  emit: (metric: WindowMetric, tMs: number, value: number) => void;
  openAfter?: number;
  place?: WindowPlace;
}): WindowSum {
  const windows = new Map<number, Window>();
  let latestMs = -Infinity;
  const tell = (fromMs: number, window: Window | undefined, lengthMs: number): void => {
    const tMs = fromMs + lengthMs;
    windows.delete(next);
    next += 1;
    if (lengthMs < intervalMs * shortest) return;
    emit('throughput', tMs, thousandths(((window?.done ?? 0) * 1_000) / lengthMs));
    emit('errorRate', tMs, thousandths(((window?.failed ?? 0) * 1_000) / lengthMs));
    if (!window || window.timed === 0) return;
    emit('latencyMeanMs', tMs, thousandths(window.sumMs / window.timed));
    emit('latencyP95Ms', tMs, thousandths(percentile(window, 0.95)));
    emit('latencyP99Ms', tMs, thousandths(percentile(window, 0.99)));
    emit('latencyMaxMs', tMs, thousandths(window.maxMs));
  };
  return {
    add(work, offset = 0) {
      originMs ??= Math.floor(work.endMs - (work.tookMs ?? 0));
      const number = Math.max(0, Math.floor((work.endMs - originMs) / intervalMs));
      if (number - next > mostSilent) return 'ahead';
      if (number < next) return 'late';
      const window = windows.get(number) ?? newWindow(offset);
      windows.set(number, window);
      addTo(window, work);
      latestMs = Math.max(latestMs, work.endMs);
      while (originMs + (next + 1 + openAfter) * intervalMs <= latestMs)
        tell(originMs + next * intervalMs, windows.get(next), intervalMs);
      return 'added';
    },
    end(untilMs = latestMs) {
      if (originMs === null) return;
      while (originMs + next * intervalMs < untilMs) {
        const fromMs = originMs + next * intervalMs;
        tell(fromMs, windows.get(next), Math.min(intervalMs, untilMs - fromMs));
      }
    },
    get place() {
      return { originMs, next };
    },
    get firstOffset() {
      return Math.min(...[...windows.values()].map(({ offset }) => offset));
    },
  };
}
