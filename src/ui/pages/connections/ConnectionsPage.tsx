import {
  ActionIcon,
  Badge,
  Button,
  Drawer,
  Group,
  Menu,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconChevronDown, IconCopyPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/testbed.ts';
import type { TestReport } from '../../../wire/contract/connections.ts';
import {
  useConnectionListQuery,
  useConnectionRemoveMutation,
  useConnectionSaveMutation,
  useConnectionTestMutation,
} from '../../engine/api.ts';
import { addressOf, kindWords, newId, trustOf } from '../../kit/connectionWords.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';

interface Editing {
  kind: Connection['kind'];
  id: string;
  existing: Connection | undefined;
}
type TestState = { ok: boolean; words: string } | 'busy';

/** Every vCenter, client machine and power source, with its last test. */
export function ConnectionsPage() {
  const { data, error, refetch } = useConnectionListQuery({});
  const [editing, setEditing] = useState<Editing | null>(null);
  const [tests, setTests] = useState<Readonly<Record<string, TestState>>>({});
  const [test] = useConnectionTestMutation();
  const [save] = useConnectionSaveMutation();
  const [remove] = useConnectionRemoveMutation();

  const runTest = async (connection: Connection): Promise<void> => {
    setTests((now) => ({ ...now, [connection.id]: 'busy' }));
    const result = await test({ connection });
    setTests((now) => ({
      ...now,
      [connection.id]: result.error
        ? { ok: false, words: (result.error as AppErrorShape).message }
        : outcome(result.data),
    }));
  };
  const add = (kind: Connection['kind']): void =>
    setEditing({ kind, id: newId(kind), existing: undefined });
  const confirmRemove = (connection: Connection): void => {
    modals.openConfirmModal({
      title: `Remove ${connection.name}`,
      labels: { confirm: 'Remove', cancel: 'Keep' },
      confirmProps: { color: 'red.8' },
      children: (
        <Text size="sm">
          {`The ${kindWords[connection.kind]} ${connection.name} (${addressOf(connection)}), ` +
            'its fingerprint and its stored secret will be gone. Runs keep their results.'}
        </Text>
      ),
      onConfirm: () => void remove({ id: connection.id }),
    });
  };
  const addMenu = (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={14} aria-hidden />}>Add connection</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['vcenter', 'client', 'power'] as const).map((kind) => (
          <Menu.Item key={kind} onClick={() => add(kind)}>
            {kindWords[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Connections</Title>
        {addMenu}
      </Group>
      {error ? (
        <Failure
          title="Connections cannot be listed"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Pending label="connections" />
      ) : data.length === 0 ? (
        <Nothing
          text="vCenters, client machines and power sources appear here, each with its last test."
          action={
            <Group gap={8}>
              <Button size="xs" onClick={() => add('vcenter')}>
                Add vCenter
              </Button>
              <Button size="xs" variant="default" onClick={() => add('client')}>
                Add client machine
              </Button>
            </Group>
          }
        />
      ) : (
        <Table.ScrollContainer minWidth={860}>
          <Table aria-label="Connections" fz="sm" highlightOnHover verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Kind</Table.Th>
                <Table.Th>Address</Table.Th>
                <Table.Th>Trust</Table.Th>
                <Table.Th>Last test</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map((connection) => (
                <Table.Tr key={connection.id}>
                  <Table.Td>
                    <Button
                      variant="transparent"
                      size="compact-sm"
                      px={0}
                      onClick={() =>
                        setEditing({
                          kind: connection.kind,
                          id: connection.id,
                          existing: connection,
                        })
                      }
                    >
                      {connection.name}
                    </Button>
                  </Table.Td>
                  <Table.Td>{kindWords[connection.kind]}</Table.Td>
                  <Table.Td className="mono">{addressOf(connection)}</Table.Td>
                  <Table.Td>{trustOf(connection)}</Table.Td>
                  <Table.Td>
                    <TestResult state={tests[connection.id]} />
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <Button
                        size="compact-xs"
                        variant="default"
                        loading={tests[connection.id] === 'busy'}
                        onClick={() => void runTest(connection)}
                        aria-label={`Test ${connection.name}`}
                      >
                        Test
                      </Button>
                      <ActionIcon
                        variant="subtle"
                        aria-label={`Duplicate ${connection.name}`}
                        onClick={() =>
                          void save({
                            connection: {
                              ...connection,
                              id: newId(connection.kind),
                              name: `${connection.name} copy`,
                            },
                          })
                        }
                      >
                        <IconCopyPlus size={16} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Remove ${connection.name}`}
                        onClick={() => confirmRemove(connection)}
                      >
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Drawer
        opened={editing !== null}
        onClose={() => setEditing(null)}
        position="right"
        size={560}
        title={editing ? `${editing.existing ? 'Edit' : 'Add'} ${kindWords[editing.kind]}` : ''}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close the form' }}
      >
        {editing && (
          <ConnectionForm
            key={editing.id}
            {...editing}
            others={data ?? []}
            onDone={() => setEditing(null)}
          />
        )}
      </Drawer>
    </Stack>
  );
}

const outcome = (report: TestReport | undefined): TestState => {
  const failed = report?.steps.find((step) => !step.ok);
  return failed
    ? { ok: false, words: failed.detail }
    : { ok: true, words: report?.steps.at(-1)?.detail ?? '' };
};

function TestResult({ state }: { state: TestState | undefined }) {
  if (state === undefined)
    return (
      <Text size="sm" c="dimmed">
        Not tested in this session
      </Text>
    );
  if (state === 'busy') return <Text size="sm">Testing</Text>;
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color={state.ok ? 'green.9' : 'red.9'} variant="filled" tt="none">
        {state.ok ? '✓ Works' : '✗ Failed'}
      </Badge>
      <Text size="xs" lineClamp={1} title={state.words}>
        {state.words}
      </Text>
    </Group>
  );
}
