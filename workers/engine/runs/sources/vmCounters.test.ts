import type { MetricName } from '../../../../src/core/metric/metric.ts';
import { keptOf } from './kept.ts';
import { vmMetrics } from './vmCounters.ts';

const all: readonly MetricName[] = [
  'cpuPct',
  'readyPct',
  'costopPct',
  'activeMb',
  'swapMb',
  'balloonMb',
  'netKbps',
  'diskKBps',
  'diskLatencyMs',
  'droppedRxPerS',
  'droppedTxPerS',
  'packetsRxPerS',
  'packetsTxPerS',
];

test.each<[string, number, readonly MetricName[], readonly MetricName[]]>([
  ['all of twenty tiles of six', 120, all, all],
  ['the first of many', 500, all, ['cpuPct', 'readyPct', 'costopPct', 'activeMb']],
  ['its CPU of very many', 2_000, all, ['cpuPct']],
  ['nothing where not even that fits', 2_001, all, []],
  ['nothing of no VM', 0, all, []],
  ['what vCenter counts', 4, ['diskKBps', 'cpuPct'], ['cpuPct', 'diskKBps']],
])('%s is kept', (_what, vms, counted, kept) => {
  expect(keptOf(vmMetrics, vms, counted).map(({ metric }) => metric)).toEqual(kept);
});
