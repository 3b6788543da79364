import { Group, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';

import type { Connection } from '../../../core/testbed/connection.ts';
import { powerSources } from '../../../core/testbed/power/index.ts';
import type { PowerField } from '../../../core/testbed/power/kind.ts';
import { type PowerType, powerTypes } from '../../../core/testbed/powerSources.ts';
import type { ConnectionValues, FieldErrors } from './formValues.ts';

interface Props {
  values: Pick<ConnectionValues, 'powerType' | 'source'>;
  errors: FieldErrors;
  /** Connections that a source may be read through. */
  others: readonly Connection[];
  onType: (type: PowerType) => void;
  onMember: (name: string, value: number | string) => void;
}

/** The type of a power source, and what its kind asks for. */
export function PowerFields({ values, errors, others, onType, onMember }: Props) {
  return (
    <>
      <SegmentedControl
        aria-label="Power source type"
        value={values.powerType}
        onChange={onType}
        data={powerTypes.map((type) => ({ value: type, label: powerSources[type].label }))}
      />
      {powerSources[values.powerType].rows.map((row) => (
        <Group key={row.map(({ name }) => name).join(' ')} grow align="flex-start">
          {row.map((field) => (
            <Member
              key={field.name}
              field={field}
              value={values.source[field.name] ?? ''}
              error={errors[`source.${field.name}`]}
              others={others}
              onChange={(value) => onMember(field.name, value)}
            />
          ))}
        </Group>
      ))}
    </>
  );
}

function Member({
  field: { label, description, input, required = false, min, max },
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
          allowDecimal={false}
          value={value}
          onChange={onChange}
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
