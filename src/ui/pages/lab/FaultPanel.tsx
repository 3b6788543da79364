import { Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconBolt, IconX } from '@tabler/icons-react';

import { formatElapsed, formatExact } from '../../../core/base/format.ts';
import type { LabStatus } from '../../../core/lab/lab.ts';
import { useLabClearFaultMutation } from '../../engine/api.ts';
import { Nothing } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { FaultForm } from './FaultForm.tsx';
import { faultKind } from './faultKinds.ts';

/**
 * Faults of the simulated lab: what is wrong now or will be, and the form that makes something go
 * wrong.
 */
export function FaultPanel({ status }: { status: LabStatus }) {
  const [clear, clearing] = useLabClearFaultMutation();
  const planned = status.labs.flatMap((lab) => lab.faults.map((fault) => ({ lab, fault })));
  if (status.labs.length === 0)
    return (
      <Nothing
        text={
          'No simulated lab is loaded yet. Running a study loads its lab; faults can be injected ' +
          'into it then.'
        }
      />
    );
  return (
    <Stack gap="md">
      <FaultForm key={status.labs.map((l) => l.id).join(' ')} status={status} />
      <Stack gap={6} component="section">
        <Title order={2}>Active and planned</Title>
        {planned.length === 0 ? (
          <Text size="sm" c={dim}>
            No fault is active or planned.
          </Text>
        ) : (
          <Table aria-label="Faults" fz="sm" verticalSpacing={3}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Fault</Table.Th>
                <Table.Th>On</Table.Th>
                <Table.Th>Lab</Table.Th>
                <Table.Th ta="right">Amount</Table.Th>
                <Table.Th>When, in lab time</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {planned.map(({ lab, fault }) => {
                const kind = faultKind(fault.kind);
                const name =
                  lab.targets.find((t) => t.id === fault.targetId)?.name ?? fault.targetId;
                return (
                  <Table.Tr
                    key={`${lab.id} ${fault.id}`}
                    style={{ fontVariantNumeric: 'tabular-nums' }}
                  >
                    <Table.Td fw={600}>
                      <Group gap={6} wrap="nowrap">
                        <IconBolt size={14} aria-hidden color="var(--tb-warn)" />
                        {kind.name}
                      </Group>
                    </Table.Td>
                    <Table.Td>{name === '' ? 'everything' : name}</Table.Td>
                    <Table.Td>{lab.name}</Table.Td>
                    <Table.Td ta="right">
                      {kind.amount === null
                        ? '–'
                        : `${kind.amount.label}: ${formatExact(fault.amount, fault.amount % 1 === 0 ? 0 : 2)}`}
                    </Table.Td>
                    <Table.Td>
                      {fault.fromS <= 0
                        ? `Active, ${formatElapsed(fault.toS * 1_000)} left`
                        : `In ${formatElapsed(fault.fromS * 1_000)}, for ` +
                          formatElapsed((fault.toS - fault.fromS) * 1_000)}
                    </Table.Td>
                    <Table.Td ta="right">
                      <Button
                        size="compact-xs"
                        variant="default"
                        disabled={clearing.isLoading}
                        leftSection={<IconX size={13} aria-hidden />}
                        aria-label={`Clear ${kind.name} on ${name}`}
                        onClick={() => void clear({ labId: lab.id, id: fault.id })}
                      >
                        Clear
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Stack>
  );
}
