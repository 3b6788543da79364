import { type Counter, perSecond, type Point } from './perfDecode.ts';

/**
 * What a host counts of a LUN beside commands and latencies: the depth it has for it now, which it
 * lowers where the array says that its own queue is full, and what went wrong, as counts of a period.
 */
export const lunEventCounters = [
  {
    metric: 'maxQueueDepth',
    name: 'disk.maxQueueDepth.average',
    over: 'least',
    convert: (value: number) => value,
  },
  {
    metric: 'abortedPerS',
    name: 'disk.commandsAborted.summation',
    over: 'sum',
    convert: perSecond,
  },
  { metric: 'busResetsPerS', name: 'disk.busResets.summation', over: 'sum', convert: perSecond },
  {
    metric: 'reservationConflictsPerS',
    name: 'disk.scsiReservationConflicts.summation',
    over: 'sum',
    convert: perSecond,
  },
] as const;
export type LunEvent = (typeof lunEventCounters)[number]['metric'];
/** By metric, for each LUN of a datastore what one host counted. */
export type LunEvents = Readonly<Partial<Record<LunEvent, readonly (readonly Point[])[]>>>;

/** What of it this vCenter counts. */
export const storeMetricsOf = (counters: ReadonlyMap<string, Counter>): LunEvent[] =>
  lunEventCounters.flatMap(({ metric, name }) => (counters.has(name) ? [metric] : []));
