import { toAppError } from '../../../../src/core/base/errors.ts';
import type { RunContext } from '../context.ts';
import type { WorkloadUnit } from '../series.ts';
import { busyPct, type CpuTicks, readCpuTicks } from './cpuTicks.ts';
import type { Poll, PollReader, Source } from './types.ts';

const clientsOf = (units: readonly WorkloadUnit[]): string[] => [
  ...new Set(units.map((unit) => unit.assignment.clientId)),
];
const nameOf = (connections: RunContext['connections'], id: string): string =>
  connections.find((one) => one.id === id)?.name ?? id;

/** Busy processors of the clients: a load that its own machine holds back measures that machine. */
export const clientCpu: Source = {
  series: ({ units, connections, plan }) =>
    clientsOf(units).map((id) => {
      const name = nameOf(connections, id);
      const periodMs = plan.sampling.vcenterMs;
      return {
        metric: 'clientCpuPct',
        unit: '%',
        decimals: 1,
        periodMs,
        lagMs: periodMs,
        source: `/proc/stat of ${name}`,
        entity: { kind: 'client', id, name },
      };
    }),
  polls: (context) => clientsOf(context.units).map((id) => clientPoll(context, id)),
};

const clientPoll = (context: RunContext, clientId: string): Poll => ({
  name: `CPU of client ${nameOf(context.connections, clientId)}`,
  peerId: clientId,
  key: `clientCpu.${clientId}`,
  periodMs: context.run.record().plan.sampling.vcenterMs,
  start: (feed): PollReader => {
    const id = context.seriesId(clientId, 'clientCpuPct');
    let before: CpuTicks | null = null;
    // A client without /proc/stat is not asked again.
    let known = id !== undefined;
    return {
      async read(signal) {
        if (!known) return;
        let after: CpuTicks | null;
        try {
          after = await readCpuTicks(await context.peers.client(clientId), signal);
        } catch (error) {
          // Its workloads tell of a lost client; what it did meanwhile is a gap.
          context.deps.log.debug('The CPU of a client could not be read', {
            run: context.run.id,
            client: clientId,
            error: toAppError(error).message,
          });
          before = null;
          return;
        }
        if (after === null) {
          known = false;
          return;
        }
        const busy = before === null ? null : busyPct(before, after);
        before = after;
        const tMs = context.deps.clock.now();
        if (busy !== null && feed.push(id, tMs, busy)) feed.journal(tMs);
      },
    };
  },
});
