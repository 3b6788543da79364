import { metricWord } from './metricWords.ts';

/** What a measure of a study is called, its unit, and where the picker lists it. */
export interface MeasureWords {
  label: string;
  unit: string;
  group: MeasureGroup;
  decimals: number;
}
export const measureGroups = [
  'Result',
  'Parts of the score',
  'Latency',
  'CPU',
  'Memory',
  'Power',
  'Storage and network',
  'Other',
] as const;
export type MeasureGroup = (typeof measureGroups)[number];

const stats: Readonly<Record<string, string>> = {
  sum: 'sum',
  mean: 'mean',
  max: 'highest',
  min: 'lowest',
};
const cpuStats: Readonly<Record<string, string>> = {
  mean: 'mean of the hosts',
  min: 'least busy host',
  max: 'busiest host',
};
const latencyNames: Readonly<Record<string, string>> = {
  latencyMeanMs: 'mean latency',
  latencyP95Ms: '95th percentile latency',
  latencyP99Ms: '99th percentile latency',
  latencyMaxMs: 'greatest latency',
  acceptedMeanMs: 'mean time until mail is accepted',
  acceptedP95Ms: '95th percentile time until mail is accepted',
  deliveredMeanMs: 'mean time until mail is delivered',
  deliveredP95Ms: '95th percentile time until mail is delivered',
};

const countedNames: Readonly<Record<string, { what: string; unit: string }>> = {
  errorRate: { what: 'errors', unit: 'errors/s' },
  undelivered: { what: 'mail accepted, not delivered yet', unit: 'messages' },
};

export interface WorkloadNames {
  /** Workload id to its name and unit. */ get(
    id: string,
  ): { name: string; unit: string } | undefined;
}

const words = (
  label: string,
  unit: string,
  group: MeasureGroup,
  decimals: number,
): MeasureWords => ({ label, unit, group, decimals });

/**
 * Words for a measure by its stored name. An unknown one keeps its name: nothing measured is
 * hidden.
 */
export function measureWords(measure: string, workloads: WorkloadNames = new Map()): MeasureWords {
  const [metric = '', subject = '', stat = ''] = splitMeasure(measure);
  const workload = workloads.get(subject);
  const name = workload?.name ?? subject;
  if (measure === 'score') return words('Score', '', 'Result', 2);
  if (measure === 'wattsPerVm') return words('Watts per VM', 'W', 'Power', 2);
  if (metric === 'score')
    return words(`${capital(subject)} part of the score`, '', 'Parts of the score', 2);
  if (metric === 'throughput')
    return words(`${name} throughput${tiles[stat] ?? ''}`, workload?.unit ?? '', 'Result', 1);
  const counted = countedNames[metric];
  if (counted)
    return words(`${name} ${counted.what}${tiles[stat] ?? ''}`, counted.unit, 'Result', 2);
  if (metric in latencyNames) {
    const over =
      stat === 'max'
        ? ', worst tile'
        : metric === 'latencyMeanMs' && stat === 'mean'
          ? ', all tiles by their throughput'
          : (tiles[stat] ?? '');
    return words(`${name} ${latencyNames[metric]}${over}`, 'ms', 'Latency', 2);
  }
  if (metric === 'deviceLatencyMs' || metric === 'kernelLatencyMs')
    return words(
      `${metric === 'deviceLatencyMs' ? 'Device' : 'Kernel'} latency of the datastores, ${stats[stat] ?? stat}`,
      'ms',
      'Latency',
      2,
    );
  if (metric === 'cpuPct')
    return words(
      subject.startsWith('host.')
        ? `CPU of ${subject.slice(5)}`
        : `Host CPU, ${cpuStats[stat] ?? stat}`,
      '%',
      'CPU',
      1,
    );
  if (metric === 'clientCpuPct') return words(`Client CPU, ${stats[stat] ?? stat}`, '%', 'CPU', 1);
  if (metric === 'clientLateMs' || metric === 'clientSaturatedPct')
    return words(
      `${name} ${metric === 'clientLateMs' ? 'lateness' : 'time'} of the client${
        metric === 'clientLateMs' ? '' : ' behind its load'
      }${tiles[stat] ?? ''}`,
      metric === 'clientLateMs' ? 'ms' : '%',
      'Other',
      2,
    );
  const beside = besideThroughput[metric];
  if (beside)
    return words(`${name} ${beside[0]}${tiles[stat] ?? ''}`, beside[1], 'Storage and network', 2);
  if (metric === 'memoryPct')
    return words(
      subject.startsWith('host.')
        ? `Memory of ${subject.slice(5)}`
        : subject === 'client'
          ? `Memory of the clients, ${stats[stat] ?? stat}`
          : `Host memory, ${cpuStats[stat]?.replace('busy', 'full').replace('busiest', 'fullest') ?? stat}`,
      '%',
      'Memory',
      1,
    );
  if (metric === 'powerW')
    return words(
      `Power, ${subject === 'sum' ? 'all meters' : name}, ${stats[stat] ?? stat}`,
      'W',
      'Power',
      0,
    );
  if (metric in ioNames) {
    const whose =
      subject === 'datastore'
        ? `the datastores, ${stats[stat] ?? stat}`
        : `${name}${tiles[stat] ?? ''}`;
    return words(`${ioNames[metric]} of ${whose}`, 'IOPS', 'Storage and network', 0);
  }
  const link = linkWords(metric, subject, stat);
  if (link !== null) return link;
  const known = metricWord(metric);
  if (known === metric) return words(measure, '', 'Other', 2);
  const of =
    subject === 'host'
      ? 'the hosts'
      : subject === 'datastore'
        ? 'the datastores'
        : subject === 'client'
          ? 'the clients'
          : subject.replace(/^(host|infra)\./, '');
  return words(
    `${known}, ${of}${subject.startsWith('host.') ? '' : `, ${stats[stat] ?? stat}`}`,
    unitBySuffix.find(([suffix]) => metric.endsWith(suffix))?.[1] ?? '',
    'Other',
    2,
  );
}
/** What a load on a network or on files tells beside its throughput. */
const besideThroughput: Readonly<Record<string, readonly [string, string]>> = {
  retransmitRate: ['segments sent again', 'segments/s'],
  lossPct: ['lost datagrams', '%'],
  jitterMs: ['jitter', 'ms'],
  readMBps: ['data read', 'MB/s'],
  writeMBps: ['data written', 'MB/s'],
};
const packetNames: Readonly<Record<string, string>> = {
  packetsRxPerS: 'packets received',
  packetsTxPerS: 'packets sent',
  droppedRxPerS: 'packets dropped on receipt',
  droppedTxPerS: 'packets dropped on sending',
};
const unitBySuffix: readonly (readonly [string, string])[] = [
  ['Pct', '%'],
  ['Ms', 'ms'],
  ['KBps', 'KB/s'],
  ['Mb', 'MB'],
  ['W', 'W'],
];
const tiles: Readonly<Record<string, string>> = {
  sum: '',
  mean: ', mean of the tiles',
  min: ', slowest tile',
  max: ', highest',
};
const ioNames: Readonly<Record<string, string>> = {
  iops: 'IOPS',
  readIops: 'Read IOPS',
  writeIops: 'Write IOPS',
};

/** Traffic and packets of an uplink, or of machines; null for what is neither. */
function linkWords(metric: string, subject: string, stat: string): MeasureWords | null {
  const label = networkLabel(subject, stat);
  if (metric === 'netGbps') return words(label, 'Gb/s', 'Storage and network', 2);
  if (metric === 'netKbps') return words(label, 'KB/s', 'Storage and network', 0);
  return metric in packetNames
    ? words(`${label}: ${packetNames[metric]}`, 'packets/s', 'Storage and network', 0)
    : null;
}

function networkLabel(subject: string, stat: string): string {
  if (subject.startsWith('uplink.'))
    return `Uplink ${subject.slice(7)}${stat === 'mean' ? '' : `, ${stats[stat] ?? stat}`}`;
  if (subject.startsWith('host.')) return `Network of ${subject.slice(5)}`;
  const whose = subject === 'host' || subject === 'client' ? `${subject}s` : subject;
  return `Network of the ${whose}, ${stats[stat] ?? stat}`;
}

/** `netKbps.uplink.esx1/vmnic2.mean`: the metric, everything between, the statistic. */
function splitMeasure(measure: string): string[] {
  const parts = measure.split('.');
  return parts.length <= 2 ? parts : [parts[0]!, parts.slice(1, -1).join('.'), parts.at(-1)!];
}
const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
