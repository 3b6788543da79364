import { useEffect, useRef, useSyncExternalStore } from 'react';

interface PageParts<T> {
  /** Hands the part of this page to the frame while the page is open; null = it has none. */
  useProvided: (part: T | null) => void;
  /** The part of the page that was opened last; null = none has one. */
  useShown: () => T | null;
}

/**
 * What an open page tells the frame around it. `same`: two parts that the frame would draw alike;
 * between such the frame is not drawn again, and functions of a part are those of the last draw.
 */
export function createPageParts<T>(
  same: (a: T, b: T) => boolean,
  latestOf: (read: () => T) => T,
): PageParts<T> {
  const pages: { current: T | null }[] = [];
  const listeners = new Set<() => void>();
  let shown: T | null = null;
  let from: (typeof pages)[number] | undefined;
  const publish = (): void => {
    const page = pages.findLast(({ current }) => current !== null);
    const next = page?.current ?? null;
    if (page === from && (next === shown || (next && shown && same(next, shown)))) return;
    from = page;
    shown = next === null ? null : latestOf(() => page?.current ?? next);
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    useProvided(part) {
      const held = useRef(part);
      useEffect(() => {
        held.current = part;
        publish();
      });
      useEffect(() => {
        pages.push(held);
        publish();
        return () => {
          pages.splice(pages.indexOf(held), 1);
          publish();
        };
      }, []);
    },
    useShown: () => useSyncExternalStore(subscribe, () => shown),
  };
}
