import { useSyncExternalStore } from 'react';

import { formatElapsed } from '../../../core/base/format.ts';
import { speedText, useLabClock } from '../../engine/labClock.ts';
import { rateOf } from '../../engine/labClock.ts';
import type { ReplayClock } from '../replay/replayClock.ts';
import { useReplayPosition } from '../replay/useReplayPosition.ts';

/**
 * How time is changed by the presenter's keys, and what it says of itself; `text` null = time
 * cannot be changed here.
 */
export interface Pace {
  text: string | null;
  rate: number;
  paused: boolean;
  toggle: () => void;
  faster: () => void;
  slower: () => void;
  /** Goes at this speed, not paused. */ set: (speed: number) => void;
}

const nothing = (): void => undefined;

/** Pace of the simulated lab; on a real lab time is as it is. */
export function useLabPace(): Pace {
  const { status, setPaused, setSpeed, step } = useLabClock();
  if (status === undefined)
    return {
      text: null,
      rate: 1,
      paused: false,
      toggle: nothing,
      faster: nothing,
      slower: nothing,
      set: nothing,
    };
  return {
    text: status.paused
      ? 'Paused'
      : status.speed === null
        ? 'Lab time as fast as it goes'
        : `Lab time ${speedText(status.speed)}`,
    rate: rateOf(status),
    paused: status.paused,
    toggle: () => {
      setPaused(!status.paused);
    },
    faster: () => {
      step(1);
    },
    slower: () => {
      step(-1);
    },
    set: setSpeed,
  };
}

/** Pace of a replay, with its position. */
export function useReplayPace(clock: ReplayClock): Pace {
  const atMs = useReplayPosition(clock);
  const { speed, playing, span } = useSyncExternalStore(clock.subscribe, clock.state);
  const paused = !playing || atMs >= span.endMs;
  return {
    text:
      `${formatElapsed(atMs - span.startMs)} of ${formatElapsed(span.endMs - span.startMs)}, ` +
      (paused ? 'paused' : `${speed}×`),
    rate: speed,
    paused,
    toggle: () => {
      clock.dispatch({ do: 'toggle' });
    },
    faster: () => {
      clock.dispatch({ do: 'faster' });
    },
    slower: () => {
      clock.dispatch({ do: 'slower' });
    },
    set: nothing,
  };
}
