import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

import type { PageAction } from './pageActions.ts';

/** What is not done each time, behind three dots. */
export function MoreMenu({ actions }: { actions: readonly PageAction[] }) {
  return (
    <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions" title="More actions">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ id, title, run }) => (
          <Menu.Item key={id} onClick={run}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
