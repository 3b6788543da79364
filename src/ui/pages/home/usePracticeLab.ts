import type { Connection } from '../../../core/testbed/connection.ts';
import { useConnectionListQuery, usePlanListQuery, usePracticeLabQuery } from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import type { PracticeLab } from '../plans/usePracticeLab.ts';

/** A practice lab may be started while one looks. */
const lookAgainMs = 3_000;

export interface PracticeOffers {
  lab: PracticeLab | null;
  /** Its second plan, a tile in the style of VMmark 2. */
  styleTile: PracticeLab | null;
}
const nothing: PracticeOffers = { lab: null, styleTile: null };

/** The practice lab that runs on this machine, asked for again while the page is open. */
export function usePracticeLab(): PracticeOffers {
  const { data } = usePracticeLabQuery({}, { pollingInterval: lookAgainMs });
  return data ?? nothing;
}

/** Where a machine listens; a meter is told by the machines beside it. */
const placeOf = (one: Connection): string | null =>
  one.kind === 'power' ? null : `${one.kind} ${one.host}:${one.port}`;

/**
 * The same where it is of use later: plans of this user's own lab, in the real workspace, of which
 * something is not connected as it stands now, or that are not taken yet. Another start has other
 * ports.
 */
export function useNewPracticeLab(): PracticeOffers {
  const simulated = useSimulated();
  const { lab, styleTile } = usePracticeLab();
  const { data: stored } = useConnectionListQuery({});
  const { data: plans } = usePlanListQuery({});
  if (simulated || stored === undefined || plans === undefined) return nothing;
  const places = new Set([null, ...stored.map(placeOf)]);
  const own = (one: PracticeLab | null): PracticeLab | null => (one?.notOwn === null ? one : null);
  const isConnected = (one: PracticeLab): boolean =>
    one.source.file.connections.every((connection) => places.has(placeOf(connection)));
  const isTaken = (one: PracticeLab): boolean =>
    plans.some(({ id }) => id === one.source.file.plan.id);
  const [first, second] = [own(lab), own(styleTile)];
  return {
    lab: first === null || isConnected(first) ? null : first,
    styleTile: second === null || (isConnected(second) && isTaken(second)) ? null : second,
  };
}
