import { linuxHostId } from '../../../../src/core/metric/metric.ts';
import { linuxHostsOf } from '../../../../src/core/testbed/usedConnections.ts';
import { nameOf } from './clientMachines.ts';
import { type ProcKind, procPeriodMs, procPoll, procSeries } from './procMachine.ts';
import type { Source } from './types.ts';

const host: ProcKind = {
  entityOf: (id) => ({ kind: 'host', id: linuxHostId(id) }),
  cpuMetric: 'cpuPct',
};

/** Linux machines under test, read every second over SSH: what no vCenter counts. */
export const linuxHosts: Source = {
  series: ({ testbed, connections, plan, procMetrics }) => {
    const hosts = linuxHostsOf(testbed);
    const periodMs = procPeriodMs(hosts.length, plan.sampling.workloadMs);
    return hosts.flatMap((id) =>
      procSeries(host, { id, name: nameOf(connections, id) }, procMetrics?.get(id) ?? [], periodMs),
    );
  },
  polls(context) {
    const { testbed, plan } = context.run.record();
    const told = new Set(context.run.overview().series.map(({ entity }) => entity.id));
    const hosts = linuxHostsOf(testbed);
    const periodMs = procPeriodMs(hosts.length, plan.sampling.workloadMs);
    return hosts
      .filter((id) => told.has(linuxHostId(id)))
      .map((id) =>
        procPoll(
          context,
          host,
          { id, name: nameOf(context.connections, id), what: 'host' },
          periodMs,
          (error) => {
            throw error;
          },
        ),
      );
  },
};
