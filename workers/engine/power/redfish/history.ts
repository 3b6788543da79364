import * as z from 'zod';

import type { PowerReading } from '../../deps/power.ts';
import { pointedAt } from './readings.ts';

/*
 * HPE iLO 5 keeps what it measured: `FastPowerMeter` has 20 minutes in means of about 10 s, each
 * with its time, oldest first (recorded payload of a ProLiant DL325: 120 entries, steps of 10 and
 * 11 s).
 */
export const historyStepMs = 10_000;

/** Where the controller keeps the history of this resource; null = it keeps none. */
export function historyPath(powerResource: unknown): string | null {
  const path = pointedAt(powerResource, '/Oem/Hpe/Links/FastPowerMeter/@odata.id');
  return typeof path === 'string' && path.startsWith('/redfish/') ? path : null;
}

const history = z.object({
  PowerDetail: z.array(z.object({ Time: z.string(), Average: z.number() })).max(2_000),
});

/**
 * Readings with the time at the source, by our clock; 0 W is none. null = this is no such history.
 *
 * @param offsetMs The controller's clock less ours.
 */
export function readHistory(body: unknown, offsetMs: number): PowerReading[] | null {
  const parsed = history.safeParse(body);
  if (!parsed.success) return null;
  return parsed.data.PowerDetail.map(({ Time, Average }) => ({
    tMs: Date.parse(Time) - offsetMs,
    watts: Average,
  }))
    .filter(({ tMs, watts }) => Number.isFinite(tMs) && watts > 0)
    .sort((a, b) => a.tMs - b.tMs);
}
