import { useNavigate } from 'react-router';

import type { CheckReport, Plan } from '../../../core/plan/plan.ts';
import { usePlanSmokeMutation, useRunStartMutation } from '../../engine/api.ts';
import type { PageAction } from '../../kit/pageActions.ts';
import type { PlanCheck } from './usePlanCheck.ts';
import type { PlanDraft } from './usePlanDraft.ts';
import { useSavePlanFile } from './useSavePlanFile.ts';

interface PlanActions {
  /** What a plan is for. */ primary: PageAction;
  /** Lesser ways to begin. */ others: PageAction[];
  /** null = there is nothing to save. */ save: PageAction | null;
  /** What is not done each time. */ more: PageAction[];
  busy: boolean;
}

/** What can be done with a plan, for its buttons and the palette. */
export function usePlanActions(
  draft: PlanDraft,
  stored: Plan | undefined,
  preflight: PlanCheck,
): PlanActions {
  const navigate = useNavigate();
  const [smoke, smoking] = usePlanSmokeMutation();
  const [launch, launching] = useRunStartMutation();
  const saveFile = useSavePlanFile();
  const { report, checking } = preflight;
  // Any edit un-validates the check.
  const ready = report?.ready === true && !draft.edited && report.stale !== true;
  const submit = async (): Promise<void> => {
    const done = await draft.save();
    if (done && !stored) void navigate(`/plans/${done.id}`, { replace: true });
  };
  const check = async (): Promise<CheckReport | null> => {
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
    const checked = ready ? report : await check();
    if (!checked?.ready) return;
    const result = await launch({ planId: draft.plan.id, checkedHash: checked.hash });
    if (!result.error) void navigate(`/runs/${result.data.runId}`);
  };
  const { testbed } = draft;
  return {
    busy: checking || launching.isLoading || smoking.isLoading,
    primary: {
      id: 'launch',
      title: ready ? 'Launch' : 'Check and launch',
      run: () => void start(),
    },
    others: [
      { id: 'check', title: ready ? 'Check again' : 'Check only', run: () => void check() },
      { id: 'smoke', title: 'Smoke run', run: () => void runSmoke() },
    ],
    save:
      draft.edited || !draft.kept
        ? { id: 'save', title: 'Save plan', run: () => void submit() }
        : null,
    more: [
      ...(stored
        ? [
            {
              id: 'study',
              title: 'New study of this plan',
              run: () => void navigate(`/studies/new?plan=${stored.id}`),
            },
          ]
        : []),
      ...(stored && testbed
        ? [
            {
              id: 'testbed',
              title: 'Open its testbed',
              run: () => void navigate(`/testbeds/${testbed.id}`),
            },
            {
              id: 'file',
              title: 'Save as plan file',
              run: () => void saveFile(stored, testbed),
            },
          ]
        : []),
    ],
  };
}
