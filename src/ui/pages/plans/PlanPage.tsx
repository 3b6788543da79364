import { Button, Stack, Textarea, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { usePlanListQuery, useProfileListQuery, useTestbedListQuery } from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { usePageObject } from '../../kit/pageObject.ts';
import { ActFields } from './ActFields.tsx';
import { CheckPanel } from './CheckPanel.tsx';
import { DrsFields } from './DrsFields.tsx';
import { EarlyAbortFields } from './EarlyAbortFields.tsx';
import { EsxtopFields } from './EsxtopFields.tsx';
import { BasicFields, PhaseFields, SamplingFields } from './PlanFields.tsx';
import { PlanHead } from './PlanHead.tsx';
import { usePlanCheck } from './usePlanCheck.ts';
import { usePlanDraft } from './usePlanDraft.ts';

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

/** Whether the address asks for a check at once; it asks once. */
function useAskedCheck(): boolean {
  const [search, setSearch] = useSearchParams();
  const [asked] = useState(() => search.has('check'));
  useEffect(() => {
    if (asked) setSearch({}, { replace: true });
  }, [asked, setSearch]);
  return asked;
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
  const draft = usePlanDraft(stored, testbeds, profiles);
  const { plan, testbed, set } = draft;
  usePageObject({ name: plan.name || 'New plan', rename: (name) => set({ name }) });
  const preflight = usePlanCheck(plan.id, useAskedCheck());
  const check = async (): Promise<void> => {
    const done = await draft.save();
    if (done) await preflight.check(done.id);
  };
  if (testbeds.length === 0) return <NoTestbed />;
  return (
    <Stack gap="md" maw={1180}>
      <PlanHead draft={draft} stored={stored} preflight={preflight} />
      <CheckPanel
        plan={plan}
        check={preflight}
        stale={draft.edited}
        onCheck={() => void check()}
        onPlan={draft.take}
      />
      <BasicFields draft={draft} testbeds={testbeds} profiles={profiles} />
      <PhaseFields draft={draft} />
      <DrsFields key={plan.testbedId} plan={plan} testbed={testbed} onChange={set} />
      <ActFields
        plan={plan}
        testbed={testbed}
        error={draft.error}
        onChange={(acts) => set({ acts: acts.length === 0 ? undefined : acts })}
      />
      <SamplingFields draft={draft} />
      <EsxtopFields
        plan={plan}
        testbed={testbed}
        error={draft.error}
        onChange={(esxtop) => set({ esxtop })}
      />
      <EarlyAbortFields
        plan={plan}
        error={draft.error}
        onChange={(earlyAbort) => set({ earlyAbort })}
      />
      <Textarea
        label="Notes"
        autosize
        minRows={2}
        value={plan.notes}
        onChange={(event) => set({ notes: event.currentTarget.value })}
      />
    </Stack>
  );
}

function NoTestbed() {
  const navigate = useNavigate();
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
