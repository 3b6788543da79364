import type { PowerConnection } from '../../../src/shared/testbed.ts';
import type { PowerMeter } from '../deps.ts';

/** What a series of this power source says about itself. vCenter's own counter has 20 s samples. */
export function meterFacts(
  peers: { meter(connection: PowerConnection): PowerMeter },
  connection: PowerConnection,
): { source: string; periodMs: number; lagMs: number; decimals: number } {
  if (connection.source.type === 'vcenter')
    return { source: 'vCenter', periodMs: 20_000, lagMs: 20_000, decimals: 0 };
  const meter = peers.meter(connection);
  const { source, periodMs, lagMs, decimals } = meter;
  meter.close();
  return { source, periodMs, lagMs, decimals };
}
