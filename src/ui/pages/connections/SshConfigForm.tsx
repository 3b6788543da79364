import { Button, Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import type { ClientConnection, Connection } from '../../../core/testbed/connection.ts';
import { type SshClient, sshClients } from '../../../core/testbed/sshClients.ts';
import type { SshHost } from '../../../core/testbed/sshConfig.ts';
import { useSendCommand } from '../../engine/sendCommand.ts';
import { addressOf, newId } from '../../kit/connectionWords.ts';
import { DialogFoot } from '../../kit/DialogFoot.tsx';
import { Failure } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { asksTrust, type Attempt, attemptWords, works } from './attempt.ts';
import { useConnecting } from './useConnecting.ts';

interface Props {
  hosts: readonly SshHost[];
  notes: readonly string[];
  stored: readonly Connection[];
  onDone: () => void;
}
type Making = Extract<SshClient, { connection: ClientConnection }>;

/**
 * Hosts of an ssh_config, of which those that are chosen become client machines: connected,
 * compared, trusted and saved together. A host behind another follows once that one is saved.
 */
export function SshConfigForm({ hosts, notes, stored, onDone }: Props) {
  const form = useSshConfig({ hosts, stored, onDone });
  const nobody = hosts.some(({ user }) => user === null);
  return (
    <form
      aria-label="Client machines of the ssh_config"
      onSubmit={(event) => {
        event.preventDefault();
        void form.goOn();
      }}
    >
      <Stack gap="sm">
        {nobody && (
          <TextInput
            label="User"
            description="Logs in where the file names nobody"
            required
            value={form.user}
            onChange={(event) => form.setUser(event.currentTarget.value)}
          />
        )}
        <HostTable form={form} />
        {notes.map((note) => (
          <Text key={note} size="xs" c={dim}>
            {note}
          </Text>
        ))}
        <Text size="sm" c={dim}>
          Keys stay where they are: only their paths are kept.
        </Text>
        {form.failure && <Failure title="That did not work" error={form.failure} />}
        <DialogFoot apart>
          <Button variant="subtle" onClick={onDone}>
            Close
          </Button>
          <Group gap={8}>
            <Button
              variant="default"
              disabled={form.busy || form.chosen.length === 0}
              onClick={() => void form.saveAnyway()}
            >
              Save without connecting
            </Button>
            <Button type="submit" loading={form.busy} disabled={form.ready.length === 0}>
              {form.next === 'connect'
                ? 'Connect'
                : form.next === 'trust'
                  ? 'Trust and save'
                  : 'Save'}
            </Button>
          </Group>
        </DialogFoot>
      </Stack>
    </form>
  );
}

function HostTable({ form }: { form: ReturnType<typeof useSshConfig> }) {
  return (
    <>
      <Text size="sm" fw={500} role="status">
        {`${counted(form.chosen.length, 'client machine')} of ${counted(form.clients.length, 'host')}`}
      </Text>
      <ScrollArea.Autosize mah={420} type="auto">
        <Table fz="xs" aria-label="Hosts of the file">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Host</Table.Th>
              <Table.Th>Address</Table.Th>
              <Table.Th>Logs in by</Table.Th>
              <Table.Th>Host key, or what stands in the way</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {form.clients.map((client) => (
              <Table.Tr key={client.alias}>
                <Table.Td>
                  <Checkbox
                    label={client.alias}
                    disabled={!('connection' in client) || client.stored}
                    checked={form.isChosen(client.alias)}
                    onChange={(event) => form.choose(client.alias, event.currentTarget.checked)}
                  />
                </Table.Td>
                <Table.Td className="mono">
                  {'connection' in client ? addressOf(client.connection) : '–'}
                </Table.Td>
                <Table.Td className="mono" style={{ overflowWrap: 'anywhere' }}>
                  {'connection' in client ? loginOf(client.connection) : '–'}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere', userSelect: 'text' }}>
                  {form.said(client)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </>
  );
}

const loginOf = ({ auth }: ClientConnection): string =>
  auth.method === 'key' ? auth.path : auth.method === 'agent' ? 'SSH agent' : 'password';

/** What is chosen of the file, and what came of connecting to it. */
function useSshConfig({ hosts, stored, onDone }: Omit<Props, 'notes'>) {
  const send = useSendCommand();
  const connecting = useConnecting();
  const [user, setUser] = useState('root');
  const [ids] = useState(() => new Map(hosts.map(({ alias }) => [alias, newId('client')])));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<AppErrorShape | null>(null);
  const [saving, setSaving] = useState(false);
  const clients = sshClients(hosts, { stored, user, idOf: (alias) => ids.get(alias)! });
  const chosen = clients.filter(
    (client): client is Making =>
      'connection' in client && !client.stored && !left.has(client.alias),
  );
  const isStored = (id: string): boolean => stored.some((one) => one.id === id);
  const waits = ({ connection }: Making): boolean =>
    connection.jumpId !== undefined && !isStored(connection.jumpId);
  // Behind a jump host that is not saved yet nobody can be reached.
  const ready = chosen.filter((client) => !waits(client)).map(({ connection }) => connection);
  const next = nextOf(ready, connecting.attempts);
  const change = (): void => {
    connecting.forget();
    setFailure(null);
  };
  const keep = async (connections: readonly Connection[]): Promise<void> => {
    if (connections.length === 0) return;
    setSaving(true);
    try {
      await send('connection.saveAll', { connections: [...connections] }, { refusal: 'here' });
      if (connections.length === chosen.length) onDone();
    } finally {
      setSaving(false);
    }
  };
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(toAppError(error).toShape());
    }
  };
  return {
    user,
    setUser: (typed: string): void => {
      change();
      setUser(typed);
    },
    clients,
    chosen,
    ready,
    next,
    failure,
    busy: saving || connecting.busy,
    isChosen: (alias: string): boolean => chosen.some((client) => client.alias === alias),
    choose: (alias: string, on: boolean): void => {
      change();
      setLeft((now) => new Set(on ? [...now].filter((one) => one !== alias) : [...now, alias]));
    },
    said: (client: SshClient): string => {
      if ('problem' in client) return client.problem;
      if (client.stored) return `There already as ${client.connection.name}`;
      if (left.has(client.alias)) return '';
      if (waits(client)) return 'Follows once its jump host is saved';
      return attemptWords(connecting.attempts[client.connection.id]) ?? '';
    },
    goOn: () =>
      guarded(async () => {
        if (next === 'connect') await connecting.connect(ready, '');
        else if (next === 'trust') await keep(await connecting.trust(ready, ''));
        else await keep(ready);
      }),
    saveAnyway: () => guarded(() => keep(chosen.map(({ connection }) => connection))),
  };
}

/** What comes next for those that can be reached now. */
function nextOf(
  ready: readonly Connection[],
  attempts: Readonly<Record<string, Attempt>>,
): 'connect' | 'trust' | 'save' {
  const tried = ready.flatMap(({ id }) => attempts[id] ?? []);
  if (tried.some(asksTrust)) return 'trust';
  return tried.length > 0 && tried.length === ready.length && tried.every(works)
    ? 'save'
    : 'connect';
}
