import type { PerfProvider } from '../../deps/vcenter.ts';
import { watchedProviders } from '../series.ts';
import { startCounters } from './counterReader.ts';
import { seriesOfCounters } from './counterSeries.ts';
import type { Source } from './types.ts';

/** vCenter's counters of hosts, uplinks and datastores, and the watts of hosts that come with them. */
export const counters: Source = {
  series: seriesOfCounters,
  polls(context) {
    const { testbed, inventoryBefore, plan } = context.run.record();
    const { vcenterId } = testbed;
    const { hosts, datastores } = watchedProviders(context.units, inventoryBefore);
    const providers: PerfProvider[] = [
      ...hosts.map((h) => ({ kind: 'host' as const, ref: h.ref })),
      ...datastores.map((d) => ({ kind: 'datastore' as const, ref: d.ref })),
    ];
    return vcenterId === null || providers.length === 0
      ? []
      : [
          {
            name: 'Counters',
            peerId: vcenterId,
            key: 'vcenter',
            periodMs: plan.sampling.vcenterMs,
            start: (feed) => startCounters(context, vcenterId, { providers }, feed),
          },
        ];
  },
};
