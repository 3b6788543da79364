import {
  Anchor,
  Button,
  Checkbox,
  Group,
  Progress,
  Stack,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconFlask, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { StudySummary } from '../../../core/study/study.ts';
import { studyCompareAddress } from '../../../core/study/studyCurves.ts';
import { useStudyListQuery, useStudyRemoveMutation } from '../../engine/api.ts';
import { useSimulated, useWorkspace } from '../../engine/services.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { OriginMark } from '../../kit/OriginMark.tsx';
import { SimulatedMark } from '../../kit/SimulatedMark.tsx';
import { StudyStateBadge } from '../../kit/StudyStateBadge.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

const shownAtFirst = 200;

/** Every study: what it sweeps, how far it is, where it stopped. */
export function StudiesPage() {
  const navigate = useNavigate();
  const { data, error, refetch } = useStudyListQuery({});
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>Studies</Title>
          <SimulatedMark />
        </Group>
        <Button size="xs" onClick={() => void navigate('/studies/new')}>
          New study
        </Button>
      </Group>
      {error && !data ? (
        <Failure
          title="Studies cannot be listed"
          error={error as AppErrorShape}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <Pending label="studies" />
      ) : data.length === 0 ? (
        <NoStudies />
      ) : (
        <StudyList studies={data} />
      )}
    </Stack>
  );
}

function NoStudies() {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  return (
    <Nothing
      text={
        'A study runs a plan at several values of one parameter and charts the results as one ' +
        'curve: tiles, outstanding I/Os, LUN layouts. Studies are listed here.'
      }
      action={
        <Group gap={8}>
          <Button size="xs" onClick={() => void navigate('/studies/new')}>
            New study
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFlask size={14} aria-hidden />}
            onClick={() => {
              if (workspace.kind === 'simulated') void navigate('/lab');
              else workspace.open('simulated', '/lab');
            }}
          >
            Ready-made studies in the demo lab
          </Button>
        </Group>
      }
    />
  );
}

function StudyList({ studies }: { studies: readonly StudySummary[] }) {
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const navigate = useNavigate();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const known = picked.filter((id) => studies.some((s) => s.id === id));
  const simulated = useSimulated();
  const [remove] = useStudyRemoveMutation();
  const needle = text.trim().toLowerCase();
  const matching = studies
    .filter(
      (s) =>
        needle === '' || `${s.name} ${s.axis} ${s.galleryId ?? ''}`.toLowerCase().includes(needle),
    )
    .sort(
      (a, b) =>
        (b.startedAtMs ?? Infinity) - (a.startedAtMs ?? Infinity) || byNaturalOrder(a.name, b.name),
    );
  const shown = all ? matching : matching.slice(0, shownAtFirst);
  const askRemove = (s: StudySummary): void => {
    modals.openConfirmModal({
      title: `Remove ${s.name}`,
      labels: { confirm: 'Remove', cancel: 'Keep' },
      confirmProps: { color: 'red.9' },
      closeButtonProps: { 'aria-label': 'Close' },
      children: (
        <Text size="sm">
          {`The study and its curve of ${s.done} ${s.done === 1 ? 'point' : 'points'} will be ` +
            'gone. Its runs stay in History.'}
        </Text>
      ),
      onConfirm: () => {
        void remove({ id: s.id });
      },
    });
  };
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          size="xs"
          w={260}
          type="search"
          aria-label="Search studies"
          placeholder="Name, parameter, gallery entry"
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
        />
        <Text size="xs" role="status">
          {needle === ''
            ? `${studies.length} ${studies.length === 1 ? 'study' : 'studies'}`
            : `${matching.length} of ${studies.length} studies`}
        </Text>
        <Button
          size="xs"
          ml="auto"
          variant="default"
          disabled={known.length === 0 || known.length > 8}
          onClick={() => void navigate(studyCompareAddress(known))}
        >
          {known.length < 2 ? 'Compare curves' : `Compare ${known.length} studies`}
        </Button>
      </Group>
      {matching.length === 0 ? (
        <Nothing text="No study matches." />
      ) : (
        <Table.ScrollContainer
          minWidth={720}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Studies, scrollable' } }}
        >
          <Table aria-label="Studies" fz="sm" verticalSpacing={4} highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={36}>
                  <VisuallyHidden>Compare</VisuallyHidden>
                </Table.Th>
                <Table.Th>Name</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Swept</Table.Th>
                <Table.Th w={190}>Points</Table.Th>
                <Table.Th>Started</Table.Th>
                <Table.Th w={110}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((s) => (
                <Table.Tr key={s.id}>
                  <Table.Td>
                    <Checkbox
                      size="xs"
                      aria-label={`Compare ${s.name}`}
                      checked={picked.includes(s.id)}
                      onChange={(e) => {
                        const on = e.currentTarget.checked;
                        setPicked((now) => (on ? [...now, s.id] : now.filter((id) => id !== s.id)));
                      }}
                    />
                  </Table.Td>
                  <Table.Td>
                    {!simulated && <OriginMark origin={s.origin} />}
                    <Anchor component={Link} to={`/studies/${s.id}`} size="sm">
                      {s.name}
                    </Anchor>
                    {s.galleryId !== null && (
                      <Text span size="xs" c={dim} ml={8}>
                        {s.galleryId}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <StudyStateBadge state={s.state} />
                  </Table.Td>
                  <Table.Td>{s.axis}</Table.Td>
                  <Table.Td>
                    <Group gap={8} wrap="nowrap">
                      <Progress
                        w={90}
                        size="sm"
                        value={s.total === 0 ? 0 : (s.done / s.total) * 100}
                        transitionDuration={0}
                        aria-label={`Progress of ${s.name}`}
                      />
                      <Text
                        size="sm"
                        style={{ fontVariantNumeric: 'tabular-nums' }}
                      >{`${s.done} of ${s.total}`}</Text>
                    </Group>
                  </Table.Td>
                  <Table.Td>
                    {s.startedAtMs === null ? '–' : formatDateTime(s.startedAtMs)}
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="red.8"
                      c="var(--tb-bad)"
                      leftSection={<IconTrash size={13} aria-hidden />}
                      aria-label={`Remove ${s.name}`}
                      onClick={() => askRemove(s)}
                    >
                      Remove
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {matching.length > shown.length && (
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setAll(true)}
        >{`Show all ${matching.length}`}</Button>
      )}
    </Stack>
  );
}
