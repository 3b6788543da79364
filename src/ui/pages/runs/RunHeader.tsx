import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { formatElapsed } from '../../../core/base/format.ts';
import { isEnd, type RunOverview, type RunSummary } from '../../../core/run/run.ts';
import { abortWords } from '../../../core/run/runWords.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { usePageObject } from '../../kit/pageObject.ts';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { StudyLink } from '../../kit/StudyLink.tsx';
import { dim } from '../../kit/tones.ts';
import styles from './result/result.module.css';
import { RunProgress } from './RunProgress.tsx';

interface Props {
  /** The study it is a point of; null = none. */ study?: RunSummary['study'];
  overview: RunOverview;
  /** There are rules of a profile to keep; not so for results of another tool. */ judged?: boolean;
  nowMs: number;
  actions: ReactNode;
  /** Set while the engine cannot be reached. */ staleSince: string | null;
  /** Stands in place of state and times: what became of it. */ verdict?: ReactNode;
}

/** Name, state, times and actions of a run, the same place in every state. */
export function RunHeader({
  overview,
  judged = true,
  nowMs,
  actions,
  staleSince,
  study = null,
  verdict: ended,
}: Props) {
  const { state, startedAtMs, endedAtMs, abortReason, verdict } = overview;
  usePageObject({ name: overview.name, rename: null });
  return (
    <Stack gap={6}>
      <Group
        justify="space-between"
        align="flex-start"
        gap="md"
        wrap="nowrap"
        className={styles.head}
      >
        <Group gap={10} style={{ minWidth: 0 }}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {overview.name}
          </Title>
          {ended === undefined && (
            <>
              <span role="status" aria-label="State of the run">
                <RunStateBadge
                  state={state}
                  compliant={judged ? (verdict?.compliant ?? null) : null}
                />
              </span>
              {study !== null && (
                <Text size="sm">
                  Point of <StudyLink study={study} />
                </Text>
              )}
              {abortReason !== null && (
                <Text size="sm">{`${state === 'failed' ? 'Reason' : 'Ended'}: ${abortWords[abortReason]}`}</Text>
              )}
            </>
          )}
        </Group>
        <Group gap={8} align="flex-start" className={styles.actions}>
          {actions}
        </Group>
      </Group>
      {staleSince !== null && (
        <Text
          size="sm"
          role="status"
          fw={600}
        >{`Engine not reachable. Shown as of ${staleSince}; the run goes on.`}</Text>
      )}
      {ended !== undefined ? (
        ended
      ) : isEnd(state) ? (
        startedAtMs !== null && (
          <Text size="sm" c={dim}>
            {`Started ${formatDateTime(startedAtMs)}` +
              (endedAtMs === null ? '' : `, ran ${formatElapsed(endedAtMs - startedAtMs)}`)}
          </Text>
        )
      ) : (
        <RunProgress overview={overview} nowMs={nowMs} />
      )}
    </Stack>
  );
}
