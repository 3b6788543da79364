import { Button, Drawer, Group, Menu, Stack, TextInput, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { useConnectionListQuery } from '../../engine/api.ts';
import { addressOf, kindWords, newId } from '../../kit/connectionWords.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { ConnectionTable, useConnectionTests } from './ConnectionTable.tsx';

interface Editing {
  kind: Connection['kind'];
  id: string;
  existing: Connection | undefined;
}

/** Every vCenter, client machine and power source, with its last test. */
export function ConnectionsPage() {
  const { data, error, refetch } = useConnectionListQuery({});
  const [editing, setEditing] = useState<Editing | null>(null);
  const [sought, setSought] = useState('');
  const tests = useConnectionTests();
  const shown = (data ?? []).filter((one) =>
    `${one.name} ${kindWords[one.kind]} ${addressOf(one)}`
      .toLowerCase()
      .includes(sought.trim().toLowerCase()),
  );
  const add = (kind: Connection['kind']): void =>
    setEditing({ kind, id: newId(kind), existing: undefined });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1}>Connections</Title>
        <Group gap={8}>
          {data && data.length > 0 && (
            <>
              <TextInput
                aria-label="Search connections"
                placeholder="Search"
                value={sought}
                onChange={(event) => setSought(event.currentTarget.value)}
              />
              <Button
                variant="default"
                loading={tests.busy}
                disabled={shown.length === 0}
                onClick={() => void tests.all(shown)}
              >
                Test all
              </Button>
            </>
          )}
          <AddMenu onAdd={add} />
        </Group>
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
      ) : shown.length === 0 ? (
        <Nothing text={`No name, kind or address has “${sought.trim()}” in it.`} />
      ) : (
        <ConnectionTable
          connections={shown}
          tests={tests}
          onEdit={(connection) =>
            setEditing({ kind: connection.kind, id: connection.id, existing: connection })
          }
        />
      )}
      <Drawer
        opened={editing !== null}
        onClose={() => setEditing(null)}
        position="right"
        size={560}
        title={editing ? `${kindWords[editing.kind]}${editing.existing ? '' : ', new'}` : ''}
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

function AddMenu({ onAdd }: { onAdd: (kind: Connection['kind']) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={14} aria-hidden />}>Add connection</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['vcenter', 'client', 'power'] as const).map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {kindWords[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
