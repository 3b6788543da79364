import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopyPlus, IconDownload, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import { vmsOfTile } from '../../../core/profile/profile.ts';
import { useProfileListQuery } from '../../engine/api.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import {
  type ListedProfile,
  useProfileRemoveMutation,
  useProfileSaveMutation,
} from './profileApi.ts';
import { referencesSet } from './profileForm.ts';
import { useExportProfile, useImportProfile } from './useProfileFiles.ts';

/** Every benchmark profile: the shipped ones, and the user's own. */
export function ProfilesPage() {
  const { data, error, refetch } = useProfileListQuery({});
  const importProfile = useImportProfile(data ?? []);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Profiles</Title>
        <Button variant="default" disabled={!data} onClick={() => void importProfile()}>
          Import profile file
        </Button>
      </Group>
      <Text size="sm" c={dim} maw={860}>
        A profile says what a tile holds, what loads it, how it is scored and which limits hold,
        each figure with its source. Shipped profiles stay as they are: copy one to change it. A run
        keeps the profile it ran with.
      </Text>
      {error ? (
        <Failure
          title="Profiles cannot be listed"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Pending label="profiles" />
      ) : (
        <ProfileTable profiles={data} />
      )}
    </Stack>
  );
}

function ProfileTable({ profiles }: { profiles: readonly ListedProfile[] }) {
  const navigate = useNavigate();
  const exportProfile = useExportProfile();
  const [remove] = useProfileRemoveMutation();
  const [save] = useProfileSaveMutation();
  const removeWithUndo = async (profile: ListedProfile): Promise<void> => {
    if ((await remove({ id: profile.id })).error) return;
    notifications.show({
      message: (
        <Group justify="space-between">
          <Text size="sm">{`${profile.name} removed.`}</Text>
          <Button size="compact-xs" variant="default" onClick={() => void save(profile)}>
            Undo
          </Button>
        </Group>
      ),
      autoClose: 15_000,
    });
  };
  return (
    <Table aria-label="Profiles" fz="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>A tile holds</Table.Th>
          <Table.Th ta="right">References set</Table.Th>
          <Table.Th>Comes from</Table.Th>
          <Table.Th ta="right">Version</Table.Th>
          <Table.Th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {profiles.map((profile) => {
          const vms = vmsOfTile(profile);
          const { set, of } = referencesSet(profile);
          return (
            <Table.Tr key={profile.id}>
              <Table.Td>
                <Anchor component={Link} to={`/profiles/${profile.id}`} size="sm">
                  {profile.name}
                </Anchor>
              </Table.Td>
              <Table.Td>
                {counted(profile.workloads.length, 'workload')}
                {vms === null ? '' : `, ${counted(vms, 'VM')}`}
              </Table.Td>
              <Table.Td
                ta="right"
                title={set < of ? 'What is not set is normalised to a reference run' : undefined}
              >{`${set} of ${of}`}</Table.Td>
              <Table.Td>
                {profile.shipped
                  ? 'Shipped'
                  : profile.parentId == null
                    ? 'Own'
                    : `Copy of ${profiles.find((p) => p.id === profile.parentId)?.name ?? profile.parentId}`}
              </Table.Td>
              <Table.Td ta="right">{profile.version}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    aria-label={`Copy ${profile.name}`}
                    title="Copy"
                    onClick={() =>
                      void navigate(`/profiles/new?from=${encodeURIComponent(profile.id)}`)
                    }
                  >
                    <IconCopyPlus size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    aria-label={`Export ${profile.name}`}
                    title="Export"
                    onClick={() => void exportProfile(profile)}
                  >
                    <IconDownload size={16} aria-hidden />
                  </ActionIcon>
                  {!profile.shipped && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove ${profile.name}`}
                      title="Remove"
                      onClick={() => void removeWithUndo(profile)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
