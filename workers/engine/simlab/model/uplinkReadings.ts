import type { VmTraffic } from './networkTypes.ts';
import { factor, type ReadingSource } from './readings.ts';
import { addTraffic, trafficOver, trafficSums } from './trafficSums.ts';
import type { UplinkReport } from './types.ts';

/** All uplinks of a host over a span. */
export function readUplinks(
  source: ReadingSource,
  hostId: string,
  fromMs: number,
  toMs: number,
): UplinkReport[] {
  const sums = new Map<string, { ms: number; traffic: VmTraffic; utilisation: number }>();
  source.history.over(fromMs, toMs, (solution, part) => {
    for (const uplink of solution.network.uplinks) {
      if (uplink.hostId !== hostId) continue;
      const sum = sums.get(uplink.uplinkId) ?? { ms: 0, traffic: trafficSums(), utilisation: 0 };
      sum.ms += part;
      sum.utilisation += uplink.utilisation * part;
      addTraffic(sum.traffic, uplink, part);
      sums.set(uplink.uplinkId, sum);
    }
  });
  return [...sums].map(([uplinkId, sum]) => {
    const rate = factor(source, `${hostId}/${uplinkId}`, fromMs, toMs, 1);
    const { netKbps: kbps, ...packets } = trafficOver(sum.traffic, sum.ms, rate);
    const utilisation = Math.min(1, (sum.utilisation / sum.ms) * rate);
    return { hostId, uplinkId, kbps, ...packets, utilisation };
  });
}
