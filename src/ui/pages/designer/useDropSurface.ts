import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

import type { BoardColumn } from './BoardHead.tsx';
import type { Drag, DropPlace } from './drag.ts';
import { type Axis, columnAt, type Density, headerPx, headPx } from './geometry.ts';

interface Input {
  box: HTMLElement | null;
  drag: Drag;
  axis: Axis;
  columns: readonly BoardColumn[];
  columnOf: ReadonlyMap<string, number>;
  density: Density;
}

/**
 * Makes the columns of a board places to drop on. Gives the ref to put on the element that marks the
 * column a drop would land in.
 */
export function useDropSurface({
  box,
  drag,
  axis,
  columns,
  columnOf,
  density,
}: Input): RefObject<HTMLDivElement | null> {
  const band = useRef<HTMLDivElement>(null);
  const mark = useEffectEvent((place: DropPlace | null) => {
    const at = place === null ? undefined : columnOf.get(place.ref);
    if (!band.current) return;
    band.current.style.display = at === undefined ? 'none' : 'block';
    if (at !== undefined)
      band.current.style.transform = `translateX(${headerPx + at * density.columnPx}px)`;
  });
  const hit = useEffectEvent((x: number, y: number): DropPlace | null => {
    if (!box) return null;
    const at = box.getBoundingClientRect();
    if (x < at.left + headerPx || x > at.right || y < at.top || y > at.bottom) return null;
    const column = columnAt(x - at.left + box.scrollLeft, columns.length, density);
    return column === null
      ? null
      : { axis, ref: columns[column]!.ref, name: columns[column]!.name };
  });
  useEffect(() => {
    if (!box) return undefined;
    return drag.register({
      hit: (x, y) => hit(x, y),
      mark: (place) => mark(place),
      nudge: (x, y) => nudge(box, x, y),
    });
  }, [box, drag]);
  return band;
}

/** Scrolls a box whose edge the pointer is near; false when there is nothing more to scroll. */
function nudge(box: HTMLElement, x: number, y: number): boolean {
  const at = box.getBoundingClientRect();
  if (x < at.left || x > at.right || y < at.top || y > at.bottom) return false;
  const by = (near: number, far: number): number => (near < 36 ? -14 : far < 36 ? 14 : 0);
  const before = [box.scrollLeft, box.scrollTop];
  box.scrollLeft += by(x - at.left - headerPx, at.right - x);
  box.scrollTop += by(y - at.top - headPx, at.bottom - y);
  return box.scrollLeft !== before[0] || box.scrollTop !== before[1];
}
