import { ActionIcon, Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconCopyPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Output } from '../../../wire/contract.ts';
import type { TestReport } from '../../../wire/contract/connections.ts';
import {
  useConnectionFactsQuery,
  useConnectionRemoveMutation,
  useConnectionSaveMutation,
  useConnectionTestMutation,
} from '../../engine/api.ts';
import { addressOf, kindWords, newId, trustOf } from '../../kit/connectionWords.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { eachOf } from './eachOf.ts';

type TestState = { ok: boolean; words: string } | 'busy';
type Facts = Output<'connection.facts'>[string] | undefined;

export interface ConnectionTests {
  /** Last test by the id of the connection. */ byId: Readonly<Record<string, TestState>>;
  run: (connection: Connection) => Promise<void>;
  all: (connections: readonly Connection[]) => Promise<void>;
  busy: boolean;
}

/** Tests of connections that were made since the page was opened. */
export function useConnectionTests(): ConnectionTests {
  const [byId, setById] = useState<Readonly<Record<string, TestState>>>({});
  const [test] = useConnectionTestMutation();
  const run = async (connection: Connection): Promise<void> => {
    setById((now) => ({ ...now, [connection.id]: 'busy' }));
    const result = await test({ connection });
    setById((now) => ({
      ...now,
      [connection.id]: result.error
        ? { ok: false, words: (result.error as AppErrorShape).message }
        : outcome(result.data),
    }));
  };
  return {
    byId,
    run,
    all: (connections) => eachOf(connections, run),
    busy: Object.values(byId).includes('busy'),
  };
}

/** Connections as rows: where each is used, when it last worked, and its last test. */
export function ConnectionTable({
  connections,
  tests,
  onEdit,
}: {
  connections: readonly Connection[];
  tests: ConnectionTests;
  onEdit: (connection: Connection) => void;
}) {
  const { data: facts = {} } = useConnectionFactsQuery({});
  return (
    <Table.ScrollContainer minWidth={940}>
      <Table aria-label="Connections" fz="sm" highlightOnHover verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th>Trust</Table.Th>
            <Table.Th>Used by</Table.Th>
            <Table.Th>Last test</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              test={tests.byId[connection.id]}
              facts={facts[connection.id]}
              onTest={() => void tests.run(connection)}
              onEdit={() => onEdit(connection)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ConnectionRow({
  connection,
  test,
  facts,
  onTest,
  onEdit,
}: {
  connection: Connection;
  test: TestState | undefined;
  facts: Facts;
  onTest: () => void;
  onEdit: () => void;
}) {
  const [save] = useConnectionSaveMutation();
  const [remove] = useConnectionRemoveMutation();
  return (
    <Table.Tr>
      <Table.Td>
        <Button variant="transparent" size="compact-sm" px={0} onClick={onEdit}>
          {connection.name}
        </Button>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{kindWords[connection.kind]}</Table.Td>
      <Table.Td className="mono">{addressOf(connection)}</Table.Td>
      <Table.Td>{trustOf(connection)}</Table.Td>
      <Table.Td>
        <Text size="sm" lineClamp={2} title={facts?.usedBy.join(', ') ?? ''}>
          {facts === undefined || facts.usedBy.length === 0 ? '–' : facts.usedBy.join(', ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <TestResult
          state={test}
          workedAtMs={facts?.workedAtMs ?? null}
          updateMs={facts?.updateMs ?? null}
        />
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button
            size="compact-xs"
            variant="default"
            loading={test === 'busy'}
            onClick={onTest}
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
            onClick={() => confirmRemove(connection, () => void remove({ id: connection.id }))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function confirmRemove(connection: Connection, onConfirm: () => void): void {
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
    onConfirm,
  });
}

const outcome = (report: TestReport | undefined): TestState => {
  const failed = report?.steps.find((step) => !step.ok);
  return failed
    ? { ok: false, words: failed.detail }
    : { ok: true, words: report?.steps.at(-1)?.detail ?? '' };
};

function TestResult({
  state,
  workedAtMs,
  updateMs,
}: {
  state: TestState | undefined;
  workedAtMs: number | null;
  updateMs: number | null;
}) {
  if (state === undefined)
    return (
      <Text size="sm" c={dim}>
        {workedAtMs === null ? 'Not tested' : `Worked ${formatDateTime(workedAtMs)}`}
        {updateMs !== null && `, a new value every ${updateMs / 1_000} s`}
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
