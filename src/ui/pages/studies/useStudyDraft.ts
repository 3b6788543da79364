import { useEffect, useState } from 'react';

import type { StudySpec } from '../../../core/study/study.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { draftOf, emptyStudy, type StudyDraft } from './studyForm.ts';

/** A study as it is typed. It survives leaving the page until it is saved or discarded. */
export function useStudyDraft(
  stored: StudySpec | undefined,
  planId: string,
): {
  draft: StudyDraft;
  /** Differs from what was stored, or from an empty study. */ edited: boolean;
  set: (change: Partial<StudyDraft>) => void;
  discard: () => void;
  /** After a save: nothing is kept for the next visit. */ drop: () => void;
} {
  const dispatch = useAppDispatch();
  const form = `study ${stored?.id ?? 'new'}`;
  const kept = useAppSelector((state) => state.drafts[form] as StudyDraft | undefined);
  const [start] = useState(() => (stored ? draftOf(stored) : emptyStudy(newId('study'), planId)));
  const [draft, setDraft] = useState<StudyDraft>(kept ?? start);
  const edited = JSON.stringify(draft) !== JSON.stringify(start);
  useEffect(() => {
    dispatch(edited ? drafted({ form, values: draft }) : draftDropped(form));
  }, [edited, dispatch, form, draft]);
  return {
    draft,
    edited,
    set: (change) => setDraft({ ...draft, ...change }),
    discard: () => setDraft(start),
    drop: () => {
      dispatch(draftDropped(form));
    },
  };
}
