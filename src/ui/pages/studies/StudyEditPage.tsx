import {
  Alert,
  Badge,
  Button,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import { planDurationS } from '../../../core/plan/plan.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import {
  usePlanListQuery,
  useProfileListQuery,
  useStudyOverviewQuery,
  useStudySaveMutation,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { Axes } from './Axes.tsx';
import type { StudyDraft } from './studyForm.ts';
import { LimitSearchFields, RunFields } from './StudyRunFields.tsx';
import { type FieldErrors, specOf } from './studySpec.ts';
import { useStudyDraft } from './useStudyDraft.ts';

interface PlanChoice {
  id: string;
  name: string;
  profileId: string;
  phases: Parameters<typeof planDurationS>[0];
}

/** A new study, or one that is changed. What is typed survives leaving the page. */
export function StudyEditPage() {
  const { id } = useParams();
  const stored = useStudyOverviewQuery({ id: id ?? '' }, { skip: id === undefined });
  const plans = usePlanListQuery({});
  const error = stored.error ?? plans.error;
  if (error)
    return (
      <Failure
        title="The study cannot be read"
        error={error as AppErrorShape}
        onRetry={() => {
          void plans.refetch();
          if (id !== undefined) void stored.refetch();
        }}
      />
    );
  if (!plans.data || (id !== undefined && !stored.data)) return <Pending label="study" />;
  return <Editor key={id ?? 'new'} stored={stored.data} plans={plans.data} />;
}

function Editor({
  stored,
  plans,
}: {
  stored: StudyOverview | undefined;
  plans: readonly PlanChoice[];
}) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { draft, edited, set, discard, drop } = useStudyDraft(
    stored?.spec,
    params.get('plan') ?? '',
  );
  const [tried, setTried] = useState(false);
  const [save, saving] = useStudySaveMutation();
  const { data: testbeds = [] } = useTestbedListQuery({});
  const { data: profiles = [] } = useProfileListQuery({});
  if (plans.length === 0) return <NoPlan />;

  const plan = plans.find((p) => p.id === draft.planId);
  const { spec, errors, points } = specOf(draft, {
    testbed: (id) => testbeds.find((t) => t.id === id)?.name,
    profile: (id) => profiles.find((p) => p.id === id)?.name,
  });
  const errorOf = (field: string): string | undefined =>
    isMarked(errors[field], tried, edited) ? errors[field] : undefined;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (spec === null) return;
    const saved = await save(spec);
    if (saved.error) return;
    drop();
    notifications.show({
      color: 'green',
      message: `${saved.data.name} saved as version ${saved.data.version}.`,
    });
    void navigate(`/studies/${saved.data.id}`, { replace: true });
  };
  return (
    <Stack gap="md" maw={1100}>
      <Head
        name={draft.name}
        version={stored?.spec.version}
        edited={edited}
        saving={saving.isLoading}
        onDiscard={() => {
          discard();
          setTried(false);
        }}
        onSave={() => void submit()}
      />
      {stored?.points.some((p) => p.runId !== null) && (
        <Text size="sm">
          Points whose values stay in the study keep their runs. Runs of values that are removed
          stay in Runs.
        </Text>
      )}
      {errors['form'] !== undefined && (
        <Alert color="red" title="The study cannot be saved" role="alert">
          {errors['form']}
        </Alert>
      )}
      <NameAndPlan draft={draft} plans={plans} set={set} errorOf={errorOf} />
      <Axes
        axes={draft.axes}
        errorOf={errorOf}
        profile={profiles.find((p) => p.id === plan?.profileId)}
        testbeds={testbeds}
        profiles={profiles}
        onChange={(axes) => set({ axes })}
      />
      <Title order={2}>How it runs</Title>
      <RunFields draft={draft} set={set} errorOf={errorOf} />
      <LimitSearchFields draft={draft} set={set} errorOf={errorOf} />
      <Textarea
        label="Notes"
        autosize
        minRows={2}
        value={draft.notes}
        onChange={(e) => set({ notes: e.currentTarget.value })}
      />
      <Text size="sm" role="status">
        {spec === null && tried ? toCorrect(errors) : runsText(draft, points, plan)}
      </Text>
    </Stack>
  );
}

function NoPlan() {
  const navigate = useNavigate();
  return (
    <Nothing
      text="A study runs a plan at every value, and there is no plan yet."
      action={
        <Button size="xs" onClick={() => void navigate('/plans/new')}>
          New plan
        </Button>
      }
    />
  );
}

function Head({
  name,
  version,
  edited,
  saving,
  onDiscard,
  onSave,
}: {
  name: string;
  /** Of the stored study; undefined = a new one. */ version: number | undefined;
  edited: boolean;
  saving: boolean;
  onDiscard: () => void;
  onSave: () => void;
}) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="sm">
        <Title order={1}>{name || 'New study'}</Title>
        {version !== undefined && <Text size="sm" c={dim}>{`version ${version}`}</Text>}
        {edited && (
          <Badge variant="filled" color="orange.9" tt="none">
            Not saved
          </Badge>
        )}
      </Group>
      <Group gap={8}>
        {edited && (
          <Button variant="default" onClick={onDiscard}>
            Discard changes
          </Button>
        )}
        <Button loading={saving} disabled={version !== undefined && !edited} onClick={onSave}>
          Save study
        </Button>
      </Group>
    </Group>
  );
}

function NameAndPlan({
  draft,
  plans,
  set,
  errorOf,
}: {
  draft: StudyDraft;
  plans: readonly PlanChoice[];
  set: (change: Partial<StudyDraft>) => void;
  errorOf: (field: string) => string | undefined;
}) {
  return (
    <Group grow align="flex-start">
      <TextInput
        label="Name"
        description="As lists and runs show it"
        required
        value={draft.name}
        error={errorOf('name')}
        onChange={(e) => set({ name: e.currentTarget.value })}
      />
      <Select
        label="Plan"
        description="Run at every value; its testbed, profile and phases hold"
        required
        allowDeselect={false}
        searchable
        data={plans.map((p) => ({ value: p.id, label: p.name }))}
        value={draft.planId || null}
        error={errorOf('planId')}
        onChange={(planId) => {
          if (planId !== null) set({ planId });
        }}
      />
    </Group>
  );
}

/** A field is marked once it was filled in wrongly, an empty one after the first try to save. */
const isMarked = (error: string | undefined, tried: boolean, edited: boolean): boolean =>
  tried || (edited && error !== undefined && !/^(Give|Choose|Name|Say|Fill)/.test(error));

const toCorrect = (errors: FieldErrors): string =>
  `${counted(Object.keys(errors).length, 'field')} to correct.`;

/** How many runs the study has and how long they take, as far as that is known. */
function runsText(draft: StudyDraft, points: number, plan: PlanChoice | undefined): string {
  if (draft.find !== null) return 'The number of runs depends on where the limit lies.';
  if (points === 0) return '';
  if (!plan) return `${counted(points, 'run')}.`;
  const pauseS = draft.pauseS === '' ? 0 : draft.pauseS;
  const wholeS = points * planDurationS(plan.phases) + (points - 1) * pauseS;
  return `${counted(points, 'run')}, ${formatElapsed(wholeS * 1_000)} in all.`;
}
