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
import { IconCopyPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import type { AppErrorShape } from '../../../core/base/errors.ts';
import { layoutOf } from '../../../core/testbed/provision.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import {
  useProfileListQuery,
  useTestbedDuplicateMutation,
  useTestbedListQuery,
  useTestbedRemoveMutation,
  useTestbedSaveMutation,
} from '../../engine/api.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { ImportTestbed } from '../testbedLife/index.ts';

/** Every testbed. Removing one can be undone. */
export function TestbedsPage() {
  const navigate = useNavigate();
  const { data, error, refetch } = useTestbedListQuery({});
  const [save] = useTestbedSaveMutation();
  const [remove] = useTestbedRemoveMutation();
  const create = <Button onClick={() => void navigate('/testbeds/new')}>New testbed</Button>;
  const removeWithUndo = async (testbed: Testbed): Promise<void> => {
    if ((await remove({ id: testbed.id })).error) return;
    const made = layoutOf(testbed).made.length;
    notifications.show({
      message: (
        <Group justify="space-between">
          <Text size="sm">
            {`${testbed.name} ` +
              'removed.' +
              (made > 0
                ? ` ${counted(made, 'VM')} made for it ${made === 1 ? 'stays' : 'stay'} in vCenter.`
                : '')}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => void save(testbed)}>
            Undo
          </Button>
        </Group>
      ),
      autoClose: 15_000,
    });
  };
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Testbeds</Title>
        <Group gap={8}>
          <ImportTestbed />
          {create}
        </Group>
      </Group>
      {error ? (
        <Failure
          title="Testbeds cannot be listed"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Pending label="testbeds" />
      ) : data.length === 0 ? (
        <Nothing
          text="A testbed says which VM and client machine each workload of each tile has."
          action={create}
        />
      ) : (
        <TestbedTable testbeds={data} onRemove={(testbed) => void removeWithUndo(testbed)} />
      )}
    </Stack>
  );
}

function TestbedTable({
  testbeds,
  onRemove,
}: {
  testbeds: readonly Testbed[];
  onRemove: (testbed: Testbed) => void;
}) {
  const { data: profiles = [] } = useProfileListQuery({});
  const [duplicate] = useTestbedDuplicateMutation();
  return (
    <Table aria-label="Testbeds" fz="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Profile</Table.Th>
          <Table.Th ta="right">Tiles</Table.Th>
          <Table.Th ta="right">Version</Table.Th>
          <Table.Th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {testbeds.map((testbed) => (
          <Table.Tr key={testbed.id}>
            <Table.Td>
              <Anchor component={Link} to={`/testbeds/${testbed.id}`} size="sm">
                {testbed.name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              {profiles.find((p) => p.id === testbed.profileId)?.name ?? testbed.profileId}
            </Table.Td>
            <Table.Td ta="right">{testbed.tiles.length}</Table.Td>
            <Table.Td ta="right">{testbed.version}</Table.Td>
            <Table.Td>
              <Group gap={4} justify="flex-end">
                <ActionIcon
                  variant="subtle"
                  aria-label={`Duplicate ${testbed.name}`}
                  onClick={() => void duplicate({ id: testbed.id })}
                >
                  <IconCopyPlus size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${testbed.name}`}
                  onClick={() => onRemove(testbed)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
