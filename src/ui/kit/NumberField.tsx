import { NumberInput, type NumberInputProps } from '@mantine/core';

import { useTyped, type Within } from './useTyped.ts';

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'error' | 'max' | 'clampBehavior'> & {
  /** NaN where what was typed is no number. */
  value: number;
  onChange: (value: number) => void;
  error?: string | undefined;
  /** Least and most, for a form that judges no field: nothing else is handed on. */
  within?: Within;
};

const number = {
  parse: (text: string): number | null =>
    text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null,
  format: (value: number): string => (Number.isFinite(value) ? String(value) : ''),
  hint: 'Write a number.',
};

/** A number that must be there: an emptied field says so, and is no number for its form. */
export function NumberField({ value, onChange, error, within, min, onBlur, ...rest }: Props) {
  const typed = useTyped({ ...number, value, onChange, within });
  const least = within?.[0] ?? min;
  return (
    <NumberInput
      {...rest}
      {...(least === undefined ? {} : { min: least })}
      {...(within === undefined ? {} : { max: within[1] })}
      clampBehavior="none"
      value={String(Number(typed.text)) === typed.text ? Number(typed.text) : typed.text}
      error={typed.fault ?? error}
      onChange={(next) => typed.type(String(next))}
      onBlur={(event) => {
        typed.leave();
        onBlur?.(event);
      }}
    />
  );
}
