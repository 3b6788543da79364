import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconPlayerPlay,
} from '@tabler/icons-react';

import type { RunState } from '../../core/run/run.ts';
import { stateWords } from './runWords.ts';

const looks: Readonly<Record<RunState, { color: string; icon: typeof IconClock }>> = {
  draft: { color: 'gray', icon: IconClock },
  checking: { color: 'gray', icon: IconClock },
  ready: { color: 'gray', icon: IconClock },
  starting: { color: 'blue', icon: IconPlayerPlay },
  rampUp: { color: 'blue', icon: IconPlayerPlay },
  steady: { color: 'blue', icon: IconPlayerPlay },
  rampDown: { color: 'blue', icon: IconPlayerPlay },
  collecting: { color: 'blue', icon: IconClock },
  passed: { color: 'green', icon: IconCircleCheck },
  failed: { color: 'red', icon: IconCircleX },
  aborted: { color: 'orange', icon: IconHandStop },
};

/**
 * State of a run: icon and word, colour only beside them. A passed run that is not compliant says
 * so.
 */
export function RunStateBadge({
  state,
  compliant = null,
  short = false,
}: {
  state: RunState;
  compliant?: boolean | null;
  /** For table cells. */ short?: boolean;
}) {
  const flawed = state === 'passed' && compliant === false;
  const { color, icon: StateIcon } = flawed
    ? { color: 'orange', icon: IconAlertTriangle }
    : looks[state];
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      c="var(--mantine-color-text)"
      leftSection={<StateIcon size={13} aria-hidden color={`var(--mantine-color-${color}-6)`} />}
      style={{ overflow: 'visible', flexShrink: 0 }}
      title={flawed ? 'Passed, not compliant' : undefined}
    >
      {flawed ? (short ? 'Not compliant' : 'Passed, not compliant') : stateWords[state]}
    </Badge>
  );
}
