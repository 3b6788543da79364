import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import {
  IconCheck,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconHandStop,
  IconLoader,
} from '@tabler/icons-react';

import { counted } from '../../../core/base/counted.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import {
  type GuestItem,
  type GuestJob,
  type GuestStep,
  isPreparing,
} from '../../../core/roles/job.ts';
import { jobSentence, lastNote, placeText, roleTitle } from '../../../core/roles/words.ts';
import { useNow } from '../../engine/useNow.ts';
import { Table } from '../../kit/Table.tsx';
import { bad, dim, good } from '../../kit/tones.ts';
import { useFirst } from '../../kit/useFirst.tsx';
import { progressOf } from './words.ts';

interface Props {
  job: GuestJob;
  busy: boolean;
  onCancel: () => void;
  onRetry: () => void;
}
const shownAtFirst = 120;
const nowrap = { whiteSpace: 'nowrap' } as const;
const order: readonly GuestItem['state'][] = ['failed', 'cancelled', 'running', 'waiting', 'done'];

/** One job: how far each machine is, step by step, what failed and why, and what can be done. */
export function JobPart({ job, busy, onCancel, onRetry }: Props) {
  const running = isPreparing(job);
  const nowMs = useNow(job.nowMs, running);
  const again = job.items.filter(({ state }) => state === 'failed' || state === 'cancelled').length;
  const items = running
    ? job.items
    : [...job.items].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const { shown, more } = useFirst(items, shownAtFirst, (count) => counted(count, 'machine'));
  const Mark = running
    ? IconLoader
    : job.state === 'failed'
      ? IconCircleX
      : job.state === 'cancelled'
        ? IconHandStop
        : IconCircleCheck;
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8} wrap="nowrap">
          <Mark
            size={18}
            aria-hidden
            color={job.state === 'failed' ? bad : undefined}
            style={{ flexShrink: 0 }}
          />
          <Text size="sm" fw={600} role="status">
            {jobSentence(job)}
          </Text>
        </Group>
        {job.state === 'running' && (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            leftSection={<IconHandStop size={14} aria-hidden />}
            title="No further step begins. A step under way ends first: packages are never broken off half-way."
            onClick={onCancel}
          >
            Cancel
          </Button>
        )}
        {!running && again > 0 && (
          <Button size="xs" loading={busy} onClick={onRetry}>
            {`Retry ${counted(again, 'machine')}`}
          </Button>
        )}
      </Group>
      {running && (
        <Group gap="md" wrap="nowrap" fz="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          <Progress
            size="sm"
            aria-label="Progress of the guests"
            value={progressOf(job)}
            transitionDuration={0}
            style={{ flex: 1 }}
          />
          <Text span inherit style={nowrap}>
            {`${formatElapsed(Math.max(0, nowMs - job.startedAtMs))} elapsed`}
          </Text>
        </Group>
      )}
      <ItemTable items={shown} nowMs={nowMs} />
      {more}
    </Stack>
  );
}

function ItemTable({ items, nowMs }: { items: readonly GuestItem[]; nowMs: number }) {
  return (
    <Table.ScrollContainer
      minWidth={900}
      maxHeight={420}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, 'aria-label': 'Machines of this job, scrollable' },
      }}
    >
      <Table aria-label="Machines of this job" stickyHeader fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Machine</Table.Th>
            <Table.Th>For</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th w={180}>Steps</Table.Th>
            <Table.Th w="45%">What happened</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.key}>
              <Table.Td className="mono" style={nowrap}>
                {item.vm ?? 'no VM'}
              </Table.Td>
              <Table.Td style={nowrap}>{placeText(item)}</Table.Td>
              <Table.Td style={nowrap}>{roleTitle(item.roleId)}</Table.Td>
              <Table.Td>
                <Steps item={item} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Happened item={item} nowMs={nowMs} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const looks: Readonly<
  Record<GuestStep['state'], { icon: typeof IconCheck; word: string; color: string | undefined }>
> = {
  waiting: { icon: IconCircleDashed, word: 'waiting', color: undefined },
  running: { icon: IconLoader, word: 'under way', color: undefined },
  done: { icon: IconCircleCheck, word: 'done', color: good },
  already: { icon: IconCheck, word: 'nothing to do', color: good },
  failed: { icon: IconCircleX, word: 'failed', color: bad },
};

/** One mark a step; their words for who hears the page or rests on a mark. */
function Steps({ item }: { item: GuestItem }) {
  return (
    <Group
      component="ul"
      gap={4}
      wrap="nowrap"
      m={0}
      p={0}
      style={{ listStyle: 'none' }}
      aria-label={`Steps of ${item.vm ?? placeText(item)}`}
    >
      {item.steps.map(({ id, title, state }) => {
        const { icon: StepIcon, word, color } = looks[state];
        const said = `${title}: ${word}`;
        return (
          <li key={id} title={said} style={{ display: 'flex' }}>
            <StepIcon size={17} role="img" aria-label={said} color={color ?? 'currentColor'} />
          </li>
        );
      })}
    </Group>
  );
}

function Happened({ item, nowMs }: { item: GuestItem; nowMs: number }) {
  if (item.error)
    return (
      <>
        {item.error.message}
        <Text span inherit c={dim}>{` ${item.error.hint}`}</Text>
      </>
    );
  if (item.state === 'cancelled') return 'Cancelled; what was done stays until it is put back.';
  const step = item.steps.find(({ state }) => state === 'running');
  if (step) {
    const passed =
      step.startedAtMs === null ? '' : `, ${formatElapsed(Math.max(0, nowMs - step.startedAtMs))}`;
    return `${step.title}${passed}${step.note === '' ? '' : `. ${step.note}`}`;
  }
  return item.state === 'waiting' ? 'Waiting' : lastNote(item);
}
