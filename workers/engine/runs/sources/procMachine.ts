import type { MetricName } from '../../../../src/core/metric/metric.ts';
import type { SshHost } from '../../deps/ssh.ts';
import type { RunContext } from '../context.ts';
import { between, type ProcMetric, type ProcReading, readReading } from './procReading.ts';
import type { Poll, PollReader, SeriesDraft } from './types.ts';

/** Each with where a Linux machine keeps it. */
const told: readonly { metric: ProcMetric; unit: string; decimals: number; from: string }[] = [
  { metric: 'cpuPct', unit: '%', decimals: 1, from: '/proc/stat' },
  { metric: 'stealPct', unit: '%', decimals: 1, from: '/proc/stat' },
  { metric: 'cpuPressurePct', unit: '%', decimals: 1, from: '/proc/pressure/cpu' },
  { metric: 'ioPressurePct', unit: '%', decimals: 1, from: '/proc/pressure/io' },
  { metric: 'memoryPressurePct', unit: '%', decimals: 1, from: '/proc/pressure/memory' },
  { metric: 'memoryPct', unit: '%', decimals: 1, from: '/proc/meminfo' },
  { metric: 'netKbps', unit: 'KB/s', decimals: 0, from: '/proc/net/dev' },
  { metric: 'diskKBps', unit: 'KB/s', decimals: 0, from: '/proc/diskstats' },
];

/** Readings a second over all machines of a kind. Chosen: each costs a command over SSH. */
const readingsPerS = 5;
/** How often each of so many is read: as often as loads print, where that is not too much. */
export const procPeriodMs = (machines: number, workloadMs: number): number =>
  Math.max(workloadMs, (machines * 1_000) / readingsPerS);

/** What machines of one kind are in a run: clients, or hosts under test. */
export interface ProcKind {
  entityOf: (connectionId: string) => { kind: 'client' | 'host'; id: string };
  /** The name of the processors' use. */ cpuMetric: 'clientCpuPct' | 'cpuPct';
}
const nameFor = ({ cpuMetric }: ProcKind, metric: ProcMetric): MetricName =>
  metric === 'cpuPct' ? cpuMetric : metric;

/** Series of one machine: of what it told before the run. */
export const procSeries = (
  kind: ProcKind,
  machine: { id: string; name: string },
  tells: readonly ProcMetric[],
  periodMs: number,
): SeriesDraft[] =>
  told
    .filter(({ metric }) => tells.includes(metric))
    .map(({ from, metric, ...rest }) => ({
      ...rest,
      metric: nameFor(kind, metric),
      periodMs,
      lagMs: periodMs,
      source: `${from} of ${machine.name}`,
      entity: { ...kind.entityOf(machine.id), name: machine.name },
    }));

/**
 * Reads one machine again and again. What it did while it was away is a gap: one figure for all of
 * that time would be drawn as one of its last second. `onAway` throws what shall be told.
 */
export function procPoll(
  context: RunContext,
  kind: ProcKind,
  machine: { id: string; name: string; what: string },
  periodMs: number,
  onAway: (error: unknown) => void,
): Poll {
  const entity = kind.entityOf(machine.id);
  return {
    name: `Counters of ${machine.what} ${machine.name}`,
    peerId: machine.id,
    key: `${entity.kind}.${machine.id}`,
    periodMs,
    start: (feed): PollReader => {
      const ids = new Map(
        told.map(
          ({ metric }) => [metric, context.seriesId(entity.id, nameFor(kind, metric))] as const,
        ),
      );
      let before: ProcReading | null = null;
      let host: SshHost | null = null;
      return {
        async read(signal) {
          let after: ProcReading | null = null;
          try {
            host ??= await context.peers.client(machine.id);
            after = await readReading(host, signal);
          } catch (error) {
            host = null;
            before = null;
            onAway(error);
          }
          const found = before === null || after === null ? {} : between(before, after);
          before = after;
          const tMs = context.deps.clock.now();
          const pushed = told.filter(({ metric }) => {
            const value = found[metric];
            return value !== undefined && feed.push(ids.get(metric), tMs, value);
          });
          if (pushed.length > 0) feed.journal(tMs);
        },
      };
    },
  };
}
