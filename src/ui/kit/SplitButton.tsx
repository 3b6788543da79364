import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';

import type { PageAction } from './pageActions.ts';

interface Props {
  primary: PageAction;
  others: readonly PageAction[];
  /** One of them is under way. */ busy: boolean;
}

/** The one thing a page is for, and beside it the lesser ways to begin. */
export function SplitButton({ primary, others, busy }: Props) {
  return (
    <Button.Group>
      <Button loading={busy} onClick={primary.run}>
        {primary.title}
      </Button>
      <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button
            px={8}
            aria-label="More ways to begin"
            title={busy ? 'It is under way' : 'More ways to begin'}
            disabled={busy}
            style={{ borderInlineStart: '1px solid var(--tb-surface)' }}
          >
            <IconChevronDown size={14} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map(({ id, title, run }) => (
            <Menu.Item key={id} onClick={run}>
              {title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
