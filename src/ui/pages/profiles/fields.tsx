import {
  Checkbox,
  type MantineSize,
  NumberInput,
  Select,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';

import { DurationField } from '../../kit/DurationField.tsx';
import { useProfileForm } from './profileForm.ts';

interface Common {
  /** Path of the field in the file; its error is shown here. */ path: string;
  label: string;
  description?: string | undefined;
  size?: MantineSize;
  w?: number | string;
}

export function TextField({
  path,
  value,
  onChange,
  mono = false,
  ...rest
}: Common & {
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
  placeholder?: string;
}) {
  const { errors, readOnly } = useProfileForm();
  return (
    <TextInput
      size="xs"
      {...rest}
      readOnly={readOnly}
      value={value}
      error={errors[path]}
      {...(mono ? { classNames: { input: 'mono' } } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function LongField({
  path,
  value,
  onChange,
  ...rest
}: Common & { value: string; onChange: (value: string) => void }) {
  const { errors, readOnly } = useProfileForm();
  return (
    <Textarea
      size="xs"
      autosize
      minRows={1}
      {...rest}
      readOnly={readOnly}
      value={value}
      error={errors[path]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Seconds, as people write them; what is no duration is NaN, which no profile may hold. */
export function LengthField({
  path,
  ...rest
}: Common & { value: number; onChange: (seconds: number) => void }) {
  const { errors, readOnly } = useProfileForm();
  return <DurationField size="xs" {...rest} readOnly={readOnly} error={errors[path]} />;
}

/** An empty field is `null`: not set. */
export function NumberField({
  path,
  value,
  onChange,
  placeholder = 'Not set',
  ...rest
}: Common & {
  value: number | null | undefined;
  onChange: (value: number | null) => void;
  placeholder?: string;
}) {
  const { errors, readOnly } = useProfileForm();
  return (
    <NumberInput
      size="xs"
      {...rest}
      hideControls
      readOnly={readOnly}
      placeholder={placeholder}
      value={value ?? ''}
      error={errors[path]}
      onChange={(next) =>
        onChange(
          typeof next === 'number'
            ? next
            : next.trim() === ''
              ? null
              : Number.isFinite(Number(next))
                ? Number(next)
                : (value ?? null),
        )
      }
    />
  );
}

export function ChoiceField({
  path,
  value,
  onChange,
  data,
  ...rest
}: Common & {
  value: string;
  onChange: (value: string) => void;
  data: { value: string; label: string }[];
}) {
  const { errors, readOnly } = useProfileForm();
  return (
    <Select
      size="xs"
      {...rest}
      allowDeselect={false}
      readOnly={readOnly}
      data={data}
      value={value}
      error={errors[path]}
      onChange={(next) => {
        if (next !== null) onChange(next);
      }}
    />
  );
}

export function CheckField({
  label,
  checked,
  onChange,
  description,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  description?: string;
}) {
  const { readOnly } = useProfileForm();
  if (readOnly)
    return (
      <Text size="xs">
        <b>{label}</b>
        {checked ? ': yes' : ': no'}
      </Text>
    );
  return (
    <Checkbox
      size="xs"
      label={label}
      description={description}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
