import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { useNavigate } from 'react-router';

import type { Plan } from '../../../core/plan/plan.ts';
import { usePlanSmokeMutation, useRunStartMutation } from '../../engine/api.ts';
import type { PlanCheck } from './usePlanCheck.ts';
import type { PlanDraft } from './usePlanDraft.ts';

interface Props {
  draft: PlanDraft;
  stored: Plan | undefined;
  preflight: PlanCheck;
  onCheck: () => void;
}

/** Which plan it is, whether it is saved, and what can be done with it. */
export function PlanHead(props: Props) {
  const { draft, stored } = props;
  return (
    <Group justify="space-between" wrap="nowrap">
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

function PlanActions({ draft, stored, preflight, onCheck }: Props) {
  const navigate = useNavigate();
  const [smoke, smoking] = usePlanSmokeMutation();
  const [launch, launching] = useRunStartMutation();
  const { report, checking } = preflight;
  // Any edit un-validates the check.
  const current = report !== null && !draft.edited && report.stale !== true;
  const launchable = current && report.ready && !checking;
  const submit = async (): Promise<void> => {
    const done = await draft.save();
    if (done && !stored) void navigate(`/plans/${done.id}`, { replace: true });
  };
  const runSmoke = async (): Promise<void> => {
    const done = await draft.save();
    if (!done) return;
    const result = await smoke({ id: done.id });
    if (!result.error) void navigate(`/runs/${result.data.runId}`);
  };
  const start = async (): Promise<void> => {
    if (!report) return;
    const result = await launch({ planId: draft.plan.id, checkedHash: report.hash });
    if (!result.error) void navigate(`/runs/${result.data.runId}`);
  };
  return (
    <Group gap={8}>
      {stored && (
        <Button variant="default" onClick={() => void navigate(`/studies/new?plan=${stored.id}`)}>
          New study of it
        </Button>
      )}
      <Button
        variant="default"
        disabled={draft.kept && !draft.edited}
        loading={draft.saving}
        onClick={() => void submit()}
      >
        Save plan
      </Button>
      <Button
        variant="default"
        loading={smoking.isLoading}
        disabled={checking}
        title="Checks and runs the first tile for a minute and a half"
        onClick={() => void runSmoke()}
      >
        Smoke run
      </Button>
      <Button variant={launchable ? 'default' : 'filled'} loading={checking} onClick={onCheck}>
        {current ? 'Check again' : 'Check'}
      </Button>
      <Button disabled={!launchable} loading={launching.isLoading} onClick={() => void start()}>
        Launch
      </Button>
    </Group>
  );
}
