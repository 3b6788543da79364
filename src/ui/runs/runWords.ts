import type { MetricName } from '../../shared/metric.ts';
import type { AbortReason, PhaseSpan, RunState, WorkloadStatus } from '../../shared/run.ts';

/** Words for states, phases and reasons: one spelling on every screen. */
export const stateWords: Readonly<Record<RunState, string>> = {
  draft: 'Draft', checking: 'Checking', ready: 'Ready', starting: 'Starting', rampUp: 'Ramp-up', steady: 'Steady state', rampDown: 'Ramp-down',
  collecting: 'Collecting', passed: 'Passed', failed: 'Failed', aborted: 'Aborted',
};
export const phaseWords: Readonly<Record<PhaseSpan['name'], string>> = { rampUp: 'Ramp-up', steady: 'Steady state', rampDown: 'Ramp-down' };
export const abortWords: Readonly<Record<AbortReason, string>> = {
  user: 'by the user', qos: 'a QoS limit broke', hostUnreachable: 'a host became unreachable', workloadFailed: 'a workload failed', timedOut: 'a step took longer than its limit',
  engineLost: 'the engine stopped', storeFailed: 'samples could not be stored',
};
export const workloadStateWords: Readonly<Record<WorkloadStatus['state'], string>> = {
  waiting: 'Waiting', preparing: 'Preparing', running: 'Running', lost: 'Connection lost', stopping: 'Stopping', ended: 'Ended', failed: 'Failed',
};
export const metricWords: Readonly<Record<MetricName, string>> = {
  throughput: 'Throughput', latencyMeanMs: 'Mean latency', latencyP95Ms: '95th percentile latency', latencyP99Ms: '99th percentile latency', latencyMaxMs: 'Greatest latency', errorRate: 'Error rate',
  cpuPct: 'CPU', memoryPct: 'Memory', netKbps: 'Network', iops: 'IOPS', readIops: 'Read IOPS', writeIops: 'Write IOPS', deviceLatencyMs: 'Device latency', kernelLatencyMs: 'Kernel latency',
  queueDepth: 'Queue depth', powerW: 'Power', clientCpuPct: 'Client CPU',
};
/** A metric by its stored name; an unknown one keeps its name. */
export function metricWord(metric: string): string {
  return (metricWords as Readonly<Record<string, string>>)[metric] ?? metric;
}
/** `2 tiles`, `1 tile`. */
export function counted(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}
