import { Badge } from '@mantine/core';
import type { RunOverview } from '../../shared/run.ts';

/** SIMULATED or REPLAY beside a run's name wherever it is listed; nothing for real machines. */
export function OriginMark({ origin }: { origin: RunOverview['origin'] }) {
  return origin === 'real' ? null : <Badge size="xs" color="grape.9" mr={6} style={{ flexShrink: 0 }}>{origin.toUpperCase()}</Badge>;
}
