import { useEffect, useMemo, useState } from 'react';

import type { LabStatus } from '../../core/lab/lab.ts';
import { useLabPaceMutation, useLabStatusQuery } from './api.ts';
import { extrapolatedMs } from './engineTime.ts';
import { useSimulated } from './services.ts';

/** Speeds to choose from, in simulated seconds a second; null = as fast as the machine goes. */
export const speeds: readonly (number | null)[] = [1, 10, 60, 300, 600, 1_800, 3_600, null];
export const speedText = (speed: number | null): string =>
  speed === null ? 'As fast as it goes' : `${speed}×`;

/**
 * The next slower or faster speed; stays at the ends. A speed that is not in the list moves to its
 * neighbour.
 */
export function stepSpeed(speed: number | null, by: -1 | 1): number | null {
  const of = (s: number | null): number => s ?? Infinity;
  const candidates =
    by === 1
      ? speeds.filter((s) => of(s) > of(speed))
      : speeds.filter((s) => of(s) < of(speed)).reverse();
  return candidates.length === 0 ? speed : candidates[0]!;
}

export interface LabClock {
  status: LabStatus | undefined;
  setPaused: (paused: boolean) => void;
  setSpeed: (speed: number | null) => void;
  step: (by: -1 | 1) => void;
}

/** State and pace of the simulated lab; nothing is asked in the real workspace. */
export function useLabClock(): LabClock {
  const simulated = useSimulated();
  const { data: status } = useLabStatusQuery({}, { skip: !simulated, pollingInterval: 5_000 });
  const [pace] = useLabPaceMutation();
  return useMemo(() => {
    const send = (change: { speed?: number | null; paused?: boolean }): void => {
      if (status !== undefined)
        void pace({ speed: status.speed, paused: status.paused, ...change });
    };
    return {
      status,
      setPaused: (paused) => send({ paused }),
      setSpeed: (speed) => send({ speed, paused: false }),
      step: (by) => {
        if (status !== undefined) send({ speed: stepSpeed(status.speed, by) });
      },
    };
  }, [status, pace]);
}

/** Milliseconds of simulated time in one here, as far as known. */
export const rateOf = (status: LabStatus | undefined): number =>
  status === undefined || status.paused || status.speed === null ? 0 : status.speed;

/**
 * Simulated time now, epoch ms: as last stated and as passed since, at its speed. null = not known
 * yet.
 */
export function useLabNow(status: LabStatus | undefined): number | null {
  const rate = rateOf(status);
  const [passed, setPassed] = useState<{ status: LabStatus | undefined; ms: number }>({
    status,
    ms: 0,
  });
  useEffect(() => {
    if (rate === 0) return undefined;
    const arrivedMs = performance.now();
    const timer = setInterval(
      () => setPassed({ status, ms: extrapolatedMs(performance.now() - arrivedMs, rate) }),
      500,
    );
    return () => clearInterval(timer);
  }, [status, rate]);
  return status === undefined ? null : status.nowMs + (passed.status === status ? passed.ms : 0);
}
