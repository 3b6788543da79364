import { Badge } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';

import type { RunOverview } from '../../core/run/run.ts';
import { useSimulated } from '../engine/services.ts';

/** SIMULATED or REPLAY beside a run's name wherever it is listed; nothing for real machines. */
export function OriginMark({ origin }: { origin: RunOverview['origin'] }) {
  // Where everything is simulated the frame and every title say so: a row keeps its room for the
  // name.
  const short = useSimulated() && origin === 'simulated';
  if (short)
    return (
      <IconFlask
        size={14}
        role="img"
        aria-label="SIMULATED"
        color="var(--tb-simulated)"
        style={{ marginRight: 6, flexShrink: 0, verticalAlign: '-2px' }}
      />
    );
  return origin === 'real' ? null : (
    <Badge size="xs" color="grape" mr={6} style={{ flexShrink: 0 }}>
      {origin.toUpperCase()}
    </Badge>
  );
}
