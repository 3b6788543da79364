import { TextInput, type TextInputProps } from '@mantine/core';

import { durationHint, formatDuration, parseDuration } from '../../core/base/duration.ts';
import { useTyped, type Within } from './useTyped.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> & {
  /** Seconds; NaN where what was typed is no duration. */
  value: number;
  onChange: (seconds: number) => void;
  error?: string | undefined;
  /** Least and most seconds, for a form that judges no field: nothing else is handed on. */
  within?: Within;
};

const duration = { parse: parseDuration, format: formatDuration, hint: durationHint };

/** A length of time as people write it. */
export function DurationField({ value, onChange, error, within, onBlur, ...rest }: Props) {
  const typed = useTyped({ ...duration, value, onChange, within });
  return (
    <TextInput
      {...rest}
      value={typed.text}
      error={typed.fault ?? error}
      onChange={(event) => typed.type(event.currentTarget.value)}
      onBlur={(event) => {
        typed.leave();
        onBlur?.(event);
      }}
    />
  );
}
