import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from 'react-router';

import type { Plan } from '../../../core/plan/plan.ts';
import { usePlanSmokeMutation, useRunStartMutation } from '../../engine/api.ts';
import { LaunchButton } from './LaunchButton.tsx';
import { PlanMenu } from './PlanMenu.tsx';
import type { PlanCheck } from './usePlanCheck.ts';
import type { PlanDraft } from './usePlanDraft.ts';

interface Props {
  draft: PlanDraft;
  stored: Plan | undefined;
  preflight: PlanCheck;
}

/** Which plan it is, whether it is saved, and what can be done with it. */
export function PlanHead(props: Props) {
  const { draft, stored } = props;
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Group gap="sm">
        <Title order={1}>{draft.plan.name || 'New plan'}</Title>
        {stored && <Text size="sm" c="dimmed">{`version ${stored.version}`}</Text>}
        {draft.edited && (
          <Badge variant="filled" color="orange.9" tt="none">
            Not saved
          </Badge>
        )}
      </Group>
      <PlanActions {...props} />
    </Group>
  );
}

function PlanActions({ draft, stored, preflight }: Props) {
  const navigate = useNavigate();
  const [smoke, smoking] = usePlanSmokeMutation();
  const [launch, launching] = useRunStartMutation();
  const { report, checking } = preflight;
  // Any edit un-validates the check.
  const current = report !== null && !draft.edited && report.stale !== true;
  const submit = async (): Promise<void> => {
    const done = await draft.save();
    if (done && !stored) void navigate(`/plans/${done.id}`, { replace: true });
  };
  const check = async () => {
    const done = await draft.save();
    return done && preflight.check(done.id);
  };
  const runSmoke = async (): Promise<void> => {
    const done = await draft.save();
    if (!done) return;
    const result = await smoke({ id: done.id });
    if (!result.error) void navigate(`/runs/${result.data.runId}`);
  };
  const start = async (): Promise<void> => {
    const checked = current && report.ready ? report : await check();
    if (!checked?.ready) return;
    const result = await launch({ planId: draft.plan.id, checkedHash: checked.hash });
    if (!result.error) void navigate(`/runs/${result.data.runId}`);
  };
  const busy = checking || launching.isLoading || smoking.isLoading;
  return (
    <Stack gap={4} align="flex-end">
      <Group gap={8} wrap="nowrap">
        {(draft.edited || !draft.kept) && (
          <Button variant="default" loading={draft.saving} onClick={() => void submit()}>
            Save plan
          </Button>
        )}
        {stored && <PlanMenu plan={stored} testbed={draft.testbed} />}
        <LaunchButton
          ready={current && report.ready}
          busy={busy}
          onLaunch={() => void start()}
          onCheck={() => void check()}
          onSmoke={() => void runSmoke()}
        />
      </Group>
      {draft.fault !== null && (
        <Text size="sm" role="status">
          {`Before it can be checked: ${draft.fault}.`}
        </Text>
      )}
    </Stack>
  );
}
