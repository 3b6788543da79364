import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconClock, IconHandStop, IconPlayerPlay } from '@tabler/icons-react';
import type { RunState } from '../../shared/run.ts';
import { stateWords } from './runWords.ts';

const looks: Readonly<Record<RunState, { color: string; icon: typeof IconClock }>> = {
  draft: { color: 'gray', icon: IconClock }, checking: { color: 'gray', icon: IconClock }, ready: { color: 'gray', icon: IconClock }, starting: { color: 'blue', icon: IconPlayerPlay },
  rampUp: { color: 'blue', icon: IconPlayerPlay }, steady: { color: 'blue', icon: IconPlayerPlay }, rampDown: { color: 'blue', icon: IconPlayerPlay }, collecting: { color: 'blue', icon: IconClock },
  passed: { color: 'green', icon: IconCircleCheck }, failed: { color: 'red', icon: IconCircleX }, aborted: { color: 'orange', icon: IconHandStop },
};

/** State of a run: icon and word, colour only beside them. A passed run that is not compliant says so. */
export function RunStateBadge({ state, compliant = null }: { state: RunState; compliant?: boolean | null }) {
  const flawed = state === 'passed' && compliant === false;
  const { color, icon: StateIcon } = flawed ? { color: 'orange', icon: IconAlertTriangle } : looks[state];
  return <Badge color={color} variant="light" tt="none" leftSection={<StateIcon size={13} aria-hidden />} style={{ overflow: 'visible' }}>{flawed ? 'Passed, not compliant' : stateWords[state]}</Badge>;
}
