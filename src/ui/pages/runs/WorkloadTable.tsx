import { Group, Text } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconPlayerPlay,
  IconPlugConnectedX,
} from '@tabler/icons-react';

import { formatAge, formatExact } from '../../../core/base/format.ts';
import { staleAfterMs } from '../../../core/metric/stale.ts';
import type { RunOverview, RunRecord, WorkloadStatus } from '../../../core/run/run.ts';
import { workloadStateWords } from '../../../core/run/runWords.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

const icons: Readonly<Record<WorkloadStatus['state'], readonly [typeof IconClock, string]>> = {
  waiting: [IconClock, 'gray'],
  preparing: [IconClock, 'gray'],
  running: [IconPlayerPlay, 'green'],
  lost: [IconPlugConnectedX, 'orange'],
  stopping: [IconClock, 'gray'],
  ended: [IconCircleCheck, 'gray'],
  failed: [IconCircleX, 'red'],
};

interface Props {
  overview: RunOverview;
  record: RunRecord | undefined;
  nowMs: number;
}

/**
 * State of each workload with the age of its last sample; stale ones are named, not only coloured.
 */
export function WorkloadTable({ overview, record, nowMs }: Props) {
  const staleMs = staleAfterMs({
    periodMs: record?.plan.sampling.workloadMs ?? 1_000,
    lagMs: 0,
  });
  const clientName = (id: string): string => record?.clients.find((c) => c.id === id)?.name ?? id;
  const workloadName = (id: string): string =>
    record?.profile.workloads.find((w) => w.id === id)?.name ?? id;
  return (
    <Table aria-label="Workloads" verticalSpacing={2} fz="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Tile</Table.Th>
          <Table.Th>Workload</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th ta="right">Last sample</Table.Th>
          <Table.Th ta="right">Bad lines</Table.Th>
          <Table.Th>Client</Table.Th>
          <Table.Th>VM</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {overview.workloads.map((w) => {
          const [StateIcon, color] = icons[w.state];
          const ageMs = w.lastSampleMs === null ? null : Math.max(0, nowMs - w.lastSampleMs);
          const stale = w.state === 'running' && ageMs !== null && ageMs > staleMs;
          return (
            <Table.Tr key={w.entityId}>
              <Table.Td>{w.tile + 1}</Table.Td>
              <Table.Td>{workloadName(w.workloadId)}</Table.Td>
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  <StateIcon size={14} aria-hidden color={`var(--mantine-color-${color}-6)`} />
                  {workloadStateWords[w.state]}
                  {w.detail && (
                    <Text span inherit c={dim} lineClamp={1} title={w.detail}>
                      {w.detail}
                    </Text>
                  )}
                </Group>
              </Table.Td>
              <Table.Td
                ta="right"
                style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
              >
                {ageMs === null
                  ? 'none yet'
                  : stale
                    ? `stale, ${formatAge(ageMs)} ago`
                    : `${formatAge(ageMs)} ago`}
              </Table.Td>
              <Table.Td
                ta="right"
                title="Lines of output that could not be read; counted, never fatal"
              >
                {formatExact(w.badLines, 0)}
              </Table.Td>
              <Table.Td>{clientName(w.clientId)}</Table.Td>
              <Table.Td>{w.vmName ?? 'none'}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
