/*
 * One rule for all who wait for signs of life of another end: a host of its engine's process, a
 * page of its channel. Pure: what was heard and the time give how long it is silent and whether it
 * is to be asked.
 */

/** Between two pings. */
export const pingEveryMs = 2_000;
/** An end that is silent for so long is given up. */
export const silenceLimitMs = 60_000;
/**
 * This computer slept, or a hidden page was held, when its own clock was not looked at for so long:
 * silence of that time says nothing.
 */
const sleptAfterMs = 5_000;

export interface Heartbeat {
  /** The last sign of life, or the beginning. */
  heardMs: number;
  pingedMs: number;
  lookedMs: number;
}

export const beatsFrom = (nowMs: number): Heartbeat => ({
  heardMs: nowMs,
  pingedMs: nowMs,
  lookedMs: nowMs,
});

/**
 * Looks at `nowMs`, a clock that never goes back; to be called more often than every
 * `sleptAfterMs`.
 */
export function lookAt<H extends Heartbeat>(
  before: H,
  nowMs: number,
): { beat: H; silentMs: number; isPingDue: boolean } {
  const slept = nowMs - before.lookedMs > sleptAfterMs;
  const beat = { ...before, lookedMs: nowMs, heardMs: slept ? nowMs : before.heardMs };
  return {
    beat,
    silentMs: nowMs - beat.heardMs,
    isPingDue: nowMs - beat.pingedMs >= pingEveryMs,
  };
}

export interface BeatClock {
  /** Milliseconds that never go back. */
  now(): number;
  every(ms: number, act: () => void): () => void;
}
export const realBeatClock: BeatClock = {
  now: () => performance.now(),
  every(ms, act) {
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  },
};

const lookEveryMs = 500;

/**
 * Asks the other end by `ping` and calls `onSilent` once when it was given up. `heard` is for every
 * message that comes.
 */
export function startHeartbeat(
  clock: BeatClock,
  ping: () => void,
  onSilent: () => void,
): { heard: () => void; stop: () => void } {
  let beat = beatsFrom(clock.now());
  const stop = clock.every(lookEveryMs, () => {
    const looked = lookAt(beat, clock.now());
    beat = looked.beat;
    if (looked.silentMs >= silenceLimitMs) {
      stop();
      onSilent();
    } else if (looked.isPingDue) {
      beat.pingedMs = beat.lookedMs;
      ping();
    }
  });
  return {
    heard: () => {
      beat.heardMs = clock.now();
    },
    stop,
  };
}
