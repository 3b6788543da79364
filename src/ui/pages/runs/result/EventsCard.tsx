import { Button, Group, Paper, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleX,
  IconFlag,
  IconInfoCircle,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMemo } from 'react';

import { formatClock, formatElapsed } from '../../../../core/base/format.ts';
import { type EventGroup, eventGroups } from '../../../../core/run/eventGroups.ts';
import type { RunOverview } from '../../../../core/run/run.ts';
import { dim } from '../../../kit/tones.ts';
import styles from './result.module.css';

const icons: Readonly<Record<EventGroup['tone'], readonly [TablerIcon, string]>> = {
  bad: [IconCircleX, 'Blocks'],
  warn: [IconAlertTriangle, 'Warning'],
  note: [IconFlag, 'Note'],
  info: [IconInfoCircle, 'For information'],
};
/** More than this push what else is on the page out of sight. */
const mostShown = 6;
/** What is found so long after the end was not found by the run. */
const longAfterMs = 60_000;

/** What happened, one cause one line, what weighs most first; the whole list is a tab away. */
export function EventsCard({
  overview,
  fixes = true,
  onAll,
}: {
  overview: RunOverview;
  /** What to do stands below each; false where it stands beside the list already. */
  fixes?: boolean;
  onAll: () => void;
}) {
  const groups = useMemo(() => eventGroups(overview), [overview]);
  return (
    <Paper p="sm" component="section" aria-label="What happened">
      <Group justify="space-between" mb={6}>
        <Title order={2}>Events</Title>
        <Button size="compact-xs" variant="subtle" onClick={onAll}>
          {groups.length > mostShown ? `All, ${groups.length - mostShown} more` : 'All events'}
        </Button>
      </Group>
      {groups.length === 0 ? (
        <Text size="sm" c={dim}>
          Nothing but the phases.
        </Text>
      ) : (
        <ul className={styles.lines}>
          {groups.slice(0, mostShown).map((group) => (
            <Line key={group.key} group={group} overview={overview} fixes={fixes} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

function Line({
  group,
  overview,
  fixes,
}: {
  group: EventGroup;
  overview: RunOverview;
  fixes: boolean;
}) {
  const [GroupIcon, word] = icons[group.tone];
  return (
    <li className={styles.line} data-tone={group.tone}>
      <GroupIcon size={15} role="img" aria-label={word} />
      <span>{group.text}</span>
      <span className={styles.when} title={formatClock(group.atMs)}>
        {when(group, overview)}
      </span>
      {fixes && group.fix !== undefined && <span className={styles.fix}>{group.fix}</span>}
    </li>
  );
}

function when({ atMs, untilMs }: EventGroup, overview: RunOverview): string {
  const { startedAtMs, endedAtMs } = overview;
  if (startedAtMs === null) return formatClock(atMs);
  // What an import finds, it finds on the day of the import.
  if (endedAtMs !== null && atMs > endedAtMs + longAfterMs) return 'after it';
  const at = formatElapsed(atMs - startedAtMs);
  return untilMs === null || untilMs - atMs < 1_000
    ? at
    : `${at}–${formatElapsed(untilMs - startedAtMs)}`;
}
