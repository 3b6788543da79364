import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

import { durationHint, formatDuration, parseDuration } from '../../core/base/duration.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> & {
  /** Seconds; NaN where what was typed is no duration. */
  value: number;
  onChange: (seconds: number) => void;
  error?: string | undefined;
  /** Least and most seconds, for a form that judges no field: nothing else is handed on. */
  within?: readonly [number, number];
};

/** What stands in the field, what was handed on for it, and the value from before. */
interface Typed {
  text: string;
  value: number;
  before: number;
}

/**
 * A length of time as people write it. What is typed stands as it is until the field is left. What
 * is no duration is handed on as NaN, so that the form can refuse it and saves nothing in its place;
 * with `within` the value from before is, and comes back when the field is left.
 */
export function DurationField({ value, onChange, error, within, onBlur, ...rest }: Props) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const typing = typed !== null && Object.is(typed.value, value) ? typed : null;
  const fault = faultOf(typing === null ? value : parseDuration(typing.text), within);
  return (
    <TextInput
      {...rest}
      value={typing?.text ?? formatDuration(value)}
      error={fault ?? error}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const before = typing?.before ?? value;
        const seconds = parseDuration(text) ?? Number.NaN;
        const handed = within !== undefined && faultOf(seconds, within) !== null ? before : seconds;
        setTyped({ text, value: handed, before });
        if (!Object.is(handed, value)) onChange(handed);
      }}
      onBlur={(event) => {
        if (within !== undefined || fault === null) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}

/** What is wrong with these seconds, or null. */
function faultOf(seconds: number | null, within: Props['within']): string | null {
  if (seconds === null || !Number.isFinite(seconds)) return durationHint;
  const [least, most] = within ?? [0, Infinity];
  if (seconds < least) return `At least ${formatDuration(least)}`;
  return seconds > most ? `At most ${formatDuration(most)}` : null;
}
