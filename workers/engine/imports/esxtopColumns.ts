import type { ImportedSeries } from './types.ts';

/**
 * What a column of an esxtop batch file is, as its head says: `\\host\Object(Instance)\Counter`.
 */
export interface EsxtopColumn {
  host: string;
  object: string;
  instance: string | null;
  counter: string;
}

/** null for a head that is no counter path (the first column's). */
export function parseColumn(head: string): EsxtopColumn | null {
  const match = /^\\\\([^\\]+)\\([^\\(]+?)(?:\((.*)\))?\\([^\\]+)$/.exec(head);
  return match === null
    ? null
    : { host: match[1]!, object: match[2]!, instance: match[3] ?? null, counter: match[4]! };
}

type Made = Pick<ImportedSeries, 'metric' | 'unit' | 'decimals'> & {
  kind: 'host' | 'datastore' | 'power';
};
const of = (kind: Made['kind'], metric: Made['metric'], unit: string): Made => ({
  kind,
  metric,
  unit,
  decimals: 2,
});

/**
 * Counters that have a place on the charts, by object and counter as esxtop names them. DAVG, KAVG
 * and QAVG are its "Average Driver", "Kernel" and "Queue" times; ACTV are its active commands.
 * Source of the names: VMware, "Interpreting esxtop statistics", and the heads of batch files.
 */
const counters: Readonly<Record<string, Made>> = {
  'Physical Cpu(_Total)/% Processor Time': of('host', 'cpuPct', '%'),
  'Physical Cpu(_Total)/% Util Time': of('host', 'cpuBusyPct', '%'),
  'Memory/Swap Used MBytes': of('host', 'swapMb', 'MB'),
  'Memory/Memctl Current MBytes': of('host', 'balloonMb', 'MB'),
  'Power/Power Usage Now Watts': of('power', 'powerW', 'W'),
  'Physical Disk SCSI Device/Commands/sec': of('datastore', 'iops', 'IOPS'),
  'Physical Disk SCSI Device/Reads/sec': of('datastore', 'readIops', 'IOPS'),
  'Physical Disk SCSI Device/Writes/sec': of('datastore', 'writeIops', 'IOPS'),
  'Physical Disk SCSI Device/Active Commands': of('datastore', 'queueDepth', 'commands'),
  'Physical Disk SCSI Device/Average Driver MilliSec/Command': of(
    'datastore',
    'deviceLatencyMs',
    'ms',
  ),
  'Physical Disk SCSI Device/Average Kernel MilliSec/Command': of(
    'datastore',
    'kernelLatencyMs',
    'ms',
  ),
  'Physical Disk SCSI Device/Average Queue MilliSec/Command': of(
    'datastore',
    'queueLatencyMs',
    'ms',
  ),
};

/**
 * The series a column becomes; null = a counter that no chart shows, or a device that the filter
 * leaves out.
 */
export function seriesOfColumn(
  column: EsxtopColumn,
  filter: readonly string[],
  periodMs: number,
): ImportedSeries | null {
  const { host, object, instance, counter } = column;
  const made =
    counters[`${object}(${instance ?? ''})/${counter}`] ?? counters[`${object}/${counter}`];
  if (made === undefined) return null;
  const isDevice = made.kind === 'datastore';
  if (
    isDevice &&
    (instance === null ||
      (filter.length > 0 &&
        !filter.some((text) => instance.toLowerCase().includes(text.toLowerCase()))))
  )
    return null;
  const { kind, metric, unit, decimals } = made;
  return {
    metric,
    unit,
    decimals,
    periodMs,
    source: `esxtop on ${host}`,
    entity: {
      kind,
      id: isDevice ? `${host}/${instance}` : host,
      name: isDevice ? `${instance} (${host})` : host,
    },
  };
}
