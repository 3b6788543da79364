import {
  Alert,
  Badge,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import { planDurationS } from '../../../core/plan/plan.ts';
import type { StudyOverview } from '../../../core/study/study.ts';
import { orderWords, stopWords } from '../../../core/study/studyWords.ts';
import {
  useDriverListQuery,
  usePlanListQuery,
  useProfileListQuery,
  useStudyOverviewQuery,
  useStudySaveMutation,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { SimulatedMark } from '../../kit/SimulatedMark.tsx';
import { dim } from '../../kit/tones.ts';
import { AxisFields } from './AxisFields.tsx';
import { draftOf, emptyAxis, emptyStudy, specOf, type StudyDraft } from './studyForm.ts';

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
  plans: readonly {
    id: string;
    name: string;
    profileId: string;
    phases: Parameters<typeof planDurationS>[0];
  }[];
}) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const simulated = useSimulated();
  const [params] = useSearchParams();
  const form = `study ${stored?.spec.id ?? 'new'}`;
  const kept = useAppSelector((state) => state.drafts[form] as StudyDraft | undefined);
  const [start] = useState(() =>
    stored ? draftOf(stored.spec) : emptyStudy(newId('study'), params.get('plan') ?? ''),
  );
  const [draft, setDraft] = useState<StudyDraft>(kept ?? start);
  const [tried, setTried] = useState(false);
  const [save, saving] = useStudySaveMutation();
  const { data: testbeds = [] } = useTestbedListQuery({});
  const { data: profiles = [] } = useProfileListQuery({});
  const { data: drivers = [] } = useDriverListQuery({});
  const edited = JSON.stringify(draft) !== JSON.stringify(start);
  useEffect(() => {
    dispatch(edited ? drafted({ form, values: draft }) : draftDropped(form));
  }, [edited, dispatch, form, draft]);
  if (plans.length === 0)
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

  const plan = plans.find((p) => p.id === draft.planId);
  const profile = profiles.find((p) => p.id === plan?.profileId);
  const { spec, errors, points } = specOf(draft, {
    testbed: (id) => testbeds.find((t) => t.id === id)?.name,
    profile: (id) => profiles.find((p) => p.id === id)?.name,
  });
  // A field is marked once it was filled in wrongly, an empty one after the first try to save.
  const errorOf = (field: string): string | undefined =>
    tried ||
    (edited && errors[field] !== undefined && !/^(Give|Choose|Name|Say|Fill)/.test(errors[field]))
      ? errors[field]
      : undefined;
  const set = (change: Partial<StudyDraft>): void => setDraft({ ...draft, ...change });
  const find = draft.find;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (spec === null) return;
    const saved = await save(spec);
    if (saved.error) return;
    dispatch(draftDropped(form));
    notifications.show({
      color: 'green',
      message: `${saved.data.name} saved as version ${saved.data.version}.`,
    });
    void navigate(`/studies/${saved.data.id}`, { replace: true });
  };
  const number = (
    label: string,
    value: number | '',
    field: string,
    change: (next: number | '') => void,
    description?: string,
  ): React.ReactNode => (
    <NumberInput
      label={label}
      description={description}
      value={value}
      error={errorOf(field)}
      onChange={(next) => change(typeof next === 'number' ? next : '')}
    />
  );
  const measured = stored !== undefined && stored.points.some((p) => p.runId !== null);
  return (
    <Stack gap="md" maw={1100}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm">
          <Title order={1}>{draft.name || 'New study'}</Title>
          <SimulatedMark />
          {stored && <Text size="sm" c={dim}>{`version ${stored.spec.version}`}</Text>}
          {edited && (
            <Badge variant="filled" color="orange.9" tt="none">
              Not saved
            </Badge>
          )}
        </Group>
        <Group gap={8}>
          {edited && (
            <Button
              variant="default"
              onClick={() => {
                setDraft(start);
                setTried(false);
              }}
            >
              Discard changes
            </Button>
          )}
          <Button
            loading={saving.isLoading}
            disabled={stored !== undefined && !edited}
            onClick={() => void submit()}
          >
            Save study
          </Button>
        </Group>
      </Group>
      {measured && (
        <Text size="sm">
          Points whose values stay in the study keep their runs. Runs of values that are removed
          stay in History.
        </Text>
      )}
      {errors['form'] !== undefined && (
        <Alert color="red" title="The study cannot be saved" role="alert">
          {errors['form']}
        </Alert>
      )}
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
      {draft.axes.map((axis, i) => (
        <AxisFields
          key={i === 0 ? 'first' : 'second'}
          index={i}
          axis={axis}
          errors={errors}
          errorOf={errorOf}
          profile={profile}
          drivers={drivers}
          testbeds={testbeds}
          profiles={profiles}
          simulated={simulated}
          onChange={(next) => set({ axes: draft.axes.map((a, n) => (n === i ? next : a)) })}
          onRemove={i === 0 ? null : () => set({ axes: draft.axes.slice(0, 1) })}
        />
      ))}
      {draft.axes.length === 1 && (
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            set({
              axes: [...draft.axes, emptyAxis('testbed')].map((a, i) =>
                i === 1 && a.label === '' ? { ...a, label: 'Testbed' } : a,
              ),
            })
          }
        >
          Add a second axis
        </Button>
      )}
      <Title order={2}>How it runs</Title>
      <Group grow align="flex-start">
        <Select
          label="Order"
          allowDeselect={false}
          data={Object.entries(orderWords).map(([value, label]) => ({ value, label }))}
          value={draft.order}
          onChange={(order) => {
            if (order !== null) set({ order: order as StudyDraft['order'] });
          }}
        />
        {number(
          'Repeats',
          draft.repeats,
          'repeats',
          (repeats) => set({ repeats }),
          'Of each value',
        )}
        {number(
          'Pause between runs (s)',
          draft.pauseS,
          'pauseS',
          (pauseS) => set({ pauseS }),
          'So that caches and moves settle',
        )}
        <Select
          label="Stops"
          allowDeselect={false}
          data={Object.entries(stopWords).map(([value, label]) => ({ value, label }))}
          value={draft.stopRule}
          onChange={(stopRule) => {
            if (stopRule !== null) set({ stopRule: stopRule as StudyDraft['stopRule'] });
          }}
        />
      </Group>
      <Switch
        label="Find the limit instead of running every value"
        description={
          'Coarse steps up to the first failure, then halves the gap between pass and fail, ' +
          'then repeats both sides'
        }
        checked={find !== null}
        error={errorOf('find')}
        onChange={(e) =>
          set({
            find: e.currentTarget.checked
              ? { from: 1, to: 20, coarseStep: 4, resolution: 1, confirmations: 2 }
              : null,
          })
        }
      />
      {find !== null && (
        <Group grow align="flex-start">
          {number('Search from', find.from, 'find.from', (from) =>
            set({ find: { ...find, from } }),
          )}
          {number('Search to', find.to, 'find.to', (to) => set({ find: { ...find, to } }))}
          {number('Coarse step', find.coarseStep, 'find.coarseStep', (coarseStep) =>
            set({ find: { ...find, coarseStep } }),
          )}
          {number(
            'Resolution',
            find.resolution,
            'find.resolution',
            (resolution) => set({ find: { ...find, resolution } }),
            'Pass and fail this close',
          )}
          {number(
            'Confirmations',
            find.confirmations,
            'find.confirmations',
            (confirmations) => set({ find: { ...find, confirmations } }),
            'Repeats of both sides',
          )}
        </Group>
      )}
      <Textarea
        label="Notes"
        autosize
        minRows={2}
        value={draft.notes}
        onChange={(e) => set({ notes: e.currentTarget.value })}
      />
      <Text size="sm" role="status">
        {spec === null && tried
          ? `${counted(Object.keys(errors).length, 'field')} to correct.`
          : find !== null
            ? 'The number of runs depends on where the limit lies.'
            : points === 0
              ? ''
              : `${counted(points, 'run')}${
                  plan
                    ? ', ' +
                      `${formatElapsed((points * planDurationS(plan.phases) + (points - 1) * (draft.pauseS === '' ? 0 : draft.pauseS)) * 1_000)} ` +
                      'in all'
                    : ''
                }.`}
      </Text>
    </Stack>
  );
}
