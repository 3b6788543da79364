import { toAppError } from '../../../../src/core/base/errors.ts';
import { isMetered } from '../../../../src/core/testbed/powerSources.ts';
import type { PowerReading } from '../../deps/power.ts';
import type { RunContext } from '../context.ts';
import { watchedProviders } from '../series.ts';
import type { Poll, SeriesBasis, SeriesDraft, Source } from './types.ts';
import { counterFacts } from './vcenterCounter.ts';

/** For what a meter's history still has when a run ends. */
const flushLimitMs = 15_000;

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
  {
    connection,
    source,
    periodMs,
    lagMs,
    decimals,
    counts = false,
    uncertaintyPct,
  }: SeriesBasis['powers'][number],
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
      meter: { counts, uncertaintyPct },
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
      // What a device measured before the load is none of the run's.
      const startedMs = context.deps.clock.now();
      const since = (): number => (Number.isFinite(lastTMs) ? lastTMs : startedMs);
      const take = (readings: readonly PowerReading[]): void => {
        for (const { tMs, watts } of readings) {
          if (tMs <= lastTMs || !feed.push(id, tMs, watts)) continue;
          lastTMs = tMs;
          feed.journal(lastTMs);
        }
      };
      return {
        async read(signal) {
          take(await meter.read(signal, since()));
        },
        async finish() {
          if (!meter.flush) return;
          try {
            take(await meter.flush(since(), AbortSignal.timeout(flushLimitMs)));
          } catch (error) {
            context.deps.log.warn('The last readings of a power meter did not come', {
              meter: connection.name,
              error: toAppError(error).message,
            });
          }
        },
        stop: () => meter.close(),
      };
    },
  };
}
