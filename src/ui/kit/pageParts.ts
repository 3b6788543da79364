import { useEffect, useRef, useSyncExternalStore } from 'react';

interface PageParts<T> {
  /** Hands a part of this page to the frame while it is open; null = it has none. */
  useProvided: (part: T | null) => void;
  /** What the open page provides; null = nothing. */
  useShown: () => T | null;
}

interface Options<T> {
  /** What the frame shows of all parts that are open, the last opened at the end. */
  combine: (parts: readonly T[]) => T | null;
  /** The frame would draw both alike: it is not drawn again. */
  same: (a: T, b: T) => boolean;
  /** A part whose functions are those of the last draw of its page. */
  latest: (part: T, read: () => T | null) => T;
}

/** What an open page tells the frame around it. */
export function createPageParts<T>({ combine, same, latest }: Options<T>): PageParts<T> {
  const open: { current: T | null }[] = [];
  const listeners = new Set<() => void>();
  let shown: T | null = null;
  const read = (): T | null =>
    combine(open.flatMap(({ current }) => (current === null ? [] : [current])));
  const publish = (): void => {
    const next = read();
    if (next === shown || (next !== null && shown !== null && same(next, shown))) return;
    shown = next === null ? null : latest(next, read);
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
        open.push(held);
        publish();
        return () => {
          open.splice(open.indexOf(held), 1);
          publish();
        };
      }, []);
    },
    useShown: () => useSyncExternalStore(subscribe, () => shown),
  };
}
