import type { MetricName } from '../../../src/core/metric/metric.ts';

/** Counters that a vCenter may lack: a run without them has no gap. */
export const optionalMetrics: ReadonlySet<MetricName> = new Set([
  'readIops',
  'writeIops',
  'kernelLatencyMs',
  'queueLatencyMs',
  'cpuBusyPct',
  'readyPct',
  'swapMb',
  'balloonMb',
  'swapInKBps',
  'powerCapW',
  'costopPct',
  'activeMb',
  'diskKBps',
  'diskLatencyMs',
  'packetsRxPerS',
  'packetsTxPerS',
  'droppedRxPerS',
  'droppedTxPerS',
  'maxQueueDepth',
  'abortedPerS',
  'busResetsPerS',
  'reservationConflictsPerS',
]);
