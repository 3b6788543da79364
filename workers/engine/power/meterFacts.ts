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
  /** What is measured, in words. */ scope: string;
  /** A reading is the mean over so long; 0 = of its moment, null = the device does not say. */
  windowMs: number | null;
  /** How often the device measures, as it says or as was measured; null = not known. */
  updateMs: number | null;
  /** Of a reading, in per cent of it; null = not stated. */
  uncertaintyPct: number | null;
  /** Readings are means between the steps of an energy counter. */
  counts?: boolean;
}

/** vCenter's own counter has 20 s samples, told up to 20 s later. */
export const vcenterCounter: MeterFacts = {
  source: 'vCenter',
  periodMs: 20_000,
  lagMs: 20_000,
  decimals: 0,
  scope: 'each host',
  // vSphere API, PerfInterval: a real-time sample is the mean of its 20 s.
  windowMs: 20_000,
  updateMs: 20_000,
  uncertaintyPct: null,
};

const unsaid = {
  scope: 'what the meter feeds',
  updateMs: null,
  lagMs: null,
  windowMs: null,
  uncertaintyPct: null,
};

/**
 * What a person has to know of the readings: what they measure, how often a new one comes, over how
 * long each is a mean, and how far it can be believed.
 */
export function aboutWords(facts: MeterFacts): string {
  const { scope, windowMs, updateMs, uncertaintyPct } = facts;
  const window =
    windowMs === null
      ? 'averaging window not said by the device'
      : windowMs === 0
        ? 'present values'
        : `mean over ${secondsWords(windowMs)}`;
  return [
    `of ${scope}`,
    updateMs === null
      ? 'refresh not measured: test the connection'
      : `a new value every ${secondsWords(updateMs)}`,
    window,
    uncertaintyPct === null ? 'uncertainty not stated' : `± ${uncertaintyPct} %`,
  ].join(', ');
}

/** A sentence of a test on the data sheet's uncertainty. */
export const uncertaintyWords = (uncertaintyPct: number | null | undefined): string =>
  uncertaintyPct == null ? 'Uncertainty: not stated.' : `Uncertainty: ± ${uncertaintyPct} %.`;

/** A sentence of a test on the averaging window. */
export const windowWords = (windowMs: number | null): string =>
  windowMs === null
    ? 'Over how long it is a mean, the device does not say.'
    : windowMs === 0
      ? 'Each is of its moment.'
      : `Each is the mean over ${secondsWords(windowMs)}.`;

/** `10 s`, `0.5 s`. */
export const secondsWords = (ms: number): string =>
  `${(ms / 1_000).toFixed(ms % 1_000 === 0 ? 0 : 1)} s`;

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
    const about = (await meter.about?.(signal)) ?? unsaid;
    const { updateMs } = about;
    return {
      ...about,
      source,
      periodMs: Math.max(periodMs, updateMs ?? 0),
      lagMs: about.lagMs ?? updateMs ?? lagMs,
      decimals,
    };
  } catch (error) {
    signal?.throwIfAborted();
    log.warn('A power meter does not tell how often it measures', {
      meter: connection.name,
      error: toAppError(error).message,
    });
    return { ...unsaid, source, periodMs, lagMs, decimals };
  } finally {
    await meter.close();
  }
}
