import { useCallback, useMemo } from 'react';
import * as z from 'zod';

import { drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import type { Choice } from './words.ts';

const guestDraft = z.object({
  chosen: z.record(
    z.string(),
    z.object({
      roleId: z.string().nullable().optional(),
      connectionId: z.string().nullable().optional(),
    }),
  ),
  /** Absent = nothing was typed. */ mirror: z.string().optional(),
  /** Digest of the bundle chosen, '' = none; absent = nothing was chosen. */
  bundle: z.string().optional(),
});
type GuestDraft = z.infer<typeof guestDraft>;
const untouched: GuestDraft = { chosen: {} };

/** What was chosen for the guests of a testbed and not started yet: kept while the page is left. */
export function useGuestDraft(testbedId: string): {
  draft: GuestDraft;
  choose: (key: string, patch: Partial<Choice>) => void;
  setMirror: (mirror: string) => void;
  setBundle: (sha256: string) => void;
} {
  const form = `guests:${testbedId}`;
  const dispatch = useAppDispatch();
  const kept = useAppSelector((state) => state.drafts[form]);
  const draft = useMemo(() => guestDraft.safeParse(kept).data ?? untouched, [kept]);
  const change = useCallback(
    (values: GuestDraft) => {
      dispatch(drafted({ form, values }));
    },
    [dispatch, form],
  );
  return {
    draft,
    choose: (key, patch) =>
      change({ ...draft, chosen: { ...draft.chosen, [key]: { ...draft.chosen[key], ...patch } } }),
    setMirror: (mirror) => change({ ...draft, mirror }),
    setBundle: (bundle) => change({ ...draft, bundle }),
  };
}
