import type { Clock, ClockJump } from '../deps.ts';

/** Where a clock gets its time. All in milliseconds. */
export interface TimeSources {
  /** Epoch; steps when somebody or something sets the computer's clock. */
  wallMs(): number;
  /** From any origin; only grows, and may stand while the computer sleeps. */
  monotonicMs(): number;
  /**
   * From any origin; only grows, the computer's sleep counts. May be coarse: whole seconds on some
   * systems.
   */
  uptimeMs(): number;
  /** As `Clock.sleep`, by a timer of the platform. */
  delay(ms: number, signal?: AbortSignal): Promise<void>;
}

/** No timer is longer: a long one stretches by as much as the computer sleeps. */
const sliceMs = 1_000;
/** A process that was not run for so long stood still; less happens on a busy machine. */
const standMs = 5_000;
/** The wall may stray so far from monotonic time before it is said to have stepped. */
const strayMs = 1_000;
/** `uptimeMs` may be wrong by its whole seconds, twice. */
const coarseMs = 1_500;
/** A wall clock may be slewed at this rate (adjtime: 500 ppm): that is no step. */
const slewRate = 0.0005;

/** What became of wall and monotonic time between two looks; all in milliseconds. */
interface Drift {
  sleptMs: number;
  stoodMs: number;
  steppedMs: number;
}
interface DriftWatch {
  /** From now on. */
  anchor(): void;
  /** null where both went on alike. */
  look(): Drift | null;
}

function watchDrift(sources: TimeSources): DriftWatch {
  let lookedMs = 0;
  /** What the wall shows beyond monotonic time, and what uptime does. */
  let wallAheadMs = 0;
  let uptimeAheadMs = 0;

  /** How much of what the wall strayed is sleep, and how much a step. */
  function explain(stray: number, tick: number): Pick<Drift, 'sleptMs' | 'steppedMs'> {
    const away = sources.uptimeMs() - tick - uptimeAheadMs;
    if (away <= coarseMs) return { sleptMs: 0, steppedMs: Math.round(stray) };
    uptimeAheadMs += away;
    const rest = stray - away;
    return Math.abs(rest) <= coarseMs
      ? { sleptMs: stray, steppedMs: 0 }
      : { sleptMs: away, steppedMs: Math.round(rest) };
  }

  return {
    anchor() {
      lookedMs = sources.monotonicMs();
      wallAheadMs = sources.wallMs() - lookedMs;
      uptimeAheadMs = sources.uptimeMs() - lookedMs;
    },
    look() {
      const tick = sources.monotonicMs();
      const ranMs = tick - lookedMs;
      const stray = sources.wallMs() - tick - wallAheadMs;
      lookedMs = tick;
      const strayed = Math.abs(stray) > strayMs;
      const stoodMs = ranMs > standMs ? ranMs : 0;
      const most = Math.max(0, ranMs) * slewRate;
      wallAheadMs += strayed ? stray : Math.max(-most, Math.min(most, stray));
      if (!strayed) return stoodMs === 0 ? null : { sleptMs: 0, stoodMs, steppedMs: 0 };
      return { stoodMs, ...explain(stray, tick) };
    },
  };
}

/**
 * The one watcher of wall against monotonic time. While somebody holds it, `now` does not step with
 * the computer's clock: what is planned stays as long as planned, and what is measured stays in
 * order. Sleep counts in `now`, not in `sleep`: a plan goes on while the lid is closed, patience does
 * not.
 */
export function createSteadyClock(sources: TimeSources): Clock {
  const holders = new Set<(jump: ClockJump) => void>();
  const drift = watchDrift(sources);
  let ticking: AbortController | null = null;
  /** By how much the wall stepped since it is held. */
  let shiftMs = 0;
  let awayMs = 0;

  function look(): void {
    const found = drift.look();
    if (found === null) return;
    const { sleptMs, stoodMs, steppedMs } = found;
    shiftMs += steppedMs;
    const gone = Math.round(sleptMs + stoodMs);
    const wall = sources.wallMs();
    const atMs = wall - shiftMs;
    if (gone > 0) {
      awayMs += stoodMs;
      tell({ kind: sleptMs > 0 ? 'slept' : 'stood', atMs, fromMs: atMs - gone, toMs: atMs });
    }
    if (steppedMs !== 0) tell({ kind: 'stepped', atMs, fromMs: wall - steppedMs, toMs: wall });
  }

  function tell(jump: ClockJump): void {
    for (const holder of [...holders]) holder(jump);
  }

  function startTicking(): void {
    const stop = new AbortController();
    ticking = stop;
    void (async () => {
      while (!stop.signal.aborted) {
        look();
        await sources.delay(sliceMs, stop.signal).catch((error: unknown) => {
          if (!stop.signal.aborted) throw error;
        });
      }
    })();
  }

  return {
    now() {
      if (holders.size === 0) return sources.wallMs();
      look();
      return sources.wallMs() - shiftMs;
    },
    awakeMs() {
      if (holders.size > 0) look();
      return sources.monotonicMs() - awayMs;
    },
    sleep: (ms, signal) => sleepAwake(sources, ms, signal),
    hold(onJump) {
      // An own function for each holder: the same one may be given twice.
      const holder = (jump: ClockJump): void => onJump(jump);
      if (holders.size === 0) {
        drift.anchor();
        startTicking();
      }
      holders.add(holder);
      return {
        realign: (steppedMs) => {
          shiftMs += Math.round(steppedMs);
        },
        release: () => {
          if (!holders.delete(holder) || holders.size > 0) return;
          shiftMs = 0;
          ticking?.abort();
          ticking = null;
        },
      };
    },
  };
}

/** Resolves after `ms` in which this process ran. */
async function sleepAwake(sources: TimeSources, ms: number, signal?: AbortSignal): Promise<void> {
  let left = ms;
  do {
    const slice = Math.max(0, Math.min(left, sliceMs));
    const before = sources.monotonicMs();
    await sources.delay(slice, signal);
    const took = sources.monotonicMs() - before;
    // Answers that came meanwhile lie unread: who waits for them gets the slice once more.
    if (took <= slice + standMs) left -= Math.max(slice, took);
  } while (left > 0);
}
