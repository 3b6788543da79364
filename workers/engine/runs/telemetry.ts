import { toAppError } from '../../../src/core/base/errors.ts';
import { pause } from '../clock/jumps.ts';
import type { RunContext } from './context.ts';
import { createFeed } from './sources/feed.ts';
import { sources } from './sources/index.ts';
import type { Poll, PollReader } from './sources/types.ts';

export interface Telemetry {
  /** Waits for the loops and reads once more, so that the last interval is not lost. */
  finish(): Promise<void>;
  /** Lets go of what is open. */
  stop(): Promise<void>;
}

/**
 * Asks every source that is polled, each in a loop of its own, until `signal` fires. A peer that is
 * away is told once and asked again.
 */
export function startTelemetry(context: RunContext, signal: AbortSignal): Telemetry {
  const polls = sources
    .flatMap((source) => source.polls?.(context) ?? [])
    .map((poll) => ({ ...poll, reader: poll.start(createFeed(context, poll.key)) }));
  const loops = polls.map(({ name, key, peerId, periodMs, reader }) =>
    loop(context, { name, key, peerId, periodMs }, reader, signal),
  );
  return {
    async finish() {
      await Promise.all(loops);
      for (const { reader } of polls) await reader.finish?.();
    },
    async stop() {
      await Promise.all(polls.map(async ({ reader }) => reader.stop?.()));
    },
  };
}

async function loop(
  context: RunContext,
  { name, key, peerId, periodMs }: Pick<Poll, 'name' | 'key' | 'peerId' | 'periodMs'>,
  reader: PollReader,
  signal: AbortSignal,
): Promise<void> {
  const { outages, deps } = context;
  while (!signal.aborted) {
    try {
      await reader.read(signal);
      outages.back(peerId, key);
    } catch (error) {
      if (signal.aborted) return;
      const failure = toAppError(error);
      outages.lost(peerId, {
        key,
        detail: `${name}: ${failure.message}`,
        ...(failure.hint ? { fix: failure.hint } : {}),
      });
    }
    await pause(deps.clock, periodMs, signal);
  }
}
