import { Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';

import type { AxisDraft } from './studyForm.ts';

/** What the fields of an axis share: the axis, its path in errors, and what changes it. */
export interface AxisPartProps {
  at: string;
  axis: AxisDraft;
  set: (change: Partial<AxisDraft>) => void;
  errorOf: (field: string) => string | undefined;
}

/** Values that are typed: a list of them, or from, to and step. */
export function AxisValueFields({ at, axis, set, errorOf }: AxisPartProps) {
  const number = (
    label: string,
    value: number | '',
    field: 'from' | 'to' | 'step',
  ): React.ReactNode => (
    <NumberInput
      label={label}
      value={value}
      error={errorOf(`${at}.${field}`)}
      onChange={(next) => set({ [field]: typeof next === 'number' ? next : '' })}
    />
  );
  return (
    <Group align="flex-start" gap="sm">
      <Stack gap={2}>
        <Text size="sm" fw={600} id={`${at}-values`}>
          Values
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby={`${at}-values`}
          value={axis.mode}
          data={[
            { value: 'list', label: 'List' },
            { value: 'range', label: 'From, to, step' },
          ]}
          onChange={(mode) => set({ mode: mode === 'list' ? 'list' : 'range' })}
        />
      </Stack>
      {axis.mode === 'list' ? (
        <TextInput
          style={{ flex: 1 }}
          label="List of values"
          placeholder="1, 2, 4, 8"
          value={axis.list}
          error={errorOf(`${at}.list`)}
          onChange={(e) => set({ list: e.currentTarget.value })}
        />
      ) : (
        <Group grow style={{ flex: 1 }} align="flex-start">
          {number('From', axis.from, 'from')}
          {number('To', axis.to, 'to')}
          {number('Step', axis.step, 'step')}
        </Group>
      )}
    </Group>
  );
}
