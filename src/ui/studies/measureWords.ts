/** What a measure of a study is called, its unit, and where the picker lists it. */
export interface MeasureWords { label: string; unit: string; group: MeasureGroup; decimals: number }
export const measureGroups = ['Result', 'Parts of the score', 'Latency', 'CPU', 'Power', 'Storage and network', 'Other'] as const;
export type MeasureGroup = (typeof measureGroups)[number];

const stats: Readonly<Record<string, string>> = { sum: 'sum', mean: 'mean', max: 'highest', min: 'lowest' };
const cpuStats: Readonly<Record<string, string>> = { mean: 'mean of the hosts', min: 'least busy host', max: 'busiest host' };
const latencyNames: Readonly<Record<string, string>> = { latencyMeanMs: 'mean latency', latencyP95Ms: '95th percentile latency', latencyP99Ms: '99th percentile latency', latencyMaxMs: 'greatest latency' };

export interface WorkloadNames { /** Workload id to its name and unit. */ get(id: string): { name: string; unit: string } | undefined }

/** Words for a measure by its stored name. An unknown one keeps its name: nothing measured is hidden. */
export function measureWords(measure: string, workloads: WorkloadNames = new Map()): MeasureWords {
  const [metric = '', subject = '', stat = ''] = splitMeasure(measure);
  const workload = workloads.get(subject);
  const name = workload?.name ?? subject;
  if (measure === 'score') return { label: 'Score', unit: '', group: 'Result', decimals: 2 };
  if (metric === 'score') return { label: `${capital(subject)} part of the score`, unit: '', group: 'Parts of the score', decimals: 2 };
  if (metric === 'throughput') return { label: `${name} throughput${stat === 'mean' ? ', mean of the tiles' : ''}`, unit: workload?.unit ?? '', group: 'Result', decimals: 1 };
  if (metric in latencyNames) return { label: `${name} ${latencyNames[metric]}${stat === 'max' ? ', worst tile' : stat === 'mean' ? ', mean of the tiles' : ''}`, unit: 'ms', group: 'Latency', decimals: 2 };
  if (metric === 'deviceLatencyMs' || metric === 'kernelLatencyMs') return { label: `${metric === 'deviceLatencyMs' ? 'Device' : 'Kernel'} latency of the datastores, ${stats[stat] ?? stat}`, unit: 'ms', group: 'Latency', decimals: 2 };
  if (metric === 'cpuPct' && subject.startsWith('host.')) return { label: `CPU of ${subject.slice(5)}`, unit: '%', group: 'CPU', decimals: 1 };
  if (metric === 'cpuPct') return { label: `Host CPU, ${cpuStats[stat] ?? stat}`, unit: '%', group: 'CPU', decimals: 1 };
  if (metric === 'clientCpuPct') return { label: `Client CPU, ${stats[stat] ?? stat}`, unit: '%', group: 'CPU', decimals: 1 };
  if (metric === 'powerW') return { label: `Power, ${subject === 'sum' ? 'all meters' : name}, ${stats[stat] ?? stat}`, unit: 'W', group: 'Power', decimals: 0 };
  if (measure === 'wattsPerVm') return { label: 'Watts a VM', unit: 'W', group: 'Power', decimals: 2 };
  if (metric === 'iops' || metric === 'readIops' || metric === 'writeIops') return { label: `${metric === 'iops' ? 'IOPS' : metric === 'readIops' ? 'Read IOPS' : 'Write IOPS'} of the datastores, ${stats[stat] ?? stat}`, unit: 'IOPS', group: 'Storage and network', decimals: 0 };
  if (metric === 'netKbps') return { label: `Network, ${subject.replace(/^uplink\.?/, '') || subject}, ${stats[stat] ?? stat}`, unit: 'KB/s', group: 'Storage and network', decimals: 0 };
  return { label: measure, unit: '', group: 'Other', decimals: 2 };
}

/** `netKbps.uplink.esx1/vmnic2.mean`: the metric, everything between, the statistic. */
function splitMeasure(measure: string): string[] {
  const parts = measure.split('.');
  return parts.length <= 2 ? parts : [parts[0]!, parts.slice(1, -1).join('.'), parts.at(-1)!];
}
const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
