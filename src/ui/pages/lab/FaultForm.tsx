import { Button, Group, NumberInput, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';

import { durationHint } from '../../../core/base/duration.ts';
import type { LabFault, LabStatus } from '../../../core/lab/lab.ts';
import { useLabFaultMutation } from '../../engine/api.ts';
import { newId } from '../../kit/connectionWords.ts';
import { DurationField } from '../../kit/DurationField.tsx';
import { dim } from '../../kit/tones.ts';
import { type FaultKind, faultKind, faultKinds, targetWords } from './faultKinds.ts';

/** A fault as it is typed; '' = an empty field. */
interface Draft {
  labId: string;
  kind: LabFault['kind'];
  targetId: string | null;
  amount: number | '';
  /** NaN = no length of time. */ fromS: number;
  toS: number;
}
type Lab = LabStatus['labs'][number];

/** Makes something go wrong in a simulated lab; `status` has at least one. */
export function FaultForm({ status }: { status: LabStatus }) {
  const [inject, injecting] = useLabFaultMutation();
  const [draft, setDraft] = useState<Draft>({
    labId: status.labs[0]!.id,
    kind: 'lunSlow',
    targetId: null,
    amount: 4,
    fromS: 0,
    toS: 1_800,
  });
  const change = (part: Partial<Draft>): void => setDraft((now) => ({ ...now, ...part }));
  const lab = status.labs.find((l) => l.id === draft.labId) ?? status.labs[0]!;
  const kind = faultKind(draft.kind);
  const targets = lab.targets.filter((t) => t.kind === kind.target);
  const target = targets.find((t) => t.id === draft.targetId) ?? targets[0];
  const errors = draftErrors(draft, kind);
  const send = (): void => {
    if (target !== undefined && Object.values(errors).every((error) => error === undefined))
      void inject({ labId: lab.id, fault: faultOf(draft, kind, target.id) });
  };
  return (
    <Paper p="sm">
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
            <WhatFields
              labs={status.labs}
              lab={lab}
              kind={kind}
              targets={targets}
              targetId={target?.id ?? null}
              onChange={change}
            />
            <NumberFields draft={draft} kind={kind} errors={errors} onChange={change} />
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
          <Text size="sm" c={dim}>{`${kind.effect} Times count in lab time from now.`}</Text>
        </Stack>
      </form>
    </Paper>
  );
}

type DraftErrors = Partial<Record<'amount' | 'fromS' | 'toS', string | undefined>>;

const draftErrors = ({ amount, fromS, toS }: Draft, kind: FaultKind): DraftErrors => ({
  amount:
    kind.amount !== null && (amount === '' || amount < kind.amount.min || amount > kind.amount.max)
      ? `From ${kind.amount.min} to ${kind.amount.max}`
      : undefined,
  fromS: Number.isNaN(fromS) ? durationHint : undefined,
  toS: Number.isNaN(toS) ? durationHint : toS <= fromS ? 'After its beginning' : undefined,
});

const faultOf = (draft: Draft, kind: FaultKind, targetId: string): LabFault => ({
  id: newId('fault'),
  kind: draft.kind,
  targetId,
  amount: kind.amount === null ? 1 : Number(draft.amount),
  fromS: draft.fromS,
  toS: draft.toS,
});

/** Which lab, what goes wrong, and on what. */
function WhatFields({
  labs,
  lab,
  kind,
  targets,
  targetId,
  onChange,
}: {
  labs: readonly Lab[];
  lab: Lab;
  kind: FaultKind;
  targets: Lab['targets'];
  targetId: string | null;
  onChange: (part: Partial<Draft>) => void;
}) {
  return (
    <>
      {labs.length > 1 && (
        <Select
          w={180}
          label="Lab"
          allowDeselect={false}
          data={labs.map((l) => ({ value: l.id, label: l.name }))}
          value={lab.id}
          onChange={(labId) => {
            if (labId !== null) onChange({ labId });
          }}
        />
      )}
      <Select
        w={168}
        label="Fault"
        allowDeselect={false}
        data={faultKinds.map((k) => ({ value: k.kind, label: k.name }))}
        value={kind.kind}
        onChange={(id) => {
          if (id !== null) onChange({ kind: id, amount: faultKind(id).amount?.initial ?? '' });
        }}
      />
      <Select
        w={150}
        label={targetWords[kind.target]}
        allowDeselect={false}
        searchable
        data={targets.map((t) => ({ value: t.id, label: t.name }))}
        value={targetId}
        error={targetId === null ? 'This lab has none' : undefined}
        onChange={(id) => onChange({ targetId: id })}
      />
    </>
  );
}

/** How much, and from when to when. */
function NumberFields({
  draft,
  kind: { amount },
  errors,
  onChange,
}: {
  draft: Draft;
  kind: FaultKind;
  errors: DraftErrors;
  onChange: (part: Partial<Draft>) => void;
}) {
  const time = (key: 'fromS' | 'toS', label: string) => (
    <DurationField
      w={110}
      label={label}
      value={draft[key]}
      error={errors[key]}
      onChange={(seconds) => onChange({ [key]: seconds })}
    />
  );
  return (
    <>
      {amount !== null && (
        <NumberInput
          w={150}
          label={amount.label}
          min={amount.min}
          max={amount.max}
          step={amount.step}
          clampBehavior="none"
          value={draft.amount}
          error={errors.amount}
          onChange={(value) => onChange({ amount: typeof value === 'number' ? value : '' })}
        />
      )}
      {time('fromS', 'From')}
      {time('toS', 'To')}
    </>
  );
}
