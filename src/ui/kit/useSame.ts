import { useState } from 'react';

/**
 * The first of equal values: an overview comes anew every second, what did not change in it must
 * not redraw charts.
 */
export function useSame<T>(value: T, equal: (a: T, b: T) => boolean = sameJson): T {
  const [held, setHeld] = useState(value);
  if (held === value) return held;
  if (equal(held, value)) return held;
  setHeld(value);
  return value;
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
