import { isMetered } from '../../../../src/core/testbed/powerSources.ts';
import type { RunContext } from '../context.ts';
import { watchedProviders } from '../series.ts';
import type { Poll, SeriesBasis, SeriesDraft, Source } from './types.ts';
import { counterFacts } from './vcenterCounter.ts';

/**
 * Power sources: one series for a meter; one for each host where vCenter gives the watts, which
 * `counters.ts` reads with the rest.
 */
export const power: Source = {
  series: (of) => of.powers.flatMap((one) => powerSeries(of, one)),
  polls: (context) => {
    const { powerIds } = context.run.record().testbed;
    return context.connections.flatMap((connection) =>
      connection.kind === 'power' &&
      isMetered(connection.source) &&
      powerIds.includes(connection.id)
        ? [meterPoll(context, connection)]
        : [],
    );
  },
};

function powerSeries(
  of: SeriesBasis,
  { connection, source, periodMs, lagMs, decimals }: SeriesBasis['powers'][number],
): SeriesDraft[] {
  const watts = { metric: 'powerW' as const, unit: 'W' };
  if (!isMetered(connection.source))
    return watchedProviders(of.units, of.inventory).hosts.map((host) => ({
      ...watts,
      decimals: 0,
      ...counterFacts(of),
      entity: { kind: 'power', id: `${connection.id}.${host.ref}`, name: host.name },
    }));
  return [
    {
      ...watts,
      decimals,
      periodMs,
      lagMs,
      source,
      entity: { kind: 'power', id: connection.id, name: connection.name },
    },
  ];
}

function meterPoll(
  context: RunContext,
  connection: SeriesBasis['powers'][number]['connection'],
): Poll {
  const meter = context.peers.meter(connection);
  const id = context.seriesId(connection.id, 'powerW');
  return {
    name: 'Watts',
    peerId: connection.id,
    key: `power.${connection.id}`,
    periodMs: meter.periodMs,
    start(feed) {
      let lastTMs = feed.stored?.lastTMs ?? -Infinity;
      return {
        async read(signal) {
          for (const { tMs, watts } of await meter.read(signal)) {
            if (tMs <= lastTMs || !feed.push(id, tMs, watts)) continue;
            lastTMs = tMs;
            feed.journal(lastTMs);
          }
        },
        stop: () => meter.close(),
      };
    },
  };
}
