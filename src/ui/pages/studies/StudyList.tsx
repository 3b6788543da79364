import {
  Anchor,
  Button,
  Checkbox,
  Group,
  Progress,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { StudySummary } from '../../../core/study/study.ts';
import { studyCompareAddress } from '../../../core/study/studyCurves.ts';
import { useStudyRemoveMutation } from '../../engine/api.ts';
import { useSimulated } from '../../engine/services.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Nothing } from '../../kit/LoadState.tsx';
import { OriginMark } from '../../kit/OriginMark.tsx';
import { StudyStateBadge } from '../../kit/StudyStateBadge.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { useFirst } from '../../kit/useFirst.tsx';

const shownAtFirst = 200;

/** Studies that match what is searched, the newest first; some can be picked to be compared. */
export function StudyList({ studies }: { studies: readonly StudySummary[] }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const known = picked.filter((id) => studies.some((s) => s.id === id));
  const needle = text.trim().toLowerCase();
  const matching = matchingStudies(studies, needle);
  const { shown, more } = useFirst(matching, shownAtFirst);
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
        <StudyTable
          studies={shown}
          picked={picked}
          onPick={(id, on) =>
            setPicked((now) => (on ? [...now, id] : now.filter((other) => other !== id)))
          }
        />
      )}
      {more}
    </Stack>
  );
}

const matchingStudies = (studies: readonly StudySummary[], needle: string): StudySummary[] =>
  studies
    .filter(
      (s) =>
        needle === '' || `${s.name} ${s.axis} ${s.galleryId ?? ''}`.toLowerCase().includes(needle),
    )
    .sort(
      (a, b) =>
        (b.startedAtMs ?? Infinity) - (a.startedAtMs ?? Infinity) || byNaturalOrder(a.name, b.name),
    );

function StudyTable({
  studies,
  picked,
  onPick,
}: {
  studies: readonly StudySummary[];
  picked: readonly string[];
  onPick: (id: string, on: boolean) => void;
}) {
  const [remove] = useStudyRemoveMutation();
  return (
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
          {studies.map((s) => (
            <StudyRow
              key={s.id}
              study={s}
              picked={picked.includes(s.id)}
              onPick={(on) => onPick(s.id, on)}
              onRemove={() =>
                askRemove(s, () => {
                  void remove({ id: s.id });
                })
              }
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function StudyRow({
  study: s,
  picked,
  onPick,
  onRemove,
}: {
  study: StudySummary;
  picked: boolean;
  onPick: (on: boolean) => void;
  onRemove: () => void;
}) {
  const simulated = useSimulated();
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          size="xs"
          aria-label={`Compare ${s.name}`}
          checked={picked}
          onChange={(e) => onPick(e.currentTarget.checked)}
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
      <Table.Td>{s.startedAtMs === null ? '–' : formatDateTime(s.startedAtMs)}</Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-xs"
          variant="subtle"
          color="red.8"
          c="var(--tb-bad)"
          leftSection={<IconTrash size={13} aria-hidden />}
          aria-label={`Remove ${s.name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function askRemove({ name, done }: StudySummary, onConfirm: () => void): void {
  modals.openConfirmModal({
    title: `Remove ${name}`,
    labels: { confirm: 'Remove', cancel: 'Keep' },
    confirmProps: { color: 'red.9' },
    closeButtonProps: { 'aria-label': 'Close' },
    children: (
      <Text size="sm">
        {`The study and its curve of ${done} ${done === 1 ? 'point' : 'points'} will be ` +
          'gone. Its runs stay in Runs.'}
      </Text>
    ),
    onConfirm,
  });
}
