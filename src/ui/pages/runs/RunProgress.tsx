import { Group, Progress, Stack, Text } from '@mantine/core';

import { formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { runClock } from '../../engine/runClock.ts';
import { dim } from '../../kit/tones.ts';

/** Time left, rounded up, so that elapsed and left add up to the plan. */
const left = (ms: number): string => formatElapsed(Math.ceil(ms / 1_000) * 1_000);

/** Phase, elapsed and remaining time, and how far the plan is. */
export function RunProgress({ overview, nowMs }: { overview: RunOverview; nowMs: number }) {
  const { label, elapsedMs, remainingMs, phaseRemainingMs, fraction, period } = runClock(
    overview,
    nowMs,
  );
  return (
    <Stack gap={4} style={{ flex: 1, minWidth: 280 }}>
      <Group
        justify="space-between"
        gap="md"
        fz="sm"
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        <Text span inherit fw={600}>
          {label}
          {period !== null && <Text span inherit fw={400} c={dim}>{`, ${period}`}</Text>}
        </Text>
        <Group gap="md">
          {phaseRemainingMs !== null && (
            <Text span inherit>{`${left(phaseRemainingMs)} left in phase`}</Text>
          )}
          {elapsedMs !== null && <Text span inherit>{`${formatElapsed(elapsedMs)} elapsed`}</Text>}
          {remainingMs !== null && <Text span inherit fw={600}>{`${left(remainingMs)} left`}</Text>}
        </Group>
      </Group>
      <Progress
        size="sm"
        aria-label="Progress of the run"
        value={fraction * 100}
        transitionDuration={0}
      />
    </Stack>
  );
}
