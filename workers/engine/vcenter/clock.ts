import { fail } from '../../../src/core/base/errors.ts';
import type { Core } from './core.ts';
import { returned } from './soap.ts';
import { textOf } from './xml.ts';

const tries = 3;

/**
 * vCenter's clock minus ours, from the quickest of three CurrentTime calls; wrong by at most half
 * its round trip.
 */
export async function readClockOffset(
  core: Core,
  signal?: AbortSignal,
): Promise<{ offsetMs: number; errorMs: number }> {
  let best: { offsetMs: number; errorMs: number } | null = null;
  for (let i = 0; i < tries; i += 1) {
    const sentMs = core.clock.now();
    const response = await core.call(
      'CurrentTime',
      { type: 'ServiceInstance', id: 'ServiceInstance' },
      '',
      { signal, limitMs: 15_000 },
    );
    const receivedMs = core.clock.now();
    const serverMs = Date.parse(textOf(returned(response)[0]) ?? '');
    if (Number.isNaN(serverMs))
      throw fail('internal', `vCenter ${core.connection.name} gave no readable time.`);
    // Our own clock is read in whole milliseconds.
    const errorMs = Math.max((receivedMs - sentMs) / 2, 0.5);
    if (best === null || errorMs < best.errorMs)
      best = { offsetMs: serverMs - (sentMs + receivedMs) / 2, errorMs };
  }
  return best!;
}
