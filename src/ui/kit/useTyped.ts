import { useState } from 'react';

/** How the text of a field is read and shown. */
export interface Reading {
  /** null = it is none. */
  parse: (text: string) => number | null;
  format: (value: number) => string;
  /** What may be written. */
  hint: string;
}
/** Least and most of what is handed on. */
export type Within = readonly [number, number];

/** What stands in the field, what was handed on for it, and the value from before. */
interface Typed {
  text: string;
  value: number;
  before: number;
}

/**
 * A number as it is typed: what stands in the field stays as it is until the field is left, and is
 * never silently another number. What is none is handed on as NaN, so that the form can refuse it
 * and saves nothing in its place; with `within` the value from before is, and comes back when the
 * field is left.
 */
export function useTyped({
  value,
  onChange,
  within,
  parse,
  format,
  hint,
}: Reading & {
  value: number;
  onChange: (value: number) => void;
  within: Within | undefined;
}): { text: string; fault: string | null; type: (text: string) => void; leave: () => void } {
  const [typed, setTyped] = useState<Typed | null>(null);
  const typing = typed !== null && Object.is(typed.value, value) ? typed : null;
  const faultOf = (read: number | null): string | null => {
    if (read === null || !Number.isFinite(read)) return hint;
    const [least, most] = within ?? [-Infinity, Infinity];
    if (read < least) return `At least ${format(least)}`;
    return read > most ? `At most ${format(most)}` : null;
  };
  // What stands there untouched was judged where it was kept.
  const untouched = typing === null && within !== undefined;
  const fault = untouched ? null : faultOf(typing === null ? value : parse(typing.text));
  return {
    text: typing?.text ?? format(value),
    fault,
    type(text) {
      const before = typing?.before ?? value;
      const read = parse(text) ?? Number.NaN;
      const handed = within !== undefined && faultOf(read) !== null ? before : read;
      setTyped({ text, value: handed, before });
      if (!Object.is(handed, value)) onChange(handed);
    },
    leave() {
      if (within !== undefined || fault === null) setTyped(null);
    },
  };
}
