import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHandStop, IconLoader } from '@tabler/icons-react';
import type { ReactNode } from 'react';

import { counted } from '../../../core/base/counted.ts';
import { formatElapsed } from '../../../core/base/format.ts';
import {
  isProvisioning,
  provisionCounts,
  type ProvisionItem,
  type ProvisionJob,
  provisionTimeLeftS,
} from '../../../core/testbed/provision.ts';
import { useNow } from '../../engine/useNow.ts';
import { Table } from '../../kit/Table.tsx';
import { bad, dim } from '../../kit/tones.ts';
import { useFirst } from '../../kit/useFirst.tsx';
import { StepBadge } from './StepBadge.tsx';
import { jobSentence, placeText, progressOf } from './words.ts';

interface Props {
  job: ProvisionJob;
  onCancel: () => void;
  onRetry: () => void;
  busy: boolean;
  /** More actions beside those of the job. */ actions?: ReactNode;
}
const order: readonly ProvisionItem['step'][] = [
  'failed',
  'cancelled',
  'removing',
  'checking',
  'poweringOn',
  'cloned',
  'registering',
  'cloning',
  'waiting',
  'done',
  'removed',
  'unmade',
];
const shownAtFirst = 120;

/** One job: how far it is, each VM's step, what failed and why, and what can be done about it. */
export function JobView({ job, onCancel, onRetry, busy, actions }: Props) {
  const running = isProvisioning(job);
  const nowMs = useNow(job.nowMs, running);
  const items = running
    ? job.items
    : [...job.items].sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step));
  const { shown, more } = useFirst(items, shownAtFirst, (count) => counted(count, 'VM'));
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="center" wrap="nowrap">
        <Sentence job={job} />
        <Group gap={8} wrap="nowrap">
          {job.state === 'running' && (
            <Button
              size="xs"
              variant="default"
              color="red.9"
              loading={busy}
              leftSection={<IconHandStop size={14} aria-hidden />}
              title="Ends clones under way in vCenter. VMs that are made stay until they are cleaned up."
              onClick={onCancel}
            >
              Cancel
            </Button>
          )}
          <Retry job={job} busy={busy} onRetry={onRetry} />
          {actions}
        </Group>
      </Group>
      {running && <JobProgress job={job} nowMs={nowMs} />}
      {job.error && (
        <Alert
          color="red"
          p="xs"
          icon={<IconCircleX aria-hidden />}
          title={job.error.message}
          role="alert"
        >
          {job.error.hint && <Text size="sm">{job.error.hint}</Text>}
        </Alert>
      )}
      <ItemTable items={shown} />
      {more}
    </Stack>
  );
}

/** The state of the job in a sentence, with its mark. */
function Sentence({ job }: { job: ProvisionJob }) {
  const wrong = job.state === 'failed';
  const JobIcon = isProvisioning(job)
    ? IconLoader
    : wrong
      ? IconCircleX
      : job.state === 'cancelled'
        ? IconHandStop
        : IconCircleCheck;
  return (
    <Group gap={8} wrap="nowrap">
      <JobIcon size={18} aria-hidden color={wrong ? bad : undefined} style={{ flexShrink: 0 }} />
      <Text size="sm" fw={600} role="status">
        {jobSentence(job)}
      </Text>
    </Group>
  );
}

/** Makes again what failed or was cancelled, once the job has ended. */
function Retry({ job, busy, onRetry }: Pick<Props, 'job' | 'busy' | 'onRetry'>) {
  const { failed, cancelled } = provisionCounts(job);
  if (isProvisioning(job) || failed + cancelled === 0) return null;
  const what = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return (
    <Button size="xs" loading={busy} onClick={onRetry}>
      {`Retry ${what.join(', ')}`}
    </Button>
  );
}

function JobProgress({ job, nowMs }: { job: ProvisionJob; nowMs: number }) {
  const leftS = provisionTimeLeftS(job, nowMs);
  return (
    <Group gap="md" wrap="nowrap" fz="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <Progress
        size="sm"
        aria-label="Progress of provisioning"
        value={progressOf(job)}
        transitionDuration={0}
        style={{ flex: 1 }}
      />
      <Text
        span
        inherit
        style={{ whiteSpace: 'nowrap' }}
      >{`${formatElapsed(Math.max(0, nowMs - job.startedAtMs))} elapsed`}</Text>
      <Text span inherit fw={600} style={{ whiteSpace: 'nowrap' }}>
        {leftS === null
          ? 'time left not known yet'
          : `about ${formatElapsed(Math.ceil(leftS) * 1_000)} left`}
      </Text>
    </Group>
  );
}

function ItemTable({ items }: { items: readonly ProvisionItem[] }) {
  return (
    <Table.ScrollContainer
      minWidth={760}
      maxHeight={420}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, 'aria-label': 'VMs of this job, scrollable' },
      }}
    >
      <Table aria-label="VMs of this job" stickyHeader fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>VM</Table.Th>
            <Table.Th>For</Table.Th>
            <Table.Th>Host</Table.Th>
            <Table.Th>Datastore</Table.Th>
            <Table.Th w={190}>Step</Table.Th>
            <Table.Th w="34%">What happened</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.key}>
              <Table.Td className="mono">{item.name}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{placeText(item)}</Table.Td>
              <Table.Td>{item.host.name || '–'}</Table.Td>
              <Table.Td>{item.datastore.name || '–'}</Table.Td>
              <Table.Td>
                <StepBadge item={item} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {item.error ? (
                  <>
                    <Text span inherit>
                      {item.error.message}
                    </Text>
                    {item.error.hint && <Text span inherit c={dim}>{` ${item.error.hint}`}</Text>}
                  </>
                ) : (
                  (item.note ?? '')
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
