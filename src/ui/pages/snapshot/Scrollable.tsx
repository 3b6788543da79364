import { ScrollArea } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table that may be wider than its place: scrolled by wheel, touch and arrow keys. */
export function Scrollable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': `${label}, scrollable` }}
    >
      {children}
    </ScrollArea>
  );
}
