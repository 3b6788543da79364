import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/**
 * The first so many of a long list, and the button that shows the rest: null where there is none.
 * `what` says what is counted, e.g. `12 VMs`.
 */
export function useFirst<T>(
  items: readonly T[],
  first: number,
  what: (count: number) => string = String,
): { shown: readonly T[]; more: ReactNode } {
  const [all, setAll] = useState(false);
  if (all || items.length <= first) return { shown: items, more: null };
  return {
    shown: items.slice(0, first),
    more: (
      <Button
        size="xs"
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setAll(true)}
      >
        {`Show all ${what(items.length)}`}
      </Button>
    ),
  };
}
