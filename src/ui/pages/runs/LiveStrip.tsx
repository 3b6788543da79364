import { Button, Popover, Progress, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { abortWords } from '../../../core/run/runWords.ts';
import { isEnd } from '../../../core/run/states.ts';
import { runClock } from '../../engine/runClock.ts';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { Findings } from './Findings.tsx';
import styles from './liveStrip.module.css';

interface Props {
  overview: RunOverview;
  nowMs: number;
  /** Set while the engine cannot be reached. */ staleSince?: string | null;
  /** Of what the run is a point, where its numbers come from. */ marks?: ReactNode;
  actions: ReactNode;
}

/**
 * A run that goes on in one line: name, state, how far it is, how long it takes still and until
 * when, what is wrong, and what can be done. The only place on its screen that tells the time.
 */
export function LiveStrip({ overview, nowMs, staleSince = null, marks, actions }: Props) {
  const { state, verdict, abortReason } = overview;
  const clock = runClock(overview, nowMs);
  const over = isEnd(state);
  return (
    <div className={styles.strip} data-live-strip>
      <Title order={1} className={styles.name} title={overview.name}>
        {overview.name}
      </Title>
      {marks}
      <span className={styles.state}>
        <span role="status" aria-label="State of the run">
          <RunStateBadge state={state} compliant={verdict?.compliant ?? null} />
        </span>
        {clock.period !== null && <span className={styles.aside}>{clock.period}</span>}
        {abortReason !== null && <span className={styles.aside}>{abortWords[abortReason]}</span>}
      </span>
      {over ? (
        <span className={styles.wide} />
      ) : (
        <Progress
          className={styles.wide}
          size="sm"
          aria-label="Progress of the run"
          value={clock.fraction * 100}
          transitionDuration={0}
        />
      )}
      <span className={styles.time} title={timeTitle(clock)}>
        {timeText(clock, nowMs, over)}
      </span>
      {staleSince !== null && (
        <Text size="sm" role="status" fw={600} truncate>
          {`Engine not reachable. Shown as of ${staleSince}; the run goes on.`}
        </Text>
      )}
      <Problems overview={overview} />
      <span className={styles.actions}>{actions}</span>
    </div>
  );
}

/** Whole seconds, rounded up, so that elapsed and left add up to the plan. */
const left = (ms: number): string => formatElapsed(Math.ceil(ms / 1_000) * 1_000);

function timeText(
  { remainingMs, elapsedMs }: ReturnType<typeof runClock>,
  nowMs: number,
  over: boolean,
): ReactNode {
  if (remainingMs === null)
    return elapsedMs === null ? '' : `${formatElapsed(elapsedMs)}${over ? ' in all' : ''}`;
  return (
    <>
      <strong>{`${left(remainingMs)} left`}</strong>
      {`, ends ${formatClock(nowMs + remainingMs).slice(0, 5)}`}
    </>
  );
}

const timeTitle = ({ elapsedMs, phaseRemainingMs }: ReturnType<typeof runClock>): string =>
  [
    ...(elapsedMs === null ? [] : [`${formatElapsed(elapsedMs)} elapsed`]),
    ...(phaseRemainingMs === null ? [] : [`${left(phaseRemainingMs)} left in this phase`]),
  ].join(', ');

/** How much is wrong; all of it on request, over the board. */
function Problems({ overview }: { overview: RunOverview }) {
  const [open, setOpen] = useState(false);
  const lost = overview.workloads.filter((w) => w.state === 'lost' || w.state === 'failed').length;
  const found = overview.findings.filter(({ severity }) => severity !== 'info').length;
  const count = found + (lost > 0 ? 1 : 0);
  if (count === 0 && overview.findings.length === 0) return null;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      width={720}
      position="bottom-end"
      shadow="md"
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={
            count > 0 && <IconAlertTriangle size={14} aria-hidden color="var(--tb-warn)" />
          }
          onClick={() => setOpen((now) => !now)}
        >
          {count > 0 ? counted(count, 'problem') : counted(overview.findings.length, 'finding')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {lost > 0 && (
          <Text size="sm" fw={600} mb={6}>
            {`${counted(lost, 'workload')} lost or failed`}
          </Text>
        )}
        <Findings overview={overview} />
      </Popover.Dropdown>
    </Popover>
  );
}
