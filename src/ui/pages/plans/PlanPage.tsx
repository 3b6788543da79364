import {
  Badge,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import { isEnd } from '../../../core/run/run.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import {
  usePlanListQuery,
  usePlanSaveMutation,
  usePlanSmokeMutation,
  useProfileListQuery,
  useRunListQuery,
  useRunStartMutation,
  useTestbedListQuery,
} from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { CheckPanel } from './CheckPanel.tsx';
import { DrsFields } from './DrsFields.tsx';
import { EarlyAbortFields } from './EarlyAbortFields.tsx';
import { PhaseTimeline } from './PhaseTimeline.tsx';
import { newPlan, planErrors } from './planValues.ts';
import { SavePlanFile } from './SavePlanFile.tsx';
import { usePlanCheck } from './usePlanCheck.ts';

/** One plan: fill in, check, launch. */
export function PlanPage() {
  const { id = 'new' } = useParams();
  const plans = usePlanListQuery({});
  const testbeds = useTestbedListQuery({});
  const profiles = useProfileListQuery({});
  const error = plans.error ?? testbeds.error ?? profiles.error;
  if (error)
    return (
      <Failure
        title="The plan cannot be read"
        error={error as AppErrorShape}
        onRetry={() => {
          void plans.refetch();
          void testbeds.refetch();
          void profiles.refetch();
        }}
      />
    );
  if (!plans.data || !testbeds.data || !profiles.data) return <Pending label="plan" />;
  const stored = plans.data.find((plan) => plan.id === id);
  if (!stored && id !== 'new') return <Nothing text="This plan does not exist." />;
  return <PlanEditor key={id} stored={stored} testbeds={testbeds.data} profiles={profiles.data} />;
}

function PlanEditor({
  stored,
  testbeds,
  profiles,
}: {
  stored: Plan | undefined;
  testbeds: readonly Testbed[];
  profiles: readonly Profile[];
}) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const form = `plan ${stored?.id ?? 'new'}`;
  const draft = useAppSelector((state) => state.drafts[form] as Plan | undefined);
  const [start] = useState<Plan>(() => {
    const testbed = testbeds.find((t) => t.id === search.get('testbed')) ?? testbeds[0];
    return (
      stored ??
      newPlan(
        newId('plan'),
        testbed,
        profiles.find((p) => p.id === testbed?.profileId),
      )
    );
  });
  const [plan, setPlan] = useState<Plan>(draft ?? start);
  const [touched, setTouched] = useState(false);
  const { data: runs = [] } = useRunListQuery({});
  const [save, saving] = usePlanSaveMutation();
  const preflight = usePlanCheck(plan.id);
  const [smoke, smoking] = usePlanSmokeMutation();
  const [launch, launching] = useRunStartMutation();
  // Saved from here: the list that `stored` comes from is asked again a moment later, and a new
  // plan keeps its address until it is saved by hand.
  const [last, setLast] = useState<Plan | null>(null);
  const base = last && last.version >= (stored?.version ?? 0) ? last : (stored ?? start);
  const edited = JSON.stringify(plan) !== JSON.stringify(base);
  useEffect(() => {
    dispatch(edited ? drafted({ form, values: plan }) : draftDropped(form));
  }, [edited, dispatch, form, plan]);

  const testbed = testbeds.find((t) => t.id === plan.testbedId);
  const errors = planErrors(plan, testbed);
  const shown = (field: string): string | undefined =>
    touched || stored ? errors[field] : undefined;
  const set = (patch: Partial<Plan>): void => setPlan((now) => ({ ...now, ...patch }));
  const setPhase = (patch: Partial<Plan['phases']>): void =>
    set({ phases: { ...plan.phases, ...patch } });
  const chooseTestbed = (id: string | null): void => {
    const chosen = testbeds.find((t) => t.id === id);
    if (!chosen) return;
    const profile = profiles.find((p) => p.id === chosen.profileId);
    set({
      testbedId: chosen.id,
      profileId: chosen.profileId,
      tiles: chosen.tiles.length,
      ...(profile && chosen.profileId !== plan.profileId ? { phases: profile.phases } : {}),
    });
  };
  const saved = async (): Promise<Plan | null> => {
    setTouched(true);
    if (Object.keys(errors).length > 0) return null;
    if ((stored || last) && !edited) return base;
    const result = await save(plan);
    if (result.error) return null;
    dispatch(draftDropped(form));
    setLast(result.data);
    setPlan(result.data);
    return result.data;
  };
  const submit = async (): Promise<void> => {
    const done = await saved();
    if (done && !stored) void navigate(`/plans/${done.id}`, { replace: true });
  };
  const runCheck = async (): Promise<void> => {
    const done = await saved();
    if (done) await preflight.check(done.id);
  };
  const runSmoke = async (): Promise<void> => {
    const done = await saved();
    if (!done) return;
    const result = await smoke({ id: done.id });
    if (!result.error) void navigate(`/runs/${result.data.runId}`);
  };
  // Any edit un-validates the check.
  const { report } = preflight;
  const launchable =
    report?.ready === true && report.stale !== true && !edited && !preflight.checking;
  const start_ = async (): Promise<void> => {
    if (!report) return;
    const result = await launch({ planId: plan.id, checkedHash: report.hash });
    if (!result.error) void navigate(`/runs/${result.data.runId}`);
  };
  const number = (
    label: string,
    value: number,
    onChange: (value: number) => void,
    field: string,
    description?: string,
    min = 0,
  ) => (
    <NumberInput
      label={label}
      description={description}
      min={min}
      value={value}
      error={shown(field)}
      onChange={(next) => {
        if (typeof next === 'number') onChange(next);
      }}
    />
  );
  if (testbeds.length === 0) {
    return (
      <Stack gap="md">
        <Title order={1}>New plan</Title>
        <Nothing
          text="A plan runs on a testbed, and there is none yet."
          action={
            <Button size="xs" onClick={() => void navigate('/testbeds/new')}>
              New testbed
            </Button>
          }
        />
      </Stack>
    );
  }
  const references = runs.filter(
    (run) => isEnd(run.state) && run.state === 'passed' && run.profileId === plan.profileId,
  );
  return (
    <Stack gap="md" maw={1180}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm">
          <Title order={1}>{plan.name || 'New plan'}</Title>
          {stored && <Text size="sm" c="dimmed">{`version ${stored.version}`}</Text>}
          {edited && (
            <Badge variant="filled" color="orange.9" tt="none">
              Not saved
            </Badge>
          )}
        </Group>
        <Group gap={8}>
          {stored && (
            <Button
              variant="default"
              onClick={() => void navigate(`/studies/new?plan=${stored.id}`)}
            >
              New study of it
            </Button>
          )}
          <Button
            variant="default"
            disabled={(stored !== undefined || last !== null) && !edited}
            loading={saving.isLoading}
            onClick={() => void submit()}
          >
            Save plan
          </Button>
          <Button
            variant="default"
            loading={smoking.isLoading}
            disabled={preflight.checking}
            title="Checks and runs the first tile for a minute and a half"
            onClick={() => void runSmoke()}
          >
            Smoke run
          </Button>
          <Button
            variant={launchable ? 'default' : 'filled'}
            loading={preflight.checking}
            onClick={() => void runCheck()}
          >
            {report && !edited && report.stale !== true ? 'Check again' : 'Check'}
          </Button>
          <Button
            disabled={!launchable}
            loading={launching.isLoading}
            onClick={() => void start_()}
          >
            Launch
          </Button>
        </Group>
      </Group>
      <CheckPanel
        planId={plan.id}
        check={preflight}
        stale={edited}
        onCheck={() => void runCheck()}
        onPlan={(kept) => {
          setLast(kept);
          setPlan(kept);
        }}
      />
      <Group grow align="flex-start">
        <TextInput
          label="Name"
          required
          value={plan.name}
          error={shown('name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Select
          label="Testbed"
          required
          allowDeselect={false}
          data={testbeds.map((t) => ({ value: t.id, label: t.name }))}
          value={plan.testbedId || null}
          error={shown('testbedId')}
          onChange={chooseTestbed}
        />
        <TextInput
          label="Benchmark profile"
          description="Comes with the testbed"
          readOnly
          value={profiles.find((p) => p.id === plan.profileId)?.name ?? plan.profileId}
        />
        {number(
          'Tiles',
          plan.tiles,
          (tiles) => set({ tiles }),
          'tiles',
          testbed ? `of ${testbed.tiles.length} in the testbed` : undefined,
          1,
        )}
      </Group>
      <Title order={2}>Phases</Title>
      <PhaseTimeline phases={plan.phases} />
      <Group grow align="flex-start">
        {number(
          'Ramp-up (s)',
          plan.phases.rampUpS,
          (rampUpS) => setPhase({ rampUpS }),
          'phases.rampUpS',
        )}
        {number(
          'Stagger (s)',
          plan.phases.staggerS,
          (staggerS) => setPhase({ staggerS }),
          'phases.staggerS',
          'Between the starts of two tiles',
        )}
        {number(
          'Steady state (s)',
          plan.phases.steadyS,
          (steadyS) => setPhase({ steadyS }),
          'phases.steadyS',
          undefined,
          5,
        )}
        {number(
          'Measurement periods',
          plan.phases.periods,
          (periods) => setPhase({ periods }),
          'phases.periods',
          undefined,
          1,
        )}
        {number(
          'Ramp-down (s)',
          plan.phases.rampDownS,
          (rampDownS) => setPhase({ rampDownS }),
          'phases.rampDownS',
        )}
      </Group>
      <DrsFields key={plan.testbedId} plan={plan} testbed={testbed} onChange={set} />
      <Title order={2}>Sampling and scoring</Title>
      <Group grow align="flex-start">
        {number(
          'Workload interval (ms)',
          plan.sampling.workloadMs,
          (workloadMs) => set({ sampling: { ...plan.sampling, workloadMs } }),
          'sampling.workloadMs',
          'How often a driver prints',
          1_000,
        )}
        {number(
          'vCenter poll (ms)',
          plan.sampling.vcenterMs,
          (vcenterMs) => set({ sampling: { ...plan.sampling, vcenterMs } }),
          'sampling.vcenterMs',
          'Its own samples are 20 s',
          5_000,
        )}
        <Select
          label="Reference run"
          description="Whose throughput scores 1.0"
          placeholder="None: no score"
          clearable
          searchable
          data={references.map((run) => ({ value: run.id, label: run.name }))}
          value={plan.referenceRunId}
          onChange={(referenceRunId) => set({ referenceRunId })}
        />
      </Group>
      <EarlyAbortFields plan={plan} error={shown} onChange={(earlyAbort) => set({ earlyAbort })} />
      <Textarea
        label="Notes"
        autosize
        minRows={2}
        value={plan.notes}
        onChange={(event) => set({ notes: event.currentTarget.value })}
      />
      {stored && testbed && <SavePlanFile plan={stored} testbed={testbed} />}
    </Stack>
  );
}
