import { useMemo } from 'react';

import type { NameOf } from '../../../core/testbed/testbedDiffTypes.ts';
import { useConnectionListQuery, useProfileListQuery } from '../../engine/api.ts';

/** Names of connections and profiles by their ids, as this workspace has them. */
export function useNameOf(): NameOf {
  const { data: connections } = useConnectionListQuery({});
  const { data: profiles } = useProfileListQuery({});
  return useMemo(() => {
    const names = new Map(
      [...(connections ?? []), ...(profiles ?? [])].map(({ id, name }) => [id, name]),
    );
    return (_kind, id) => names.get(id) ?? id;
  }, [connections, profiles]);
}
