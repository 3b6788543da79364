import { Badge, Button, Group, List, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { useDriverListQuery, useProfileListQuery } from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { LongField, TextField } from './fields.tsx';
import { ParentDiff } from './ParentDiff.tsx';
import type { ListedProfile } from './profileApi.ts';
import { newWorkload, pathWords, ProfileFormContext, referencesSet } from './profileForm.ts';
import { RulesForm } from './RulesForm.tsx';
import { ScoringForm } from './ScoringForm.tsx';
import { type ProfileDraft, useProfileDraft } from './useProfileDraft.ts';
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
  const draft = useProfileDraft(stored, from, all);
  const { data: drivers = noDrivers } = useDriverListQuery({});
  const { profile, readOnly, errors, setProfile } = draft;
  const context = useMemo(() => ({ errors, readOnly }), [errors, readOnly]);
  const { set, of } = referencesSet(profile);
  const differs = profile.parentId != null;
  return (
    <ProfileFormContext value={context}>
      <Stack gap="md" maw={1240}>
        <Head draft={draft} storedId={stored?.id} />
        {set < of && (
          <Text size="sm">
            {`${of - set} of ${counted(of, 'reference')} not set: results are normalised to a ` +
              'reference run, and say so.'}
          </Text>
        )}
        <ToMend draft={draft} />
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
            <Workloads draft={draft} drivers={drivers} />
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

/** Name and state of the profile, and what can be done with the whole of it. */
function Head({
  draft: { profile, readOnly, edited, errors, saving, save, discard },
  storedId,
}: {
  draft: ProfileDraft;
  /** Undefined = a copy that was not saved yet. */ storedId: string | undefined;
}) {
  const navigate = useNavigate();
  const exportProfile = useExportProfile();
  return (
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
        {storedId !== undefined && (
          <Button
            variant="default"
            disabled={edited}
            title={edited ? 'Save first' : undefined}
            onClick={() => void exportProfile(profile)}
          >
            Export
          </Button>
        )}
        {storedId !== undefined && (
          <Button
            variant={readOnly ? 'filled' : 'default'}
            onClick={() => void navigate(`/profiles/new?from=${encodeURIComponent(storedId)}`)}
          >
            Copy
          </Button>
        )}
        {edited && (
          <Button variant="default" onClick={discard}>
            {storedId === undefined ? 'Discard copy' : 'Discard changes'}
          </Button>
        )}
        {!readOnly && (
          <Button
            disabled={!edited || Object.keys(errors).length > 0}
            loading={saving}
            onClick={save}
          >
            Save profile
          </Button>
        )}
      </Group>
    </Group>
  );
}

/** Places that are wrong, in words; the first eight. */
function ToMend({ draft: { profile, errors } }: { draft: ProfileDraft }) {
  const places = Object.keys(errors);
  if (places.length === 0) return null;
  return (
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
  );
}

function Workloads({
  draft: { profile, readOnly, setProfile, setWorkload, removeWorkload },
  drivers,
}: {
  draft: ProfileDraft;
  drivers: readonly DriverInfo[];
}) {
  return (
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
  );
}
