import type { PacketLoad, VmTraffic } from './networkTypes.ts';

/** Traffic and packets of one adapter or VM, summed over the states of a span, in units × ms. */
export const trafficSums = (): VmTraffic => ({
  kbps: 0,
  packetsRxPerS: 0,
  packetsTxPerS: 0,
  droppedRxPerS: 0,
  droppedTxPerS: 0,
});

/** Adds `ms` of one state; absent = it had no traffic in it. */
export function addTraffic(sums: VmTraffic, load: VmTraffic | undefined, ms: number): void {
  if (load === undefined) return;
  sums.kbps += load.kbps * ms;
  sums.packetsRxPerS += load.packetsRxPerS * ms;
  sums.packetsTxPerS += load.packetsTxPerS * ms;
  sums.droppedRxPerS += load.droppedRxPerS * ms;
  sums.droppedTxPerS += load.droppedTxPerS * ms;
}

/** Means over a span. `rate`: noise, one for all of them, for packets come with their bytes. */
export const trafficOver = (
  sums: VmTraffic,
  ms: number,
  rate: number,
): PacketLoad & { netKbps: number } => ({
  netKbps: (sums.kbps / ms) * rate,
  packetsRxPerS: (sums.packetsRxPerS / ms) * rate,
  packetsTxPerS: (sums.packetsTxPerS / ms) * rate,
  droppedRxPerS: (sums.droppedRxPerS / ms) * rate,
  droppedTxPerS: (sums.droppedTxPerS / ms) * rate,
});
