import { useCallback, useState } from 'react';

/**
 * The part of a scrolled box that is in view, in steps, so that a scroll draws again only each
 * `step` pixels.
 */
export interface Viewport {
  left: number;
  top: number;
  width: number;
  height: number;
}
const step = 96;
/** Before the box was measured. */
const unmeasured: Viewport = { left: 0, top: 0, width: 1_280, height: 800 };

/** Follows scroll and size of a box. Gives what is in view and the ref to put on the box. */
export function useViewport(): {
  view: Viewport;
  box: HTMLElement | null;
  attach: (element: HTMLElement | null) => (() => void) | undefined;
} {
  const [view, setView] = useState(unmeasured);
  const [box, setBox] = useState<HTMLElement | null>(null);
  const attach = useCallback((element: HTMLElement | null) => {
    setBox(element);
    if (!element) return undefined;
    const read = (): void => {
      const next: Viewport = {
        left: Math.floor(element.scrollLeft / step) * step,
        top: Math.floor(element.scrollTop / step) * step,
        width: element.clientWidth || unmeasured.width,
        height: element.clientHeight || unmeasured.height,
      };
      setView((before) =>
        before.left === next.left &&
        before.top === next.top &&
        before.width === next.width &&
        before.height === next.height
          ? before
          : next,
      );
    };
    const size = new ResizeObserver(read);
    size.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      size.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  return { view, box, attach };
}

/**
 * First and last index of the items that touch [from, to], given where each begins; `starts` has
 * one entry more than there are items.
 */
export function spanned(
  starts: readonly number[],
  from: number,
  to: number,
): { first: number; last: number } {
  const at = (value: number): number => {
    let low = 0,
      high = Math.max(0, starts.length - 2);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return { first: at(from), last: starts.length < 2 ? -1 : at(to) };
}

/** Where each item begins, and where the last one ends. */
export function startsOf(sizes: readonly number[]): number[] {
  const starts = [0];
  for (const size of sizes) starts.push(starts.at(-1)! + size);
  return starts;
}
export const stepPx = step;
