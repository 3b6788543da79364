import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function that stays the same object and calls the newest one: for handlers given to parts that
 * are drawn again only where their values change.
 */
export function useStable<A extends unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const newest = useRef(act);
  useLayoutEffect(() => {
    newest.current = act;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}
