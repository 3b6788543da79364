import { ActionIcon, Menu, ScrollArea } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What is not done each time, behind three dots: entries of a menu. */
export function MoreMenu({
  sizePx,
  children,
}: {
  /** Height of the buttons beside it. */ sizePx: number;
  children: ReactNode;
}) {
  return (
    <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size={sizePx} aria-label="More actions" title="More actions">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={420} type="auto">
          {children}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
