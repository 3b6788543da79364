import {
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconBolt, IconX } from '@tabler/icons-react';
import { useState } from 'react';

import { formatElapsed, formatExact } from '../../../core/base/format.ts';
import type { LabFault, LabStatus } from '../../../core/lab/lab.ts';
import { useLabClearFaultMutation, useLabFaultMutation } from '../../engine/api.ts';
import { newId } from '../../kit/connectionWords.ts';
import { Nothing } from '../../kit/LoadState.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { faultKind, faultKinds, targetWords } from './faultKinds.ts';

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
                        <IconBolt size={14} aria-hidden color="var(--mantine-color-orange-6)" />
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
                          `${formatElapsed((fault.toS - fault.fromS) * 1_000)}`}
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

function FaultForm({ status }: { status: LabStatus }) {
  const [inject, injecting] = useLabFaultMutation();
  const [labId, setLabId] = useState(status.labs[0]!.id);
  const [kindId, setKindId] = useState<LabFault['kind']>('lunSlow');
  const [targetId, setTargetId] = useState<string | null>(null);
  const [amount, setAmount] = useState<number | ''>(4);
  const [fromMin, setFromMin] = useState<number | ''>(0);
  const [toMin, setToMin] = useState<number | ''>(30);
  const lab = status.labs.find((l) => l.id === labId) ?? status.labs[0]!;
  const kind = faultKind(kindId);
  const targets = lab.targets.filter((t) => t.kind === kind.target);
  const target = targets.find((t) => t.id === targetId) ?? targets[0];
  const amountError =
    kind.amount !== null && (amount === '' || amount < kind.amount.min || amount > kind.amount.max)
      ? `From ${kind.amount.min} to ${kind.amount.max}`
      : undefined;
  const fromError = fromMin === '' || fromMin < 0 ? 'From 0 on' : undefined;
  const toError =
    toMin === '' || (fromMin !== '' && toMin <= fromMin) ? 'After its beginning' : undefined;
  const send = (): void => {
    if (
      target === undefined ||
      amountError !== undefined ||
      fromError !== undefined ||
      toError !== undefined
    )
      return;
    void inject({
      labId: lab.id,
      fault: {
        id: newId('fault'),
        kind: kindId,
        targetId: target.id,
        amount: kind.amount === null ? 1 : Number(amount),
        fromS: Number(fromMin) * 60,
        toS: Number(toMin) * 60,
      },
    });
  };
  return (
    <Paper withBorder p="sm">
      <form
        aria-label="Inject a fault"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Stack gap="sm">
          <Title order={2}>Inject a fault</Title>
          <Group align="flex-start" gap="sm">
            {status.labs.length > 1 && (
              <Select
                w={180}
                label="Lab"
                allowDeselect={false}
                data={status.labs.map((l) => ({ value: l.id, label: l.name }))}
                value={lab.id}
                onChange={(id) => {
                  if (id !== null) setLabId(id);
                }}
              />
            )}
            <Select
              w={168}
              label="Fault"
              allowDeselect={false}
              data={faultKinds.map((k) => ({ value: k.kind, label: k.name }))}
              value={kindId}
              onChange={(id) => {
                if (id === null) return;
                setKindId(id);
                setAmount(faultKind(id).amount?.initial ?? '');
              }}
            />
            <Select
              w={150}
              label={targetWords[kind.target]}
              allowDeselect={false}
              searchable
              data={targets.map((t) => ({ value: t.id, label: t.name }))}
              value={target?.id ?? null}
              error={target === undefined ? `This lab has none` : undefined}
              onChange={setTargetId}
            />
            {kind.amount !== null && (
              <NumberInput
                w={150}
                label={kind.amount.label}
                min={kind.amount.min}
                max={kind.amount.max}
                step={kind.amount.step}
                clampBehavior="none"
                value={amount}
                error={amountError}
                onChange={(v) => setAmount(typeof v === 'number' ? v : '')}
              />
            )}
            <NumberInput
              w={96}
              label="From (min)"
              min={0}
              clampBehavior="none"
              value={fromMin}
              error={fromError}
              onChange={(v) => setFromMin(typeof v === 'number' ? v : '')}
            />
            <NumberInput
              w={96}
              label="To (min)"
              min={0}
              clampBehavior="none"
              value={toMin}
              error={toError}
              onChange={(v) => setToMin(typeof v === 'number' ? v : '')}
            />
            <Button
              type="submit"
              mt={24}
              loading={injecting.isLoading}
              disabled={target === undefined}
              leftSection={<IconBolt size={14} aria-hidden />}
            >
              Inject
            </Button>
          </Group>
          <Text
            size="sm"
            c={dim}
          >{`${kind.effect} Times count in minutes of lab time from now.`}</Text>
        </Stack>
      </form>
    </Paper>
  );
}
