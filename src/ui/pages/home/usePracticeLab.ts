import type { Connection } from '../../../core/testbed/connection.ts';
import { useConnectionListQuery, usePracticeLabQuery } from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import type { PracticeLab } from '../plans/usePracticeLab.ts';

/** A practice lab may be started while one looks. */
const lookAgainMs = 3_000;

/** The practice lab that runs on this machine, asked for again while the page is open. */
export function usePracticeLab(): PracticeLab | null {
  const { data } = usePracticeLabQuery({}, { pollingInterval: lookAgainMs });
  return data?.lab ?? null;
}

/** Where a machine listens; a meter is told by the machines beside it. */
const placeOf = (one: Connection): string | null =>
  one.kind === 'power' ? null : `${one.kind} ${one.host}:${one.port}`;

/**
 * The same where it is of use later: one of this user's, in the real workspace, of which something
 * is not connected as it stands now. Another start of it has other ports.
 */
export function useNewPracticeLab(): PracticeLab | null {
  const simulated = useSimulated();
  const lab = usePracticeLab();
  const { data: stored } = useConnectionListQuery({});
  if (simulated || lab?.notOwn !== null || stored === undefined) return null;
  const places = new Set([null, ...stored.map(placeOf)]);
  return lab.source.file.connections.every((one) => places.has(placeOf(one))) ? null : lab;
}
