import { toAppError } from '../../../../src/core/base/errors.ts';
import type { RunContext } from '../context.ts';
import type { WorkloadUnit } from '../series.ts';
import { type ProcKind, procPeriodMs, procPoll, procSeries } from './procMachine.ts';
import type { Source } from './types.ts';

/** Clients that make load in a run. */
export const clientsOf = (units: readonly WorkloadUnit[]): string[] => [
  ...new Set(units.map((unit) => unit.assignment.clientId)),
];
export const nameOf = (connections: RunContext['connections'], id: string): string =>
  connections.find((one) => one.id === id)?.name ?? id;

const client: ProcKind = {
  entityOf: (id) => ({ kind: 'client', id }),
  cpuMetric: 'clientCpuPct',
};

/**
 * What the clients themselves are busy with: a load that its own machine holds back, or whose
 * machine is held back by the host under it, measures that machine.
 */
export const clientMachines: Source = {
  series: ({ units, connections, plan, procMetrics }) => {
    const clients = clientsOf(units);
    const periodMs = procPeriodMs(clients.length, plan.sampling.workloadMs);
    return clients.flatMap((id) =>
      procSeries(
        client,
        { id, name: nameOf(connections, id) },
        procMetrics?.get(id) ?? [],
        periodMs,
      ),
    );
  },
  polls(context) {
    const told = new Set(
      context.run
        .overview()
        .series.flatMap(({ entity }) => (entity.kind === 'client' ? [entity.id] : [])),
    );
    const clients = clientsOf(context.units);
    const { workloadMs } = context.run.record().plan.sampling;
    const periodMs = procPeriodMs(clients.length, workloadMs);
    return clients
      .filter((id) => told.has(id))
      .map((id) =>
        procPoll(
          context,
          client,
          { id, name: nameOf(context.connections, id), what: 'client' },
          periodMs,
          // Its workloads tell of a lost client; what it did meanwhile is a gap.
          (error) =>
            context.deps.log.debug('The counters of a client could not be read', {
              run: context.run.id,
              client: id,
              error: toAppError(error).message,
            }),
        ),
      );
  },
};
