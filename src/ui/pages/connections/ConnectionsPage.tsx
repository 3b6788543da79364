import { Button, Drawer, Group, Menu, Stack, TextInput, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { useConnectionListQuery } from '../../engine/api.ts';
import { addressOf, kindWords, newId } from '../../kit/connectionWords.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { usePageActions } from '../../kit/pageActions.ts';
import { ConnectionForm } from './ConnectionForm.tsx';
import { ConnectionTable, useConnectionTests } from './ConnectionTable.tsx';
import { SshConfigForm } from './SshConfigForm.tsx';
import { useSshConfigFile } from './useSshConfigFile.ts';

interface Editing {
  kind: Connection['kind'];
  id: string;
  existing: Connection | undefined;
}

const kinds = ['vcenter', 'client', 'power'] as const satisfies Connection['kind'][];

/** Every vCenter, client machine and power source, with its last test. */
export function ConnectionsPage() {
  const { data, error, refetch } = useConnectionListQuery({});
  const { editing, add, edit, close } = useEditing();
  const [sought, setSought] = useState('');
  const tests = useConnectionTests();
  const sshConfig = useSshConfigFile();
  const shown = (data ?? []).filter((one) =>
    `${one.name} ${kindWords[one.kind]} ${addressOf(one)}`
      .toLowerCase()
      .includes(sought.trim().toLowerCase()),
  );
  usePageActions(
    shown.length > 0
      ? [{ id: 'test', title: 'Test all connections', run: () => void tests.all(shown) }]
      : null,
  );
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
          <AddMenu
            isFirst={data?.length === 0}
            onAdd={add}
            onSshConfig={() => void sshConfig.open()}
          />
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
              <Button size="xs" variant="default" onClick={() => void sshConfig.open()}>
                Open ssh_config
              </Button>
            </Group>
          }
        />
      ) : shown.length === 0 ? (
        <Nothing text={`No name, kind or address has “${sought.trim()}” in it.`} />
      ) : (
        <ConnectionTable connections={shown} tests={tests} onEdit={edit} />
      )}
      <Drawer
        opened={editing !== null}
        onClose={close}
        position="right"
        size={560}
        title={editing ? `${kindWords[editing.kind]}${editing.existing ? '' : ', new'}` : ''}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close the form' }}
      >
        {editing && (
          <ConnectionForm key={editing.id} {...editing} others={data ?? []} onDone={close} />
        )}
      </Drawer>
      <SshConfigDrawer opening={sshConfig} stored={data ?? []} />
    </Stack>
  );
}

function SshConfigDrawer({
  opening: { file, close },
  stored,
}: {
  opening: ReturnType<typeof useSshConfigFile>;
  stored: readonly Connection[];
}) {
  return (
    <Drawer
      opened={file !== null}
      onClose={close}
      position="right"
      size={760}
      title={file ? `Client machines of ${file.name}` : ''}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close the form' }}
    >
      {file && <SshConfigForm {...file} stored={stored} onDone={close} />}
    </Drawer>
  );
}

/** The open form: of a connection that is there, or of a new one that the address asks for. */
function useEditing() {
  const [search, setSearch] = useSearchParams();
  const { key } = useLocation();
  const [existing, setExisting] = useState<Connection | null>(null);
  const asked = kinds.find((kind) => kind === search.get('add'));
  // Each time that a new one is asked for it is another one.
  const added = useMemo(
    () =>
      asked === undefined ? null : { kind: asked, id: newId(asked), existing: undefined, at: key },
    [asked, key],
  );
  const editing: Editing | null =
    existing === null ? added : { kind: existing.kind, id: existing.id, existing };
  return {
    editing,
    add: (kind: Connection['kind']) => setSearch({ add: kind }),
    edit: setExisting,
    close: () => {
      setExisting(null);
      if (asked !== undefined) setSearch({}, { replace: true });
    },
  };
}

function AddMenu({
  isFirst,
  onAdd,
  onSshConfig,
}: {
  /** Nothing is there yet: the page below leads on. */ isFirst: boolean;
  onAdd: (kind: Connection['kind']) => void;
  onSshConfig: () => void;
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant={isFirst ? 'default' : 'filled'}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Add connection
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {kindWords[kind]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onSshConfig}>From ssh_config…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
