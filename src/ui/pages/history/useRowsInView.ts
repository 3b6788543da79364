import {
  type RefObject,
  type UIEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** Rows beyond either edge, so that a quick scroll shows no hole. */
const overscan = 12;
/** Height before the first measurement. */
const firstHeightPx = 600;

interface Input {
  count: number;
  rowPx: number;
  /** Above the rows, inside the scroller. */ headPx: number;
  /** Where it was left. */ firstTop: number;
  /** Told on going away. */ onLeft: (top: number) => void;
}

export interface RowsInView {
  scroller: RefObject<HTMLDivElement | null>;
  onScroll: (event: UIEvent<HTMLElement>) => void;
  /** Rows to draw: from the first to before the last. */ from: number;
  to: number;
  /** Whole rows that a page key moves by. */ page: number;
  /** Scrolls as little as shows a row whole. */ reveal: (index: number) => void;
}

/** Which rows of equal height a scroller shows. */
export function useRowsInView({ count, rowPx, headPx, firstTop, onLeft }: Input): RowsInView {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: firstTop, height: firstHeightPx });
  const first = useRef(firstTop);
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = first.current;
  }, []);
  useEffect(() => {
    const node = scroller.current;
    if (node === null) return;
    const measure = (): void =>
      setView((now) =>
        node.clientHeight > 0 && node.clientHeight !== now.height
          ? { ...now, height: node.clientHeight }
          : now,
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  // What is left on going away: told once, not at every step of a scroll.
  const left = useRef({ top: view.top, tell: onLeft });
  useEffect(() => {
    left.current = { top: view.top, tell: onLeft };
  });
  useEffect(() => () => left.current.tell(left.current.top), []);

  const top = Math.min(view.top, Math.max(0, count * rowPx - view.height + headPx));
  const reveal = (index: number): void => {
    const node = scroller.current;
    if (node === null) return;
    const rowTop = index * rowPx;
    if (rowTop < node.scrollTop) node.scrollTop = rowTop;
    else if (rowTop + rowPx + headPx > node.scrollTop + view.height)
      node.scrollTop = rowTop + rowPx + headPx - view.height;
  };
  return {
    scroller,
    onScroll: useCallback((event) => {
      const now = event.currentTarget.scrollTop;
      setView((before) => ({ ...before, top: now }));
    }, []),
    from: Math.max(0, Math.floor(top / rowPx) - overscan),
    to: Math.min(count, Math.ceil((top + view.height) / rowPx) + overscan),
    page: Math.max(1, Math.floor(view.height / rowPx) - 2),
    reveal,
  };
}
