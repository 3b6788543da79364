import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconUserQuestion,
} from '@tabler/icons-react';

import type { StudyOverview, StudyPoint } from '../../core/study/study.ts';
import { pointStateWords } from '../../core/study/studyWords.ts';
import { studyStateWords } from './studyWords.ts';

const studyLooks: Readonly<
  Record<StudyOverview['state'], { color: string; icon: typeof IconClock }>
> = {
  draft: { color: 'gray', icon: IconClock },
  running: { color: 'blue', icon: IconPlayerPlay },
  pausing: { color: 'blue', icon: IconPlayerPause },
  paused: { color: 'orange', icon: IconPlayerPause },
  waiting: { color: 'orange', icon: IconUserQuestion },
  done: { color: 'green', icon: IconCircleCheck },
  failed: { color: 'red', icon: IconCircleX },
};
const pointLooks: Readonly<Record<StudyPoint['state'], { color: string; icon: typeof IconClock }>> =
  {
    pending: { color: 'gray', icon: IconClock },
    running: { color: 'blue', icon: IconPlayerPlay },
    passed: { color: 'green', icon: IconCircleCheck },
    qosFailed: { color: 'orange', icon: IconAlertTriangle },
    failed: { color: 'red', icon: IconCircleX },
    aborted: { color: 'orange', icon: IconHandStop },
    skipped: { color: 'gray', icon: IconPlayerSkipForward },
  };

function StateBadge({
  color,
  icon: StateIcon,
  word,
}: {
  color: string;
  icon: typeof IconClock;
  word: string;
}) {
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      c="var(--mantine-color-text)"
      leftSection={<StateIcon size={13} aria-hidden color={`var(--mantine-color-${color}-6)`} />}
      miw="max-content"
      style={{ overflow: 'visible', flexShrink: 0 }}
    >
      {word}
    </Badge>
  );
}
/** State of a study: icon and word, colour only beside them. */
export const StudyStateBadge = ({ state }: { state: StudyOverview['state'] }): React.ReactNode => (
  <StateBadge {...studyLooks[state]} word={studyStateWords[state]} />
);
/** State of one point of a study. */
export const PointStateBadge = ({ state }: { state: StudyPoint['state'] }): React.ReactNode => (
  <StateBadge {...pointLooks[state]} word={pointStateWords[state]} />
);
