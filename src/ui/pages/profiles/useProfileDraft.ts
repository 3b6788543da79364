import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import type { Profile, ProfileWorkload } from '../../../core/profile/profile.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { useSame } from '../../kit/useSame.ts';
import { type ListedProfile, useProfileSaveMutation } from './profileApi.ts';
import { copyOf, profileErrors } from './profileForm.ts';

/** A profile as it is typed. */
export interface ProfileDraft {
  profile: Profile;
  /** Shipped with the program: read, not changed. */ readOnly: boolean;
  edited: boolean;
  saving: boolean;
  /** What is wrong, by path. */ errors: Readonly<Record<string, string>>;
  setProfile: (profile: Profile) => void;
  /** Both keep their identity from one keystroke to the next. */
  setWorkload: (index: number, workload: ProfileWorkload) => void;
  removeWorkload: (index: number) => void;
  save: () => void;
  discard: () => void;
}

/** The stored profile, or a copy of another, with changes that survive leaving the page. */
export function useProfileDraft(
  stored: ListedProfile | undefined,
  from: ListedProfile | undefined,
  all: readonly ListedProfile[],
): ProfileDraft {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const readOnly = stored?.shipped === true;
  const form = `profile ${stored?.id ?? `copy of ${from!.id}`}`;
  const draft = useAppSelector((state) => state.drafts[form] as Profile | undefined);
  const [copy] = useState<Profile | null>(() => (stored ? null : copyOf(from!, newId('profile'))));
  // Saved from here: the list that `stored` comes from is asked again a moment later.
  const [last, setLast] = useState<Profile | null>(null);
  const start = last ?? stored ?? copy!;
  const [profile, setProfile] = useState<Profile>(readOnly ? start : (draft ?? start));
  const edited =
    !readOnly &&
    ((stored === undefined && last === null) || JSON.stringify(profile) !== JSON.stringify(start));
  useEffect(() => {
    if (!readOnly) dispatch(edited ? drafted({ form, values: profile }) : draftDropped(form));
  }, [edited, readOnly, dispatch, form, profile]);
  const errors = useSame(
    useMemo(() => (readOnly ? {} : profileErrors(profile, all)), [profile, all, readOnly]),
  );
  const setWorkload = useCallback(
    (index: number, next: ProfileWorkload) =>
      setProfile((now) => ({
        ...now,
        workloads: now.workloads.map((w, o) => (o === index ? next : w)),
      })),
    [],
  );
  const removeWorkload = useCallback(
    (index: number) =>
      setProfile((now) => ({ ...now, workloads: now.workloads.filter((_, o) => o !== index) })),
    [],
  );
  const [send, saving] = useProfileSaveMutation();
  const save = async (): Promise<void> => {
    const saved = await send(profile);
    if (saved.error) return;
    dispatch(draftDropped(form));
    setLast(saved.data);
    setProfile(saved.data);
    notifications.show({
      color: 'green',
      message: `${saved.data.name} saved as version ${saved.data.version}.`,
    });
    if (!stored) void navigate(`/profiles/${saved.data.id}`, { replace: true });
  };
  return {
    profile,
    readOnly,
    edited,
    saving: saving.isLoading,
    errors,
    setProfile,
    setWorkload,
    removeWorkload,
    save: () => void save(),
    discard() {
      dispatch(draftDropped(form));
      if (stored) setProfile(start);
      else void navigate('/profiles');
    },
  };
}
