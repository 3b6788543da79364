import type { MetricName } from '../../../src/core/metric/metric.ts';

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

/** What a counter is of: the host, its power, a device (LUN), a VM's group of worlds, a port. */
export type EsxtopPart = 'host' | 'power' | 'device' | 'group' | 'port';
export interface EsxtopCounter {
  of: EsxtopPart;
  metric: MetricName;
  unit: string;
  decimals: number;
}
const of = (part: EsxtopPart, metric: MetricName, unit: string): EsxtopCounter => ({
  of: part,
  metric,
  unit,
  decimals: 2,
});

const device = 'Physical Disk SCSI Device';
/**
 * Counters that have a place on the charts, by object and counter as esxtop names them. DAVG, KAVG,
 * GAVG and QAVG are its "Average Driver", "Kernel", "Guest" and "Queue" times; ACTV and QUED its
 * active and queued commands, DQLEN the "Device Q Depth". Source of the names: VMware, "Interpreting
 * esxtop statistics", and the heads of batch files.
 */
const counters: Readonly<Record<string, EsxtopCounter>> = {
  'Physical Cpu(_Total)/% Processor Time': of('host', 'cpuPct', '%'),
  'Physical Cpu(_Total)/% Util Time': of('host', 'cpuBusyPct', '%'),
  'Memory/Swap Used MBytes': of('host', 'swapMb', 'MB'),
  'Memory/Memctl Current MBytes': of('host', 'balloonMb', 'MB'),
  'Power/Power Usage Now Watts': of('power', 'powerW', 'W'),
  [`${device}/Commands/sec`]: of('device', 'iops', 'IOPS'),
  [`${device}/Reads/sec`]: of('device', 'readIops', 'IOPS'),
  [`${device}/Writes/sec`]: of('device', 'writeIops', 'IOPS'),
  [`${device}/Active Commands`]: of('device', 'queueDepth', 'commands'),
  [`${device}/Queued Commands`]: of('device', 'queuedCommands', 'commands'),
  [`${device}/Device Q Depth`]: of('device', 'maxQueueDepth', 'commands'),
  [`${device}/% Used`]: of('device', 'queueUsedPct', '%'),
  [`${device}/Load`]: of('device', 'queueLoad', '×'),
  [`${device}/Average Driver MilliSec/Command`]: of('device', 'deviceLatencyMs', 'ms'),
  [`${device}/Average Kernel MilliSec/Command`]: of('device', 'kernelLatencyMs', 'ms'),
  [`${device}/Average Guest MilliSec/Command`]: of('device', 'guestLatencyMs', 'ms'),
  [`${device}/Average Queue MilliSec/Command`]: of('device', 'queueLatencyMs', 'ms'),
  'Group Cpu/% Used': of('group', 'cpuPct', '%'),
  'Group Cpu/% Ready': of('group', 'readyPct', '%'),
  'Group Cpu/% CoStop': of('group', 'costopPct', '%'),
  'Network Port/Packets Received/sec': of('port', 'packetsRxPerS', 'packets/s'),
  'Network Port/Packets Transmitted/sec': of('port', 'packetsTxPerS', 'packets/s'),
  'Network Port/% Received Packets Dropped': of('port', 'droppedRxPct', '%'),
  'Network Port/% Outbound Packets Dropped': of('port', 'droppedTxPct', '%'),
};
const counterOf = (object: string, instance: string | null, counter: string) =>
  counters[`${object}(${instance ?? ''})/${counter}`] ?? counters[`${object}/${counter}`];

/** The counter of a column; null = one that no chart shows. */
export const esxtopCounter = ({ object, instance, counter }: EsxtopColumn): EsxtopCounter | null =>
  counterOf(object, instance, counter) ?? null;

/** Every metric that a part has, in the order of the table. */
export const metricsOf = (part: EsxtopPart): readonly EsxtopCounter[] =>
  Object.values(counters).filter((one) => one.of === part);

/** The VM, or what else it is, of a group `<id>:<name>`; a name may hold colons. */
export const groupName = (instance: string): string | null =>
  /^\d+:(.+)$/s.exec(instance)?.[1] ?? null;

/**
 * Who has a port: `<switch>:<port id>:vmnic0` an uplink, `<switch>:<port id>:<world>:<VM>` a VM,
 * whose adapter newer hosts add as `.eth0`. null = a port of the host itself, a shadow of an uplink.
 */
export function portOwner(
  instance: string,
): { kind: 'uplink'; device: string } | { kind: 'vm'; name: string } | null {
  const uplink = /^[^:]+:\d+:(vmnic\d+)$/.exec(instance)?.[1];
  if (uplink !== undefined) return { kind: 'uplink', device: uplink };
  const vm = /^[^:]+:\d+:\d+:(.+)$/s.exec(instance)?.[1]?.replace(/\.eth\d+$/, '');
  return vm === undefined ? null : { kind: 'vm', name: vm };
}
