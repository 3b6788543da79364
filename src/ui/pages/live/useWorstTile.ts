import { useEffect, useState } from 'react';

import { onHeartbeat } from '../../charts/heartbeat.ts';

type Headroom = () => readonly { tile: number; headroom: number | null; lost?: true }[];
/** Looked at every this many heartbeats: a highlight must not flicker. */
const every = 5;

/** The tile that is lost, or has the least headroom; null while nothing is measured. */
export function useWorstTile(headroom: Headroom, live: boolean): number | null {
  const [worst, setWorst] = useState<number | null>(null);
  useEffect(() => {
    let beat = 0;
    const look = (): void => {
      if (beat++ % every !== 0) return;
      const first = headroom()[0];
      const isKnown = first !== undefined && (first.lost === true || first.headroom !== null);
      setWorst(isKnown ? first.tile : null);
    };
    if (!live) {
      const once = requestAnimationFrame(look);
      return () => {
        cancelAnimationFrame(once);
      };
    }
    return onHeartbeat(look);
  }, [headroom, live]);
  return worst;
}
