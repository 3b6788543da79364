import { Badge } from '@mantine/core';

import type { RunOverview } from '../../core/run/run.ts';
import { useSimulated } from '../engine/services.ts';

/** SIMULATED or REPLAY beside a run's name wherever it is listed; nothing for real machines. */
export function OriginMark({ origin }: { origin: RunOverview['origin'] }) {
  // Where everything is simulated the frame of the window says so.
  const framed = useSimulated() && origin === 'simulated';
  return origin === 'real' || framed ? null : (
    <Badge size="xs" color="grape" mr={6} style={{ flexShrink: 0 }}>
      {origin.toUpperCase()}
    </Badge>
  );
}
