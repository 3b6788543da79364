import type { ReplaySpan } from '../../../core/run/replay.ts';

/** Seconds of the run a second here. */
export const speeds = [1, 2, 5, 10, 30, 60, 120, 300, 600] as const;
export type Speed = (typeof speeds)[number];

/**
 * Where a replay stands: at `anchorMs` of the run when the wall clock was `anchorWallMs`. Positions
 * are epoch milliseconds within the span.
 */
export interface ReplayClockState {
  span: ReplaySpan;
  speed: Speed;
  playing: boolean;
  anchorMs: number;
  anchorWallMs: number;
}
export type ReplayAction =
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'toggle' }
  | { do: 'seek'; toMs: number }
  | { do: 'speed'; speed: Speed }
  | { do: 'faster' }
  | { do: 'slower' };

const within = ({ startMs, endMs }: ReplaySpan, ms: number): number =>
  Math.min(endMs, Math.max(startMs, ms));

/** The position at a wall time; stands at the end once it is reached. */
export function positionAt(state: ReplayClockState, wallMs: number): number {
  return state.playing
    ? within(state.span, state.anchorMs + Math.max(0, wallMs - state.anchorWallMs) * state.speed)
    : state.anchorMs;
}

/** The speed nearest to a wish, from an address. */
export function speedOf(wish: number): Speed {
  return speeds.reduce(
    (best, s) => (Math.abs(s - wish) < Math.abs(best - wish) ? s : best),
    speeds[0],
  );
}

/**
 * The clock after an action. Position is kept over a change of speed; to play from the end starts
 * over.
 */
export function reduceClock(
  state: ReplayClockState,
  action: ReplayAction,
  wallMs: number,
): ReplayClockState {
  const at = positionAt(state, wallMs);
  const from = (change: Partial<ReplayClockState>): ReplayClockState => ({
    ...state,
    anchorMs: at,
    anchorWallMs: wallMs,
    ...change,
  });
  const step = (by: 1 | -1): Speed =>
    speeds[Math.min(speeds.length - 1, Math.max(0, speeds.indexOf(state.speed) + by))]!;
  const atEnd = at >= state.span.endMs;
  switch (action.do) {
    case 'play':
      return from({ playing: true, ...(atEnd ? { anchorMs: state.span.startMs } : {}) });
    case 'pause':
      return from({ playing: false });
    case 'toggle':
      return reduceClock(state, { do: state.playing && !atEnd ? 'pause' : 'play' }, wallMs);
    case 'seek':
      return from({ anchorMs: within(state.span, action.toMs) });
    case 'speed':
      return from({ speed: action.speed });
    case 'faster':
      return from({ speed: step(1) });
    case 'slower':
      return from({ speed: step(-1) });
  }
}

/**
 * Where a key on the seek slider leads; null = not its key. Arrows 10 s, with Shift 1 s; Page keys
 * a tenth of the run; Home and End its ends.
 */
export function seekByKey(
  key: string,
  shift: boolean,
  atMs: number,
  span: ReplaySpan,
): number | null {
  const arrowMs = shift ? 1_000 : 10_000;
  const pageMs = (span.endMs - span.startMs) / 10;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: arrowMs,
    ArrowUp: arrowMs,
    ArrowLeft: -arrowMs,
    ArrowDown: -arrowMs,
    PageUp: pageMs,
    PageDown: -pageMs,
  };
  if (key === 'Home') return span.startMs;
  if (key === 'End') return span.endMs;
  const step = steps[key];
  return step === undefined ? null : within(span, atMs + step);
}

/** A clock that others read and follow. */
export interface ReplayClock {
  readonly state: () => ReplayClockState;
  /** Position now, epoch milliseconds of the run. */
  readonly now: () => number;
  readonly dispatch: (action: ReplayAction) => void;
  /** Told of every action, not of time passing. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createReplayClock(
  span: ReplaySpan,
  initial: { atMs?: number; speed?: Speed; playing?: boolean },
  wallMs: () => number,
): ReplayClock {
  let state: ReplayClockState = {
    span,
    speed: initial.speed ?? 60,
    playing: initial.playing ?? true,
    anchorMs: within(span, initial.atMs ?? span.startMs),
    anchorWallMs: wallMs(),
  };
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    now: () => positionAt(state, wallMs()),
    dispatch: (action) => {
      state = reduceClock(state, action, wallMs());
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
