import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

import { type HistoryShown } from '../../engine/historyShown.ts';
import { filterFromParams, paramsFromFilter } from './historyFilter.ts';

/** The address follows the typing, not each letter of it. */
const settleMs = 200;

/**
 * Keeps filter and address the same: a link sets the filter, what is typed shows in the address.
 * Coming back without one, the filter that was left stays.
 */
export function useFilterAddress(
  filter: HistoryShown,
  onFilter: (filter: HistoryShown) => void,
): void {
  const [params, setParams] = useSearchParams();
  const known = useRef<string | null>(null);
  const wanted = paramsFromFilter(filter).toString();
  const there = paramsFromFilter(filterFromParams(params)).toString();
  useEffect(() => {
    if (known.current === there) return;
    const arriving = known.current === null;
    known.current = there;
    if (there !== '' || !arriving) onFilter(filterFromParams(new URLSearchParams(there)));
  }, [there, onFilter]);
  useEffect(() => {
    if (wanted === there) return;
    const timer = setTimeout(() => {
      known.current = wanted;
      setParams(
        (now) => {
          const next = new URLSearchParams(wanted);
          if (now.has('storage')) next.set('storage', '1');
          return next;
        },
        { replace: true },
      );
    }, settleMs);
    return () => clearTimeout(timer);
  }, [wanted, there, setParams]);
}
