import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

import type { Plan } from '../../../core/plan/plan.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { usePlanSaveMutation } from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { newPlan, planErrors } from './planValues.ts';

export interface PlanDraft {
  plan: Plan;
  testbed: Testbed | undefined;
  /** Different from what was saved last. */ edited: boolean;
  /** It was saved, ever. */ kept: boolean;
  saving: boolean;
  set: (patch: Partial<Plan>) => void;
  /** The engine saved it: what it answered is the plan now. */ take: (saved: Plan) => void;
  /** Saves what is edited; null where that cannot be or was refused. */
  save: () => Promise<Plan | null>;
  /** What is wrong with a field, by its path; nothing before a new plan was tried to be saved. */
  error: (field: string) => string | undefined;
  /** The first thing that is wrong, once it was tried to be saved; null = nothing. */
  fault: string | null;
}

/** A plan as it is typed; what is not saved survives leaving the page. */
export function usePlanDraft(
  stored: Plan | undefined,
  testbeds: readonly Testbed[],
  profiles: readonly Profile[],
): PlanDraft {
  const dispatch = useAppDispatch();
  const [search] = useSearchParams();
  const form = `plan ${stored?.id ?? 'new'}`;
  const draft = useAppSelector((state) => state.drafts[form] as Plan | undefined);
  const [start] = useState<Plan>(() => {
    const testbed = testbeds.find((t) => t.id === search.get('testbed')) ?? testbeds[0];
    const profile = profiles.find((p) => p.id === testbed?.profileId);
    return stored ?? newPlan(newId('plan'), testbed, profile);
  });
  const [plan, setPlan] = useState<Plan>(draft ?? start);
  const [touched, setTouched] = useState(false);
  const [saveStored, saving] = usePlanSaveMutation();
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
  const kept = stored !== undefined || last !== null;
  const take = (saved: Plan): void => {
    setLast(saved);
    setPlan(saved);
  };
  const save = async (): Promise<Plan | null> => {
    setTouched(true);
    if (Object.keys(errors).length > 0) return null;
    if (kept && !edited) return base;
    const result = await saveStored(plan);
    if (result.error) return null;
    dispatch(draftDropped(form));
    take(result.data);
    return result.data;
  };
  return {
    plan,
    testbed,
    edited,
    kept,
    saving: saving.isLoading,
    set: (patch) => setPlan((now) => ({ ...now, ...patch })),
    take,
    save,
    error: (field) => (touched || stored ? errors[field] : undefined),
    fault: touched ? (Object.values(errors)[0] ?? null) : null,
  };
}
