import { Badge, Button, Group, List, Stack, Tabs, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Profile, ProfileWorkload } from '../../../core/profile/profile.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { useDriverListQuery, useProfileListQuery } from '../../engine/api.ts';
import { draftDropped, drafted, useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { newId } from '../../kit/connectionWords.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { useSame } from '../../kit/useSame.ts';
import { LongField, TextField } from './fields.tsx';
import { ParentDiff } from './ParentDiff.tsx';
import { type ListedProfile, useProfileSaveMutation } from './profileApi.ts';
import {
  copyOf,
  newWorkload,
  pathWords,
  profileErrors,
  ProfileFormContext,
  referencesSet,
} from './profileForm.ts';
import { RulesForm } from './RulesForm.tsx';
import { ScoringForm } from './ScoringForm.tsx';
import { useExportProfile } from './useProfileFiles.ts';
import { WorkloadForm } from './WorkloadForm.tsx';

const noDrivers: readonly DriverInfo[] = [];

/** One profile: read a shipped one, change an own one, or make a copy (`/profiles/new?from=…`). */
export function ProfilePage() {
  const { id = 'new' } = useParams();
  const [search] = useSearchParams();
  const { data, error, refetch } = useProfileListQuery({});
  if (error)
    return (
      <Failure
        title="The profile cannot be read"
        error={error as AppErrorShape}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Pending label="profile" />;
  const stored = data.find((p) => p.id === id);
  const from = data.find((p) => p.id === search.get('from'));
  if (!stored && (id !== 'new' || !from)) return <Nothing text="This profile does not exist." />;
  return <ProfileEditor key={`${id} ${from?.id ?? ''}`} stored={stored} from={from} all={data} />;
}

function ProfileEditor({
  stored,
  from,
  all,
}: {
  stored: ListedProfile | undefined;
  from: ListedProfile | undefined;
  all: readonly ListedProfile[];
}) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const readOnly = stored?.shipped === true;
  const form = `profile ${stored?.id ?? `copy of ${from!.id}`}`;
  const draft = useAppSelector((state) => state.drafts[form] as Profile | undefined);
  const { data: drivers = noDrivers } = useDriverListQuery({});
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
  const context = useMemo(() => ({ errors, readOnly }), [errors, readOnly]);
  const [save, saving] = useProfileSaveMutation();
  const exportProfile = useExportProfile();
  const places = Object.keys(errors);
  const submit = async (): Promise<void> => {
    const saved = await save(profile);
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
  const discard = (): void => {
    dispatch(draftDropped(form));
    if (stored) setProfile(start);
    else void navigate('/profiles');
  };
  const { set, of } = referencesSet(profile);
  const differs = profile.parentId != null;
  return (
    <ProfileFormContext value={context}>
      <Stack gap="md" maw={1240}>
        <Group justify="space-between" wrap="nowrap">
          <Group gap="sm">
            <Title order={1}>{profile.name || 'Profile'}</Title>
            <Text size="sm" c={dim}>{`version ${profile.version}`}</Text>
            {readOnly && (
              <Badge variant="outline" tt="none">
                Shipped, cannot be changed
              </Badge>
            )}
            {edited && (
              <Badge variant="filled" color="orange.9" tt="none">
                Not saved
              </Badge>
            )}
          </Group>
          <Group gap={8} wrap="nowrap">
            {stored && (
              <Button
                variant="default"
                disabled={edited}
                title={edited ? 'Save first' : undefined}
                onClick={() => void exportProfile(profile)}
              >
                Export
              </Button>
            )}
            {stored && (
              <Button
                variant={readOnly ? 'filled' : 'default'}
                onClick={() => void navigate(`/profiles/new?from=${encodeURIComponent(stored.id)}`)}
              >
                Copy
              </Button>
            )}
            {edited && (
              <Button variant="default" onClick={discard}>
                {stored ? 'Discard changes' : 'Discard copy'}
              </Button>
            )}
            {!readOnly && (
              <Button
                disabled={!edited || places.length > 0}
                loading={saving.isLoading}
                onClick={() => void submit()}
              >
                Save profile
              </Button>
            )}
          </Group>
        </Group>
        {set < of && (
          <Text size="sm">
            {`${of - set} of ${counted(of, 'reference')} not set: results are normalised to a ` +
              'reference run, and say so.'}
          </Text>
        )}
        {places.length > 0 && (
          <Stack gap={2} role="status" aria-label="What has to be mended before it can be saved">
            <Text
              size="sm"
              fw={600}
            >{`Before it can be saved, ${counted(places.length, 'place')} to mend:`}</Text>
            <List size="sm">
              {places.slice(0, 8).map((path) => (
                <List.Item key={path}>{`${pathWords(path, profile)}: ${errors[path]}`}</List.Item>
              ))}
            </List>
            {places.length > 8 && <Text size="sm">{`And ${places.length - 8} more.`}</Text>}
          </Stack>
        )}
        <Group gap="xs" align="flex-start" grow preventGrowOverflow={false}>
          <TextField
            path="name"
            label="Name"
            size="sm"
            value={profile.name}
            onChange={(name) => setProfile({ ...profile, name })}
          />
          <LongField
            path="description"
            label="Description"
            size="sm"
            value={profile.description}
            onChange={(description) => setProfile({ ...profile, description })}
          />
        </Group>
        <Tabs defaultValue="workloads" keepMounted={false}>
          <Tabs.List aria-label="Profile">
            <Tabs.Tab value="workloads">{`Workloads (${profile.workloads.length})`}</Tabs.Tab>
            <Tabs.Tab value="scoring">Scoring</Tabs.Tab>
            <Tabs.Tab value="rules">Phases and rules</Tabs.Tab>
            {differs && <Tabs.Tab value="parent">Compare with parent</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="workloads" pt="sm">
            <Stack gap="sm">
              {profile.workloads.map((workload, i) => (
                <WorkloadForm
                  key={i}
                  index={i}
                  workload={workload}
                  drivers={drivers}
                  onChange={setWorkload}
                  onRemove={profile.workloads.length > 1 ? removeWorkload : undefined}
                />
              ))}
              {!readOnly && (
                <div>
                  <Button
                    variant="default"
                    size="xs"
                    leftSection={<IconPlus size={14} aria-hidden />}
                    onClick={() =>
                      setProfile({
                        ...profile,
                        workloads: [...profile.workloads, newWorkload(profile)],
                      })
                    }
                  >
                    Add workload
                  </Button>
                </div>
              )}
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="scoring" pt="sm">
            <ScoringForm
              profile={profile}
              onChange={(scoring) => setProfile({ ...profile, scoring })}
            />
          </Tabs.Panel>
          <Tabs.Panel value="rules" pt="sm">
            <RulesForm profile={profile} onChange={setProfile} />
          </Tabs.Panel>
          {differs && (
            <Tabs.Panel value="parent" pt="sm">
              <ParentDiff profile={profile} parent={all.find((p) => p.id === profile.parentId)} />
            </Tabs.Panel>
          )}
        </Tabs>
      </Stack>
    </ProfileFormContext>
  );
}
