import { toAppError } from '../../../../src/core/base/errors.ts';
import type { SshHost } from '../../deps/ssh.ts';
import type { RunContext } from '../context.ts';
import type { WorkloadUnit } from '../series.ts';
import { between, type ClientMetric, type ClientReading, readReading } from './clientReading.ts';
import type { Poll, PollReader, Source } from './types.ts';

/** Clients that make load in a run. */
export const clientsOf = (units: readonly WorkloadUnit[]): string[] => [
  ...new Set(units.map((unit) => unit.assignment.clientId)),
];
const nameOf = (connections: RunContext['connections'], id: string): string =>
  connections.find((one) => one.id === id)?.name ?? id;

/** Each with where a client keeps it. */
const told: readonly { metric: ClientMetric; unit: string; decimals: number; from: string }[] = [
  { metric: 'clientCpuPct', unit: '%', decimals: 1, from: '/proc/stat' },
  { metric: 'stealPct', unit: '%', decimals: 1, from: '/proc/stat' },
  { metric: 'cpuPressurePct', unit: '%', decimals: 1, from: '/proc/pressure/cpu' },
  { metric: 'ioPressurePct', unit: '%', decimals: 1, from: '/proc/pressure/io' },
  { metric: 'memoryPressurePct', unit: '%', decimals: 1, from: '/proc/pressure/memory' },
  { metric: 'memoryPct', unit: '%', decimals: 1, from: '/proc/meminfo' },
  { metric: 'netKbps', unit: 'KB/s', decimals: 0, from: '/proc/net/dev' },
  { metric: 'diskKBps', unit: 'KB/s', decimals: 0, from: '/proc/diskstats' },
];

/** Readings a second over all clients of a run. Chosen: each costs a command over SSH. */
const readingsPerS = 5;
/** How often each of so many clients is read: as often as its loads print, where that is not too much. */
const clientPeriodMs = (clients: number, workloadMs: number): number =>
  Math.max(workloadMs, (clients * 1_000) / readingsPerS);

/**
 * What the clients themselves are busy with: a load that its own machine holds back, or whose
 * machine is held back by the host under it, measures that machine.
 */
export const clientMachines: Source = {
  series: ({ units, connections, plan, clientMetrics }) => {
    const clients = clientsOf(units);
    const periodMs = clientPeriodMs(clients.length, plan.sampling.workloadMs);
    return clients.flatMap((id) => {
      const name = nameOf(connections, id);
      return told
        .filter(({ metric }) => clientMetrics?.get(id)?.includes(metric))
        .map(({ from, ...metric }) => ({
          ...metric,
          periodMs,
          lagMs: periodMs,
          source: `${from} of ${name}`,
          entity: { kind: 'client' as const, id, name },
        }));
    });
  },
  polls(context) {
    const told = new Set(
      context.run
        .overview()
        .series.flatMap(({ entity }) => (entity.kind === 'client' ? [entity.id] : [])),
    );
    const clients = clientsOf(context.units);
    const { workloadMs } = context.run.record().plan.sampling;
    const periodMs = clientPeriodMs(clients.length, workloadMs);
    return clients.filter((id) => told.has(id)).map((id) => clientPoll(context, id, periodMs));
  },
};

const clientPoll = (context: RunContext, clientId: string, periodMs: number): Poll => ({
  name: `Counters of client ${nameOf(context.connections, clientId)}`,
  peerId: clientId,
  key: `client.${clientId}`,
  periodMs,
  start: (feed): PollReader => {
    const ids = new Map(
      told.map(({ metric }) => [metric, context.seriesId(clientId, metric)] as const),
    );
    let before: ClientReading | null = null;
    let host: SshHost | null = null;
    return {
      async read(signal) {
        let after: ClientReading | null = null;
        try {
          host ??= await context.peers.client(clientId);
          after = await readReading(host, signal);
        } catch (error) {
          // Its workloads tell of a lost client; what it did meanwhile is a gap.
          host = null;
          context.deps.log.debug('The counters of a client could not be read', {
            run: context.run.id,
            client: clientId,
            error: toAppError(error).message,
          });
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
});
