import { Group, Select, TextInput, Title } from '@mantine/core';

import type { Plan } from '../../../core/plan/plan.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import { isEnd } from '../../../core/run/states.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useRunListQuery } from '../../engine/api.ts';
import { DurationField } from '../../kit/DurationField.tsx';
import { NumberField } from '../../kit/NumberField.tsx';
import { PhaseTimeline } from './PhaseTimeline.tsx';
import type { PlanDraft } from './usePlanDraft.ts';

/** What it is called, where it runs, and how much of that. */
export function BasicFields({
  draft,
  testbeds,
  profiles,
}: {
  draft: PlanDraft;
  testbeds: readonly Testbed[];
  profiles: readonly Profile[];
}) {
  const { plan, testbed, set, error } = draft;
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
  return (
    <Group grow align="flex-start">
      <TextInput
        label="Name"
        required
        value={plan.name}
        error={error('name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        label="Testbed"
        required
        allowDeselect={false}
        data={testbeds.map((t) => ({ value: t.id, label: t.name }))}
        value={plan.testbedId || null}
        error={error('testbedId')}
        onChange={chooseTestbed}
      />
      <TextInput
        label="Benchmark profile"
        description="Comes with the testbed"
        readOnly
        value={profiles.find((p) => p.id === plan.profileId)?.name ?? plan.profileId}
      />
      <NumberField
        label="Tiles"
        description={testbed ? `of ${testbed.tiles.length} in the testbed` : undefined}
        min={1}
        allowDecimal={false}
        value={plan.tiles}
        error={error('tiles')}
        onChange={(tiles) => set({ tiles })}
      />
    </Group>
  );
}

/** How long each phase lasts, as a line of time and in numbers. */
export function PhaseFields({ draft }: { draft: PlanDraft }) {
  const { phases } = draft.plan;
  const duration = (field: keyof Plan['phases'], label: string, description?: string) => (
    <DurationField
      key={field}
      label={label}
      description={description}
      value={phases[field]}
      error={draft.error(`phases.${field}`)}
      onChange={(seconds) => draft.set({ phases: { ...phases, [field]: seconds } })}
    />
  );
  return (
    <>
      <Title order={2}>Phases</Title>
      <PhaseTimeline phases={phases} />
      <Group grow align="flex-start">
        {duration('rampUpS', 'Ramp-up')}
        {duration('staggerS', 'Stagger', 'Between the starts of two tiles')}
        {duration('steadyS', 'Steady state')}
        <NumberField
          label="Measurement periods"
          min={1}
          allowDecimal={false}
          value={phases.periods}
          error={draft.error('phases.periods')}
          onChange={(periods) => draft.set({ phases: { ...phases, periods } })}
        />
        {duration('rampDownS', 'Ramp-down')}
      </Group>
    </>
  );
}

/** How often is measured, and what the score is measured against. */
export function SamplingFields({ draft }: { draft: PlanDraft }) {
  const { plan, set } = draft;
  const { data: runs = [] } = useRunListQuery({});
  const references = runs.filter(
    (run) => isEnd(run.state) && run.state === 'passed' && run.profileId === plan.profileId,
  );
  const setSampling = (patch: Partial<Plan['sampling']>): void =>
    set({ sampling: { ...plan.sampling, ...patch } });
  return (
    <>
      <Title order={2}>Sampling and scoring</Title>
      <Group grow align="flex-start">
        <DurationField
          label="Workload interval"
          description="How often a driver prints"
          value={plan.sampling.workloadMs / 1_000}
          error={draft.error('sampling.workloadMs')}
          onChange={(seconds) => setSampling({ workloadMs: Math.round(seconds * 1_000) })}
        />
        <DurationField
          label="vCenter poll"
          description="Its own samples are 20 s"
          value={plan.sampling.vcenterMs / 1_000}
          error={draft.error('sampling.vcenterMs')}
          onChange={(seconds) => setSampling({ vcenterMs: Math.round(seconds * 1_000) })}
        />
        <Select
          label="Reference run"
          description="Whose throughput scores 1.0"
          placeholder="First run that breaks no limit"
          clearable
          searchable
          data={references.map((run) => ({ value: run.id, label: run.name }))}
          value={plan.referenceRunId}
          onChange={(referenceRunId) => set({ referenceRunId })}
        />
      </Group>
    </>
  );
}
