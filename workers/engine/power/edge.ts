import { demandMetered, type PowerSource } from '../../../src/core/testbed/powerSources.ts';
import type { Clock, Log } from '../deps.ts';
import type { PowerEdge } from '../deps/power.ts';
import { type MeterKind, meters } from './meters.ts';

/**
 * Power meters by kind. vCenter's own counter is read with the host counters, not through a meter.
 */
export function createPowerEdge({ clock }: { clock: Clock; log: Log }): PowerEdge {
  return {
    test: async ({ source }, signal) => kindOf(source).test(source as never, signal),
    open: ({ source }) => kindOf(source).open(source as never, clock),
  };
}

/**
 * Each kind takes sources of its own type, which is how it was found: `never` is all that the types
 * can say of that.
 */
const kindOf = (source: PowerSource): MeterKind<never> => meters[demandMetered(source).type];
