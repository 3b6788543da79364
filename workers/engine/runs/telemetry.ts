import { toAppError } from '../../../src/core/base/errors.ts';
import { pause } from '../clock/jumps.ts';
import type { RunContext } from './context.ts';
import { createFeed } from './sources/feed.ts';
import { sources } from './sources/index.ts';
import type { PollReader } from './sources/types.ts';

export interface Telemetry {
  /** Waits for the loops and reads once more, so that the last interval is not lost. */
  finish(): Promise<void>;
  /** Lets go of what is open. */
  stop(): void;
}

/**
 * Asks every source that is polled, each in a loop of its own, until `signal` fires. A peer that is
 * away is told once and asked again.
 */
export function startTelemetry(context: RunContext, signal: AbortSignal): Telemetry {
  const polls = sources
    .flatMap((source) => source.polls?.(context) ?? [])
    .map((poll) => ({ ...poll, reader: poll.start(createFeed(context, poll.key)) }));
  const loops = polls.map(({ name, periodMs, reader }) =>
    loop(context, name, periodMs, reader, signal),
  );
  return {
    async finish() {
      await Promise.all(loops);
      for (const { reader } of polls) await reader.finish?.();
    },
    stop() {
      for (const { reader } of polls) reader.stop?.();
    },
  };
}

async function loop(
  context: RunContext,
  what: string,
  periodMs: number,
  reader: PollReader,
  signal: AbortSignal,
): Promise<void> {
  const { run, deps } = context;
  const id = `telemetry.${what}`;
  let awaySinceMs: number | null = null;
  while (!signal.aborted) {
    try {
      await reader.read(signal);
      if (awaySinceMs !== null) {
        const seconds = Math.round((deps.clock.now() - awaySinceMs) / 1_000);
        run.event('recovered', `${what}: answering again after ${seconds} s`);
        run.finding({
          id,
          severity: 'info',
          text: `${what} did not answer for ${seconds} s during the run.`,
        });
        awaySinceMs = null;
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = toAppError(error);
      if (awaySinceMs === null) {
        awaySinceMs = deps.clock.now();
        run.event('fault', `${what}: ${failure.message}`);
        run.finding({
          id,
          severity: 'warn',
          text: `${what} does not answer: ${failure.message}`,
          ...(failure.hint ? { fix: failure.hint } : {}),
        });
      }
    }
    await pause(deps.clock, periodMs, signal);
  }
}
