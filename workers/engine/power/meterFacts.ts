import { toAppError } from '../../../src/core/base/errors.ts';
import type { PowerConnection } from '../../../src/core/testbed/connection.ts';
import { isMetered } from '../../../src/core/testbed/powerSources.ts';
import type { Log } from '../deps.ts';
import type { PowerMeter } from '../deps/power.ts';

/** What a series of a power source says about itself. */
export interface MeterFacts {
  source: string;
  /**
   * How often a new reading comes: no oftener than it is asked for, and than its device measures.
   */
  periodMs: number;
  lagMs: number;
  decimals: number;
}

/** vCenter's own counter has 20 s samples, told up to 20 s later. */
export const vcenterCounter: MeterFacts = {
  source: 'vCenter',
  periodMs: 20_000,
  lagMs: 20_000,
  decimals: 0,
};

/**
 * Asks a meter how often its device measures. One that cannot be reached is taken as it is set: the
 * run tells that it is away.
 */
export async function meterFacts(
  peers: { meter(connection: PowerConnection): PowerMeter },
  connection: PowerConnection,
  log: Log,
  signal?: AbortSignal,
): Promise<MeterFacts> {
  if (!isMetered(connection.source)) return vcenterCounter;
  const meter = peers.meter(connection);
  const { source, periodMs, lagMs, decimals } = meter;
  try {
    const updateMs = (await meter.updateMs?.(signal)) ?? null;
    return {
      source,
      periodMs: Math.max(periodMs, updateMs ?? 0),
      lagMs: updateMs ?? lagMs,
      decimals,
    };
  } catch (error) {
    signal?.throwIfAborted();
    log.warn('A power meter does not tell how often it measures', {
      meter: connection.name,
      error: toAppError(error).message,
    });
    return { source, periodMs, lagMs, decimals };
  } finally {
    meter.close();
  }
}
