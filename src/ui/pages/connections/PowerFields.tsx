import { Group, NumberInput, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

import { formatDuration, parseDuration } from '../../../core/base/duration.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { powerSources } from '../../../core/testbed/power/index.ts';
import type { PowerField } from '../../../core/testbed/power/kind.ts';
import { type PowerType, powerTypes } from '../../../core/testbed/powerSources.ts';
import { dim } from '../../kit/tones.ts';
import {
  type ConnectionValues,
  type FieldErrors,
  guardsOf,
  isAsked,
  membersOf,
  rowsOf,
} from './formValues.ts';

interface Props {
  values: Pick<ConnectionValues, 'powerType' | 'sources'>;
  errors: FieldErrors;
  /** Connections that a source may be read through. */
  others: readonly Connection[];
  onType: (type: PowerType) => void;
  /** Members that were changed: the one that was typed, and those it fills in. */
  onMember: (members: Readonly<Record<string, number | string>>) => void;
  /** Fields of the secret and of the certificate. */
  login: ReactNode;
}

/** The type of a power source, and what its kind asks for. */
export function PowerFields({ values, errors, others, onType, onMember, login }: Props) {
  const { note } = guardsOf(values.powerType);
  return (
    <>
      <SegmentedControl
        aria-label="Power source type"
        size="xs"
        value={values.powerType}
        onChange={onType}
        data={powerTypes.map((type) => ({ value: type, label: powerSources[type].label }))}
      />
      {note !== undefined && (
        <Text size="sm" c={dim}>
          {note}
        </Text>
      )}
      {rowsOf(values.powerType).map((row) =>
        row === 'login' ? (
          <Fragment key="login">{login}</Fragment>
        ) : (
          <Row
            key={row.map(({ name }) => name).join(' ')}
            fields={row.filter((field) => isAsked(field, membersOf(values)))}
            values={values}
            errors={errors}
            others={others}
            onMember={onMember}
          />
        ),
      )}
    </>
  );
}

function Row({
  fields,
  values,
  errors,
  others,
  onMember,
}: Pick<Props, 'values' | 'errors' | 'others' | 'onMember'> & { fields: readonly PowerField[] }) {
  if (fields.length === 0) return null;
  return (
    <Group grow align="flex-start">
      {fields.map((field) => (
        <Member
          key={field.name}
          field={field}
          value={membersOf(values)[field.name] ?? ''}
          error={errors[`source.${field.name}`]}
          others={others}
          onChange={(value) => onMember({ [field.name]: value, ...field.fills?.[value] })}
        />
      ))}
    </Group>
  );
}

function Member({
  field: { label, description, input, required = false, min, max, decimal = false, choices = [] },
  value,
  error,
  others,
  onChange,
}: {
  field: PowerField;
  value: number | string;
  error: string | undefined;
  others: readonly Connection[];
  onChange: (value: number | string) => void;
}) {
  const common = { label, description, required, error };
  switch (input) {
    case 'number':
      return (
        <NumberInput
          {...common}
          {...(min === undefined ? {} : { min })}
          {...(max === undefined ? {} : { max })}
          allowDecimal={decimal}
          value={value}
          onChange={onChange}
        />
      );
    case 'duration':
      return (
        <TextInput
          {...common}
          value={typeof value === 'number' ? formatDuration(value / 1_000) : value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={() => {
            const seconds = typeof value === 'string' ? parseDuration(value) : null;
            if (seconds !== null) onChange(seconds * 1_000);
          }}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={[...choices]}
          allowDeselect={false}
          value={String(value)}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    case 'vcenter':
      return (
        <Select
          {...common}
          data={others
            .filter((other) => other.kind === 'vcenter')
            .map((other) => ({ value: other.id, label: other.name }))}
          value={value === '' ? null : String(value)}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    case 'code':
    case 'text':
      return (
        <TextInput
          {...common}
          {...(input === 'code' ? { classNames: { input: 'mono' } } : {})}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
