import { useMemo } from 'react';
import { Outlet, useLocation } from 'react-router';

import { subjectOf } from '../addresses/subjectOf.ts';
import { LeavingNamesContext } from '../charts/leavingNames.ts';
import { useClient } from '../engine/services.ts';

/**
 * Every page, with the names of the run, comparison or study it is about: what leaves a chart has
 * the pseudonyms of its report and bundle.
 */
export function PageNames() {
  const client = useClient();
  const { pathname, search } = useLocation();
  const names = useMemo(() => {
    const of = subjectOf(pathname, search);
    return of === null
      ? null
      : async () => (await client.call('report.preview', { of, keep: [] })).replacements;
  }, [client, pathname, search]);
  return (
    <LeavingNamesContext value={names}>
      <Outlet />
    </LeavingNamesContext>
  );
}
