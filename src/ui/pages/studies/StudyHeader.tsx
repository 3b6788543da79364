import { Alert, Button, Group, Menu, Progress, Stack, Text, Title } from '@mantine/core';
import {
  IconAdjustments,
  IconChevronDown,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPresentation,
  IconUserQuestion,
} from '@tabler/icons-react';
import { Link } from 'react-router';

import { isOfRepeats } from '../../../core/study/repeatBoth.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { studyCompareAddress } from '../../../core/study/studyCurves.ts';
import { presentStudyPath } from '../../addresses/presentTarget.ts';
import { usePlanListQuery } from '../../engine/api.ts';
import { usePageObject } from '../../kit/pageObject.ts';
import { StudyStateBadge } from '../../kit/StudyStateBadge.tsx';
import { progressText, type StudyProgress } from '../../kit/studyWords.ts';
import { dim } from '../../kit/tones.ts';
import { ExportReport } from '../reports/ExportReport.tsx';
import { canPause, canStart, type StudyControls } from './useToggleStudy.ts';

interface Props {
  overview: StudyOverview;
  progress: StudyProgress;
  rate: number;
  controls: StudyControls;
  staleSince: string | null;
}

/** Name, state, progress and controls of a study, the same place in every state. */
export function StudyHeader({ overview, progress, rate, controls, staleSince }: Props) {
  const { spec, state, detail, instruction } = overview;
  usePageObject({ name: spec.name, rename: null });
  return (
    <Stack gap={6}>
      <Group justify="space-between" align="flex-start" gap="md">
        <Group gap={10} style={{ minWidth: 0 }}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {spec.name}
          </Title>
          <span role="status" aria-label="State of the study">
            <StudyStateBadge state={state} />
          </span>
        </Group>
        <Actions overview={overview} controls={controls} />
      </Group>
      {staleSince !== null && (
        <Text
          size="sm"
          role="status"
          fw={600}
        >{`Engine not reachable. Shown as of ${staleSince}; the study goes on.`}</Text>
      )}
      <Group gap="md" wrap="nowrap">
        {state !== 'done' && (
          <Progress
            size="sm"
            style={{ flex: 1 }}
            aria-label="Progress of the study"
            value={progress.total === 0 ? 0 : (progress.done / progress.total) * 100}
            transitionDuration={0}
          />
        )}
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {progressText(progress, spec.findLimit !== undefined, rate)}
        </Text>
      </Group>
      {detail !== '' && (
        <Text size="sm" c={dim}>
          {detail}
        </Text>
      )}
      {state === 'waiting' && instruction !== null && (
        <Alert
          color="orange"
          icon={<IconUserQuestion aria-hidden />}
          title="The study waits for a person"
          role="alert"
        >
          <Text size="sm">{instruction}</Text>
          <Text size="sm" mt={4}>
            The next run starts when this is done and said so.
          </Text>
        </Alert>
      )}
    </Stack>
  );
}

/** What can be done with the study in its state. */
function Actions({ overview, controls }: Pick<Props, 'overview' | 'controls'>) {
  const { spec, state } = overview;
  const startWord =
    state === 'draft' ? 'Start study' : state === 'waiting' ? 'Done, go on' : 'Resume study';
  return (
    <Group gap={8}>
      {canStart(state) && (
        <Button
          size="xs"
          loading={controls.busy}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={controls.start}
        >
          {startWord}
        </Button>
      )}
      {canPause(state) && (
        <Button
          size="xs"
          variant="default"
          loading={controls.busy}
          leftSection={<IconPlayerPause size={14} aria-hidden />}
          onClick={() => controls.pause(false)}
        >
          Pause after this run
        </Button>
      )}
      {(state === 'running' || state === 'pausing') && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          title="Aborts the run in progress too. Its point is run again when the study resumes."
          onClick={() => controls.pause(true)}
        >
          Pause now
        </Button>
      )}
      <ExportReport
        of={{ kind: 'study', id: spec.id }}
        disabled={overview.points.every((p) => p.runId === null)}
        make={(client, options, signal) =>
          client.call('report.study', { id: spec.id, ...options }, signal)
        }
      />
      {overview.origin === 'simulated' && !isOfRepeats(spec) && (
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={`/studies/${spec.id}/what-if`}
          leftSection={<IconAdjustments size={14} aria-hidden />}
        >
          What if…
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        component={Link}
        to={presentStudyPath(spec.id)}
        leftSection={<IconPresentation size={14} aria-hidden />}
      >
        Present
      </Button>
      <More studyId={spec.id} planId={spec.planId} />
    </Group>
  );
}

function More({ studyId, planId }: { studyId: string; planId: string }) {
  const { data: plans } = usePlanListQuery({});
  const hasPlan = plans?.some((plan) => plan.id === planId) ?? true;
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/studies/${studyId}/edit`}>
          Edit study
        </Menu.Item>
        <Menu.Item component={Link} to={studyCompareAddress([studyId])}>
          Compare its curves
        </Menu.Item>
        {hasPlan ? (
          <Menu.Item component={Link} to={`/plans/${planId}`}>
            Open its plan
          </Menu.Item>
        ) : (
          <Menu.Item disabled>Its plan was removed</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
