import { useEffect, useState } from 'react';

import { onHeartbeat } from '../../charts/heartbeat.ts';

type Headroom = () => readonly { tile: number; headroom: number | null; lost?: true }[];
type Entry = ReturnType<Headroom>[number];
const isKnown = ({ headroom, lost }: Entry): boolean => lost === true || headroom !== null;
/** Looked at every this many heartbeats: a highlight must not flicker, columns must not jump. */
const every = 5;

/**
 * Tiles by their least headroom, lost ones and then the worst first, those without any after them; and the worst one,
 * null while nothing is measured.
 * `hold` true: the order stays, as while a pointer is in it.
 */
export function useTileOrder(
  headroom: Headroom,
  tiles: readonly number[],
  live: boolean,
  hold: () => boolean,
): { order: readonly number[]; worst: number | null } {
  const [state, setState] = useState<{ order: readonly number[]; worst: number | null }>({
    order: tiles,
    worst: null,
  });
  useEffect(() => {
    let beat = 0;
    const look = (): void => {
      if (beat++ % every !== 0 || hold()) return;
      const list = headroom();
      const worst = list[0] !== undefined && isKnown(list[0]) ? list[0].tile : null;
      const measured = [...new Set(list.filter(isKnown).map((h) => h.tile))];
      const order = [...measured, ...tiles.filter((tile) => !measured.includes(tile))];
      setState((now) =>
        now.worst === worst &&
        now.order.length === order.length &&
        now.order.every((tile, i) => tile === order[i])
          ? now
          : { order, worst },
      );
    };
    if (!live) {
      const once = requestAnimationFrame(look);
      return () => {
        cancelAnimationFrame(once);
      };
    }
    return onHeartbeat(look);
  }, [headroom, tiles, live, hold]);
  return state;
}
