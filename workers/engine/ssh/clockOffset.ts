import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import type { Clock } from '../deps.ts';
import { within } from './deadline.ts';
import type { Link } from './link.ts';
import { openChannel } from './pool.ts';
import { shellQuote } from './quote.ts';
import type { JobHost } from './remoteJob.ts';

export interface ClockOffset {
  offsetMs: number;
  errorMs: number;
}
export interface ClockReading {
  sentMs: number;
  receivedMs: number;
  remote: string;
}

/** Answers each line with the time; ends with its input. */
const script = 'while read -r x; do date +%s%N; done';

/**
 * The remote clock minus ours from the quickest round trip: the remote time is taken to be read in
 * its middle, so it is wrong by at most half of it (Cristian 1989), plus our clock's own
 * millisecond, plus half a second where the remote `date` knows no nanoseconds.
 */
export function offsetOf(readings: readonly ClockReading[]): ClockOffset | null {
  let best: ClockOffset | null = null;
  for (const { sentMs, receivedMs, remote } of readings) {
    // Nineteen digits are seconds and nanoseconds; more are no time.
    const digits = /^(\d{9,19})(?!\d)/.exec(remote)?.[1];
    if (digits === undefined) continue;
    const fine = digits.length > 12;
    const remoteMs = fine
      ? Number(digits.slice(0, -6)) + Number(digits.slice(-6)) / 1e6
      : Number(digits) * 1_000 + 500;
    const errorMs = (receivedMs - sentMs) / 2 + 1 + (fine ? 0 : 500);
    if (!best || errorMs < best.errorMs)
      best = { offsetMs: Math.round((remoteMs - (sentMs + receivedMs) / 2) * 10) / 10, errorMs };
  }
  return best;
}

/** Measures over one channel, so that no round trip pays for a new session. */
export async function measureClock(
  host: JobHost,
  signal?: AbortSignal,
  trips = 9,
): Promise<ClockOffset> {
  const { env, target, pool } = host;
  const late = (): AppError =>
    fail(
      'timedOut',
      `The clock of ${target.name} could not be read within 15 s.`,
      'Check the load of that machine.',
    );
  // Its time begins with a place on a connection: who waits behind other clients is not slow.
  const readings = await openChannel(pool, signal, async (lease) => {
    const trip = await within(
      env.clock,
      15_000,
      signal,
      `Reading the clock of ${target.name}`,
      late,
      (ends) => roundTrips(env.clock, lease.link, trips, ends),
    );
    lease.release();
    return trip;
  });
  const offset = offsetOf(readings);
  if (!offset)
    throw fail(
      'internal',
      `The clock of ${target.name} cannot be read: date printed "${readings[0]?.remote.slice(0, 40) ?? ''}".`,
      'Check that date is on the path there.',
    );
  return offset;
}

function roundTrips(
  clock: Clock,
  link: Link,
  trips: number,
  ends: AbortSignal,
): Promise<ClockReading[]> {
  return new Promise((resolve, reject) => {
    const forget = link.onLost(reject);
    link.client.exec(`exec /bin/sh -c ${shellQuote(script)}`, (error, channel) => {
      if (error) {
        forget();
        reject(link.lost() ?? error);
        return;
      }
      const readings: ClockReading[] = [];
      let text = '';
      let sentMs = clock.now();
      ends.addEventListener('abort', () => channel.close(), { once: true });
      channel.on('error', () => undefined);
      channel.stderr.resume();
      channel.on('data', (chunk: Buffer) => {
        const receivedMs = clock.now();
        text += chunk.toString('latin1');
        if (!text.includes('\n')) return;
        readings.push({ sentMs, receivedMs, remote: text.trim() });
        text = '';
        if (readings.length >= trips) {
          channel.end();
          return;
        }
        sentMs = clock.now();
        channel.write('\n');
      });
      channel.once('close', () => {
        forget();
        resolve(readings);
      });
      channel.write('\n');
    });
  });
}
