import type { MetricName } from './metric.ts';

/** Metrics in words: one spelling on every screen, in events and on the command line. */
export const metricWords: Readonly<Record<MetricName, string>> = {
  throughput: 'Throughput',
  latencyMeanMs: 'Mean latency',
  latencyP95Ms: '95th percentile latency',
  latencyP99Ms: '99th percentile latency',
  latencyMaxMs: 'Greatest latency',
  errorRate: 'Error rate',
  cpuPct: 'CPU',
  memoryPct: 'Memory',
  netKbps: 'Network',
  iops: 'IOPS',
  readIops: 'Read IOPS',
  writeIops: 'Write IOPS',
  deviceLatencyMs: 'Device latency',
  kernelLatencyMs: 'Kernel latency',
  queueDepth: 'Queue depth',
  powerW: 'Power',
  clientCpuPct: 'Client CPU',
  taskQueueMs: 'Time queued in vCenter',
  taskRunMs: 'Time running in vCenter',
  cpuBusyPct: 'Busy cores',
  readyPct: 'CPU ready time',
  swapMb: 'Swapped memory',
  balloonMb: 'Ballooned memory',
  swapInKBps: 'Swap-in rate',
  powerCapW: 'Power limit',
  queueLatencyMs: 'Queue latency',
  clientLateMs: 'Lateness of the client',
  clientSaturatedPct: 'Time the client fell behind',
  retransmitRate: 'Retransmitted segments',
  lossPct: 'Lost datagrams',
  jitterMs: 'Jitter',
  acceptedMeanMs: 'Mean time until mail is accepted',
  acceptedP95Ms: '95th percentile time until mail is accepted',
  deliveredMeanMs: 'Mean time until mail is delivered',
  deliveredP95Ms: '95th percentile time until mail is delivered',
  undelivered: 'Mail accepted, not delivered yet',
  costopPct: 'CPU co-stop time',
  activeMb: 'Active memory',
  diskKBps: 'Disk traffic',
  diskLatencyMs: 'Slowest disk',
  stealPct: 'Stolen CPU time',
  cpuPressurePct: 'Waiting for CPU',
  ioPressurePct: 'Waiting for I/O',
  memoryPressurePct: 'Waiting for memory',
};

/** A metric by its stored name; an unknown one keeps its name. */
export function metricWord(metric: string): string {
  return (metricWords as Readonly<Record<string, string>>)[metric] ?? metric;
}
