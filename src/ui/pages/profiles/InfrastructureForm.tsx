import { Group, Paper, Stack, Text, Title } from '@mantine/core';

import type { InfraOperation, Scoring } from '../../../core/profile/profile.ts';
import { bad, dim } from '../../kit/tones.ts';
import { CheckField, LongField, NumberField, TextField } from './fields.tsx';
import { newOperation, useProfileForm } from './profileForm.ts';
import { AddRow, RemoveRow } from './rows.tsx';

interface Props {
  scoring: Scoring;
  onChange: (scoring: Scoring) => void;
}
type InfraPart = NonNullable<Scoring['infrastructure']>;

const grow = (minWidth: number) => ({ flex: 1, minWidth });

/** The infrastructure part of the score, where there is one, and its weight in the total. */
export function InfrastructureForm({ scoring, onChange }: Props) {
  const { infrastructure, overall: _overall, ...rest } = scoring;
  const toggle = (on: boolean): void =>
    onChange(
      on
        ? {
            ...rest,
            infrastructure: {
              combine: 'geometricMean',
              operations: [{ ...newOperation([]), id: 'vmotion', name: 'vMotion' }],
              hostsPerLoop: null,
              hostsPerLoopSource: '',
              source: '',
            },
            overall: { application: null, infrastructure: null, source: '' },
          }
        : rest,
    );
  const put = (patch: Partial<InfraPart>): void => {
    if (infrastructure) onChange({ ...scoring, infrastructure: { ...infrastructure, ...patch } });
  };
  return (
    <Paper p="sm" component="section" aria-label="Infrastructure">
      <Stack gap="xs">
        <Title order={3}>Infrastructure</Title>
        <CheckField
          label="The profile has an infrastructure part"
          description="Operations an hour ÷ reference; one geometric mean, no sum over tiles"
          checked={infrastructure !== undefined}
          onChange={toggle}
        />
        {infrastructure && (
          <>
            <Operations
              operations={infrastructure.operations}
              onChange={(operations) => put({ operations })}
            />
            <LoopFields infrastructure={infrastructure} onChange={put} />
            <Weights scoring={scoring} onChange={onChange} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

/** The operations that are counted, a row each. */
function Operations({
  operations,
  onChange,
}: {
  operations: readonly InfraOperation[];
  onChange: (operations: InfraOperation[]) => void;
}) {
  return (
    <>
      {operations.map((operation, i) => (
        <OperationRow
          key={i}
          index={i}
          operation={operation}
          onChange={(patch) =>
            onChange(operations.map((o, other) => (other === i ? { ...o, ...patch } : o)))
          }
          onRemove={
            operations.length > 1
              ? () => onChange(operations.filter((_, other) => other !== i))
              : undefined
          }
        />
      ))}
      <AddRow
        label="Add operation"
        onAdd={() => onChange([...operations, newOperation(operations)])}
      />
    </>
  );
}

function OperationRow({
  index,
  operation: o,
  onChange,
  onRemove,
}: {
  index: number;
  operation: InfraOperation;
  onChange: (patch: Partial<InfraOperation>) => void;
  onRemove: (() => void) | undefined;
}) {
  const at = `scoring.infrastructure.operations.${index}`;
  const called = `operation ${o.name || index + 1}`;
  return (
    <Group
      gap="xs"
      align="flex-start"
      wrap="wrap"
      role="group"
      aria-label={`Operation ${o.name || index + 1}`}
    >
      <TextField
        path={`${at}.name`}
        label="Operation"
        w={160}
        value={o.name}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        path={`${at}.id`}
        label="Id"
        mono
        w={140}
        value={o.id}
        onChange={(id) => onChange({ id })}
      />
      <NumberField
        path={`${at}.reference`}
        label="Reference, an hour"
        w={130}
        value={o.reference}
        onChange={(reference) => onChange({ reference })}
      />
      <div style={grow(240)}>
        <LongField
          path={`${at}.referenceSource`}
          label="Source"
          value={o.referenceSource}
          onChange={(referenceSource) => onChange({ referenceSource })}
        />
      </div>
      {onRemove && <RemoveRow what={called} onRemove={onRemove} />}
    </Group>
  );
}

function LoopFields({
  infrastructure,
  onChange,
}: {
  infrastructure: InfraPart;
  onChange: (patch: Partial<InfraPart>) => void;
}) {
  return (
    <Group gap="xs" align="flex-start" wrap="wrap">
      <NumberField
        path="scoring.infrastructure.hostsPerLoop"
        label="Hosts a loop"
        w={110}
        value={infrastructure.hostsPerLoop}
        onChange={(hostsPerLoop) => onChange({ hostsPerLoop })}
      />
      <div style={grow(220)}>
        <LongField
          path="scoring.infrastructure.hostsPerLoopSource"
          label="Source of hosts a loop"
          value={infrastructure.hostsPerLoopSource}
          onChange={(hostsPerLoopSource) => onChange({ hostsPerLoopSource })}
        />
      </div>
      <div style={grow(220)}>
        <LongField
          path="scoring.infrastructure.source"
          label="Source of the rule"
          value={infrastructure.source}
          onChange={(source) => onChange({ source })}
        />
      </div>
    </Group>
  );
}

/** What both parts weigh in the total. */
function Weights({ scoring, onChange }: Props) {
  const { errors } = useProfileForm();
  const { overall } = scoring;
  const weigh = (patch: Partial<NonNullable<Scoring['overall']>>): void => {
    if (overall) onChange({ ...scoring, overall: { ...overall, ...patch } });
  };
  return (
    <>
      <Title order={3}>Total</Title>
      <Group gap="xs" align="flex-start" wrap="wrap">
        <NumberField
          path="scoring.overall.application"
          label="Weight of application"
          w={150}
          value={overall?.application}
          onChange={(application) => weigh({ application })}
        />
        <NumberField
          path="scoring.overall.infrastructure"
          label="Weight of infrastructure"
          w={160}
          value={overall?.infrastructure}
          onChange={(value) => weigh({ infrastructure: value })}
        />
        <div style={grow(240)}>
          <LongField
            path="scoring.overall.source"
            label="Source of the weights"
            value={overall?.source ?? ''}
            onChange={(source) => weigh({ source })}
          />
        </div>
      </Group>
      {errors['scoring.overall'] && (
        <Text size="sm" c={bad} role="alert">
          {errors['scoring.overall']}
        </Text>
      )}
      {overall && (overall.application === null || overall.infrastructure === null) && (
        <Text size="sm" c={dim}>
          Weights not set: the parts are shown apart, and no total is claimed.
        </Text>
      )}
    </>
  );
}
