import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

import { durationHint, formatDuration, parseDuration } from '../../core/base/duration.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> & {
  /** Seconds; NaN where what was typed is no duration. */
  value: number;
  onChange: (seconds: number) => void;
  error?: string | undefined;
};

/**
 * A length of time as people write it. What is typed stands as it is until the field is left; what
 * is no duration is handed on as NaN, so that nothing else is saved in its place.
 */
export function DurationField({ value, onChange, error, onBlur, ...rest }: Props) {
  const [typed, setTyped] = useState<{ text: string; seconds: number } | null>(null);
  const typing = typed !== null && Object.is(typed.seconds, value) ? typed : null;
  const unread = typing !== null && Number.isNaN(typing.seconds);
  return (
    <TextInput
      {...rest}
      value={typing?.text ?? formatDuration(value)}
      error={unread ? durationHint : error}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const seconds = parseDuration(text) ?? Number.NaN;
        setTyped({ text, seconds });
        onChange(seconds);
      }}
      onBlur={(event) => {
        if (!unread) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}
