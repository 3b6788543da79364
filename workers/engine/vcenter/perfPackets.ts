/** Packets of a physical adapter or of a VM: counts over each period of 20 s. */
export const packetCounters = {
  packetsRxPerS: 'net.packetsRx.summation',
  packetsTxPerS: 'net.packetsTx.summation',
  droppedRxPerS: 'net.droppedRx.summation',
  droppedTxPerS: 'net.droppedTx.summation',
} as const;
