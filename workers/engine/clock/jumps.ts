import type { Clock, ClockJump } from '../deps.ts';

/** Resolves when the clock shows `tMs`, looked at every second where time can jump. */
export async function waitUntil(clock: Clock, tMs: number, signal?: AbortSignal): Promise<void> {
  for (let left = tMs - clock.now(); left > 0; left = tMs - clock.now())
    await clock.sleep(clock.hold ? Math.min(left, 1_000) : left, signal);
}

/** Sleeps `ms`, or less where the signal fires: that is no error here. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Milliseconds by which patience is measured: only time in which this process ran. */
export const awakeMs = (clock: Clock): number => clock.awakeMs?.() ?? clock.now();

const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1_000)} s`;
const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)} UTC`;

/** A jump in a sentence. */
export function sayJump({ kind, fromMs, toMs }: ClockJump): string {
  switch (kind) {
    case 'slept':
      return `This computer slept for ${seconds(toMs - fromMs)}`;
    case 'stood':
      return `The engine on this computer stood still for ${seconds(toMs - fromMs)}`;
    case 'stepped':
      return (
        `The clock of this computer stepped ${toMs < fromMs ? 'back' : 'forward'} by ` +
        `${seconds(toMs - fromMs)}, from ${clockTime(fromMs)} to ${clockTime(toMs)}`
      );
  }
}

/** Offsets of peers measured twice, before and after. */
export interface OffsetChange {
  beforeMs: number;
  afterMs: number;
}

/** Peers' clocks that moved by no more than this against each other moved alike. */
const alikeMs = 1_000;

/**
 * How far our own clock stepped, where the clocks of all peers moved alike; 0 where they did not
 * move, or not alike.
 */
export function ownStepMs(changes: readonly OffsetChange[]): number {
  const moved = changes.map(({ beforeMs, afterMs }) => afterMs - beforeMs).sort((a, b) => a - b);
  const least = moved[0] ?? 0;
  const most = moved.at(-1) ?? 0;
  const middle = moved[Math.floor(moved.length / 2)] ?? 0;
  return most - least <= alikeMs && Math.abs(middle) > alikeMs ? -middle : 0;
}
